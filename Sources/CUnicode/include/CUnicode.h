// What normalisation needs of Unicode's data. Every table is sorted by its first field, the pairs by their first two.
#ifndef CUNICODE_H
#define CUNICODE_H

#include <stddef.h>
#include <stdint.h>

// The canonical combining class of a span of scalars; all others have class 0.
typedef struct {
  uint32_t first, last;
  uint8_t value;
} unicode_class;

// What a scalar decomposes to in one step: `count` scalars of `unicode_targets` from `start`.
typedef struct {
  uint32_t scalar;
  uint16_t start;
  uint8_t count;
  // Whether only compatibility decomposition does.
  uint8_t is_compatible;
} unicode_mapping;

// Two scalars that compose to a third.
typedef struct {
  uint32_t first, second, composed;
} unicode_pair;

extern const unicode_class unicode_classes[];
extern const size_t unicode_classes_count;
extern const unicode_mapping unicode_mappings[];
extern const size_t unicode_mappings_count;
extern const uint32_t unicode_targets[];
extern const unicode_pair unicode_pairs[];
extern const size_t unicode_pairs_count;

// Indices by binary search, -1 where there is none.
static inline ptrdiff_t unicode_find_mapping(uint32_t scalar) {
  size_t low = 0, high = unicode_mappings_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (unicode_mappings[middle].scalar < scalar) low = middle + 1; else high = middle;
  }
  return low < unicode_mappings_count && unicode_mappings[low].scalar == scalar ? (ptrdiff_t)low : -1;
}

static inline unicode_mapping unicode_mapping_at(ptrdiff_t index) { return unicode_mappings[index]; }

static inline uint32_t unicode_target(ptrdiff_t index) { return unicode_targets[index]; }

static inline uint8_t unicode_combining_class(uint32_t scalar) {
  size_t low = 0, high = unicode_classes_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (unicode_classes[middle].last < scalar) low = middle + 1; else high = middle;
  }
  return low < unicode_classes_count && unicode_classes[low].first <= scalar ? unicode_classes[low].value : 0;
}

// 0 where the two do not compose.
static inline uint32_t unicode_compose(uint32_t first, uint32_t second) {
  uint64_t wanted = (uint64_t)first << 32 | second;
  size_t low = 0, high = unicode_pairs_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t pair = (uint64_t)unicode_pairs[middle].first << 32 | unicode_pairs[middle].second;
    if (pair < wanted) low = middle + 1; else high = middle;
  }
  return low < unicode_pairs_count && unicode_pairs[low].first == first && unicode_pairs[low].second == second
             ? unicode_pairs[low].composed : 0;
}

#endif
