/* Dot products of unit vectors, where Swift's portable SIMD stays below the machine's limit.
 *
 * One portable source; `target_clones` makes AVX-512, AVX2+FMA and baseline versions and the loader
 * picks one (ELF on x86-64 with a GNU ifunc). Elsewhere the compiler vectorises for the baseline, NEON on
 * arm64. Accumulators are float32 lanes, emptied into a double every 512 components at most, which
 * keeps the error of a dot product of unit vectors under 1e-6 up to 8192 components.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* sum of a[i] * b[i] */
double csimilarity_dot(const float *a, const float *b, size_t count);

/* out[r] = probe . rows[r], rows being packed, count components each. */
void csimilarity_rows(const float *probe, const float *rows, size_t row_count, size_t count, float *out);

/* The sum of count floats: how fast memory can be read, for the benchmark. */
float csimilarity_read(const float *values, size_t count);

/* out[i * 4 + j] = a_i . b_j for four rows against four rows, each count components, packed. */
void csimilarity_tile(const float *a, const float *b, size_t count, float out[16]);
