#include "CSimilarity.h"
#include <math.h>

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__x86_64__) && defined(__ELF__) && defined(__clang__)
#define DISPATCHED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DISPATCHED
#endif

typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef float lanes8u __attribute__((vector_size(32), aligned(4)));
typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes4 __attribute__((vector_size(16)));

/* Macros, not functions: a vector must not cross a call whose target differs from its clone's. */
#define LOAD(p) (*(const lanes *)(p))
/* Components summed in a float lane before it is emptied into another. */
#define RUN 128
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

DISPATCHED void csimilarity_add(const float *restrict a, float weight, float *restrict sum, size_t count) {
  for (size_t i = 0; i < count; i++) sum[i] += weight * a[i];
}

/* One probe component against 32 vectors at once: memory is read in one line from end to end, and nothing
 * is left to sum across lanes. */
DISPATCHED void csimilarity_panel(const float *probe, const float *panel, size_t count, float out[32]) {
  lanes total0 = {0}, total1 = {0};
  size_t i = 0;
  while (i < count) {
    lanes s[4][2] = {{{0}}};
    size_t end = count - i > RUN ? i + RUN : count;
    for (; i + 4 <= end; i += 4) {
      const float *at = panel + i * 32;
      __builtin_prefetch(at + 1024);
#pragma clang loop unroll(full)
      for (int k = 0; k < 4; k++) {
        float x = probe[i + k];
        s[k][0] += x * LOAD(at + k * 32);
        s[k][1] += x * LOAD(at + k * 32 + 16);
      }
    }
    for (; i < end; i++) {
      float x = probe[i];
      s[0][0] += x * LOAD(panel + i * 32);
      s[0][1] += x * LOAD(panel + i * 32 + 16);
    }
    total0 += (s[0][0] + s[1][0]) + (s[2][0] + s[3][0]);
    total1 += (s[0][1] + s[1][1]) + (s[2][1] + s[3][1]);
  }
  *(lanes *)out = total0;
  *(lanes *)(out + 16) = total1;
}

/* A tile in runs of components, so that both panels' part of a run stays in the first cache; in a run, as
 * many vectors against as many as the registers hold sums for: rows of one panel, columns * 16 of the other. */
static inline __attribute__((always_inline)) void tile(const float *a, const float *b, size_t count,
                                                       float *out, const int rows, const int columns) {
  for (size_t start = 0; start < count; start += RUN) {
    size_t end = count - start > RUN ? start + RUN : count;
    for (int row = 0; row < 32; row += rows)
      for (int column = 0; column < 32; column += columns * 16) {
        lanes s[8][2] = {{{0}}};
        for (size_t k = start; k < end; k++) {
          const float *x = a + k * 32 + row, *y = b + k * 32 + column;
#pragma clang loop unroll(full)
          for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
            for (int c = 0; c < columns; c++) s[r][c] += x[r] * LOAD(y + c * 16);
        }
#pragma clang loop unroll(full)
        for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
          for (int c = 0; c < columns; c++) {
            lanes *place = (lanes *)(out + (row + r) * 32 + column + c * 16);
            *place = start == 0 ? s[r][c] : *place + s[r][c];
          }
      }
  }
}

/* The shape differs by target, so that target_clones cannot do it: 16 sums in 32 registers of 512 bits,
 * 8 in 16 of 256, and half as many again where vectors have 128. */
#if defined(__x86_64__) && defined(__clang__)
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void tile_v4(const float *a, const float *b,
                                                              size_t count, float *out) {
  tile(a, b, count, out, 8, 2);
}
__attribute__((target("arch=x86-64-v3"))) static void tile_v3(const float *a, const float *b,
                                                              size_t count, float *out) {
  tile(a, b, count, out, 4, 1);
}
void csimilarity_tile(const float *a, const float *b, size_t count, float out[1024]) {
  if (__builtin_cpu_supports("x86-64-v4")) tile_v4(a, b, count, out);
  else if (__builtin_cpu_supports("x86-64-v3")) tile_v3(a, b, count, out);
  else tile(a, b, count, out, 2, 1);
}
#else
void csimilarity_tile(const float *a, const float *b, size_t count, float out[1024]) {
  tile(a, b, count, out, 4, 1);
}
#endif

DISPATCHED size_t csimilarity_count(const float *scores, size_t count, size_t per_unit, uint64_t *bins,
                                    float least, uint16_t *kept) {
  typedef double lanes8d __attribute__((vector_size(64)));
  typedef int32_t lanes8i __attribute__((vector_size(32)));
  size_t keeping = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    lanes8d x = __builtin_convertvector(*(const lanes8u *)(scores + i), lanes8d) + 1;
    x = __builtin_elementwise_min(__builtin_elementwise_max(x, (lanes8d){0}), (lanes8d){0} + 2);
    lanes8i bin = __builtin_convertvector(x * (double)per_unit + 0.5, lanes8i);
#pragma clang loop unroll(full)
    for (int k = 0; k < 8; k++) {
      bins[bin[k]]++;
      kept[keeping] = (uint16_t)(i + k);
      keeping += scores[i + k] >= least;
    }
  }
  for (; i < count; i++) {
    double x = (double)scores[i] + 1;
    x = x < 0 ? 0 : x > 2 ? 2 : x;
    bins[(size_t)(x * (double)per_unit + 0.5)]++;
    kept[keeping] = (uint16_t)i;
    keeping += scores[i] >= least;
  }
  return keeping;
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

float *csimilarity_allocate(size_t count) {
  size_t size = count * sizeof(float), alignment = size < 2 << 20 ? 64 : 2 << 20;
  if (count > SIZE_MAX / sizeof(float) - alignment) return NULL;
  size = (size + alignment - 1) / alignment * alignment;
  float *memory = aligned_alloc(alignment, size ? size : alignment);
#ifdef MADV_HUGEPAGE
  if (memory && alignment > 64) madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

void csimilarity_free(float *memory) { free(memory); }

double csimilarity_normal(double u, double v) {
  return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}
