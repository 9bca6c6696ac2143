/* Dot products of unit vectors, where Swift's portable SIMD stays below the machine's limit.
 *
 * One portable source; `target_clones` makes AVX-512, AVX2+FMA and baseline versions and the loader
 * picks one (ELF on x86-64 with a GNU ifunc). Elsewhere the compiler vectorises for the baseline, NEON on
 * arm64. Runs of at most 128 products are summed in a float32 lane and then emptied into a sum of such
 * runs, which keeps the error of a dot product of unit vectors under 1e-6 up to 8192 components.
 *
 * A panel is 32 vectors side by side: component k of vector v is at [k * 32 + v]. Both kernels over
 * many vectors read it from front to back and sum no register across.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* sum of a[i] * b[i] */
double csimilarity_dot(const float *a, const float *b, size_t count);

/* sum[i] += weight * a[i]; the two do not overlap */
void csimilarity_add(const float *a, float weight, float *sum, size_t count);

/* out[v] = probe . panel's vector v */
void csimilarity_panel(const float *probe, const float *panel, size_t count, float out[32]);

/* out[i * 32 + j] = vector i of panel a . vector j of panel b */
void csimilarity_tile(const float *a, const float *b, size_t count, float out[1024]);

/* Counts each of at most 65536 scores, cut to [-1, 1], in bin (score + 1) * per_unit, rounded to the nearest of
 * 2 * per_unit + 1. Returns how many are at or above least, and puts their places into kept, which has room for
 * count and one more. */
size_t csimilarity_count(const float *scores, size_t count, size_t per_unit, uint64_t *bins, float least,
                         uint16_t *kept);

/* The sum of count floats: how fast memory can be read, for the benchmark. */
float csimilarity_read(const float *values, size_t count);

/* Room for count floats on a cache line's boundary, given back by csimilarity_free; NULL when there is none. Much of it is
 * asked for in huge pages: a table of addresses is then read a five-hundredth as often. */
float *csimilarity_allocate(size_t count);
void csimilarity_free(float *memory);

/* A normal deviate from two uniform ones in (0, 1), by Box and Muller. */
double csimilarity_normal(double u, double v);
