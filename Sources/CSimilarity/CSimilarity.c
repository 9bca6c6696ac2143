#include "CSimilarity.h"

#if defined(__x86_64__) && defined(__ELF__) && defined(__clang__)
#define DISPATCHED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DISPATCHED
#endif

typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes4 __attribute__((vector_size(16)));

/* Macros, not functions: a vector must not cross a call whose target differs from its clone's. */
#define LOAD(p) (*(const lanes *)(p))
/* The sum of sixteen lanes by halves: four additions deep instead of sixteen. */
#define ADD_LANES(total, v)                                                                  \
  do {                                                                                       \
    lanes all = (v);                                                                         \
    lanes8 half = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +                \
                  __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);           \
    lanes4 quarter = __builtin_shufflevector(half, half, 0, 1, 2, 3) +                       \
                     __builtin_shufflevector(half, half, 4, 5, 6, 7);                        \
    (total) += (double)((quarter[0] + quarter[2]) + (quarter[1] + quarter[3]));              \
  } while (0)

static inline __attribute__((always_inline)) double dot(const float *a, const float *b, size_t count) {
  double total = 0;
  size_t i = 0;
  while (i + 16 <= count) {
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t end = count - i > 512 ? i + 512 : count;
    for (; i + 64 <= end; i += 64) {
      s0 += LOAD(a + i) * LOAD(b + i);
      s1 += LOAD(a + i + 16) * LOAD(b + i + 16);
      s2 += LOAD(a + i + 32) * LOAD(b + i + 32);
      s3 += LOAD(a + i + 48) * LOAD(b + i + 48);
    }
    for (; i + 16 <= end; i += 16) s0 += LOAD(a + i) * LOAD(b + i);
    ADD_LANES(total, (s0 + s1) + (s2 + s3));
    if (end == count) break;
  }
  for (; i < count; i++) total += (double)a[i] * (double)b[i];
  return total;
}

DISPATCHED double csimilarity_dot(const float *a, const float *b, size_t count) {
  return dot(a, b, count);
}

DISPATCHED void csimilarity_rows(const float *probe, const float *rows, size_t row_count, size_t count,
                                 float *out) {
  /* One row after the other: a single stream is what the hardware prefetches best. */
  for (size_t r = 0; r < row_count; r++) {
    const float *row = rows + r * count;
    __builtin_prefetch(row + 4 * count);
    out[r] = (float)dot(probe, row, count);
  }
}

DISPATCHED void csimilarity_tile(const float *a, const float *b, size_t count, float out[16]) {
  double total[16] = {0};
  size_t i = 0;
  while (i + 16 <= count) {
    lanes s[16] = {{0}};
    size_t end = count - i > 512 ? i + 512 : count;
    for (; i + 16 <= end; i += 16) {
      lanes b0 = LOAD(b + i), b1 = LOAD(b + count + i);
      lanes b2 = LOAD(b + 2 * count + i), b3 = LOAD(b + 3 * count + i);
#pragma clang loop unroll(full)
      for (int r = 0; r < 4; r++) {
        lanes x = LOAD(a + r * count + i);
        s[r * 4] += x * b0;
        s[r * 4 + 1] += x * b1;
        s[r * 4 + 2] += x * b2;
        s[r * 4 + 3] += x * b3;
      }
    }
    for (int k = 0; k < 16; k++) ADD_LANES(total[k], s[k]);
    if (end == count) break;
  }
  for (; i < count; i++)
    for (int k = 0; k < 16; k++)
      total[k] += (double)a[(size_t)(k / 4) * count + i] * (double)b[(size_t)(k % 4) * count + i];
  for (int k = 0; k < 16; k++) out[k] = (float)total[k];
}

DISPATCHED float csimilarity_read(const float *values, size_t count) {
  lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    s0 += LOAD(values + i);
    s1 += LOAD(values + i + 16);
    s2 += LOAD(values + i + 32);
    s3 += LOAD(values + i + 48);
  }
  float total = 0;
  ADD_LANES(total, (s0 + s1) + (s2 + s3));
  for (; i < count; i++) total += values[i];
  return total;
}
