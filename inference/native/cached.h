// How pages hold keys and values: written a head at a time, read sixteen lanes at a time. foreword.h draws the layouts.
//
// A head at one position is quantized by itself, so what is kept depends on nothing but that head: not on when it was
// written, with whom, or what stood there before.
#pragma once

#include <math.h>

#include "kernels.h"

namespace {

constexpr int64_t kBlock = 16;                        // positions whose keys stand side by side
constexpr float kSpans[] = {1.0f, 0.9f, 0.8f, 0.7f};  // parts of a group's range that four steps may span

inline float float_of_brain(uint16_t brain) {
  const uint32_t bits = static_cast<uint32_t>(brain) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
// To nearest even; a NaN becomes the quiet one.
inline uint16_t brain_of_float(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if (value != value) return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

// What is too large becomes the largest half; NaN stays NaN.
inline Floats limited(Floats v) { return smaller(all(65504.0f), larger(all(-65504.0f), v)); }

// The Hadamard matrix of the largest power of two that divides `size`, along the diagonal and orthonormal, times x:
// what stands out in one dimension is spread over many, which few steps hold better. Twice gives x again.
inline void mix(float* x, int64_t size) {
  const int64_t run = size & -size;
  for (int64_t width = 1; width < run; width *= 2) {
    for (int64_t i = 0; i < size; i += 2 * width) {
      for (int64_t j = i; j < i + width; ++j) {
        const float a = x[j], b = x[j + width];
        x[j] = a + b;
        x[j + width] = a - b;
      }
    }
  }
  const float by = 1.0f / sqrtf(static_cast<float>(run));
  for (int64_t i = 0; i < size; ++i) x[i] *= by;
}

struct Quantized {
  int8_t values[kLargestHead];
  uint16_t scales[kLargestHead / 16];
  uint16_t minima[kLargestHead / 16];
};

// How sixteen values of a group become integers and come back.
struct Grid {
  Floats scale, inverse, minimum, low, high;
  Integers quantized(Floats v) const {
    return integers(smaller(high, larger(low, multiply(subtract(v, minimum), inverse))));
  }
  Floats missed(Floats v) const {
    const Floats by = subtract(v, multiply_add(floats(quantized(v)), scale, minimum));
    return multiply(by, by);
  }
};

// A head in groups of `group` dimensions, at 8 bits without a minimum. At 2 bits the four steps span as much of a
// group's range as gives the smallest squared error. A group with a NaN has the scale NaN.
template <int bits>
inline void quantize_head(const float* head, int64_t size, int64_t group, Quantized* out) {
  constexpr float most = bits == 8 ? 127.0f : static_cast<float>((1 << bits) - 1);
  for (int64_t g = 0; g < size / group; ++g) {
    const float* x = head + g * group;
    const Floats first = limited(load(x));
    const Floats second = group == 32 ? limited(load(x + 16)) : first;
    const bool finite = largest(larger(magnitude_bits(first), magnitude_bits(second))) < 0x7f800000;
    if (!finite) {
      out->scales[g] = brain_of_float(NAN);
      out->minima[g] = 0;
      __builtin_memset(out->values + g * group, 0, static_cast<size_t>(group));
      continue;
    }
    const auto grid = [&](float scale, float minimum) {
      out->scales[g] = brain_of_float(scale);
      out->minima[g] = brain_of_float(minimum);
      const float step = float_of_brain(out->scales[g]);
      return Grid{all(step), all(step > 1e-30f ? 1.0f / step : 0.0f), all(float_of_brain(out->minima[g])),
                  all(bits == 8 ? -most : 0.0f), all(most)};
    };
    const float top = largest(larger(first, second));
    const float bottom = 0.0f - largest(larger(subtract(zero(), first), subtract(zero(), second)));  // never -0
    const auto spanning = [&](float part) {
      const float cut = (top - bottom) * (1.0f - part) * 0.5f;
      return grid((top - bottom) * part / most, bottom + cut);
    };
    float part = 1.0f;
    if (bits == 2) {
      float least = INFINITY;
      for (const float tried : kSpans) {
        const Grid steps = spanning(tried);
        const float missed = sum(add(steps.missed(first), steps.missed(second)));
        if (missed < least) least = missed, part = tried;
      }
    }
    const Grid steps = bits == 8 ? grid((top > -bottom ? top : -bottom) / most, 0.0f) : spanning(part);
    store_bytes(out->values + g * group, steps.quantized(first));
    if (group == 32) store_bytes(out->values + g * group + 16, steps.quantized(second));
  }
}

// Each format: Key reads the keys of a block of 16 positions, two dimensions at a time: pair p of head_size / 2 is
// first(p) and second(p), and `open` comes before every eight pairs. Value reads one position's values; `keep` writes a
// position.
struct Halves {
  struct Key {
    Key(const HeadPage& page, const ForewordAttention& a, int64_t block)
        : keys(reinterpret_cast<const uint16_t*>(page.keys) + block * kBlock * a.head_size) {}
    static int64_t first(int64_t p, int64_t) { return 2 * p; }
    static int64_t second(int64_t p, int64_t) { return 2 * p + 1; }
    void open(int64_t) {}
    void read(int64_t p, Floats* first, Floats* second) const {
      *first = load_half(keys + 2 * p * kBlock);
      *second = load_half(keys + (2 * p + 1) * kBlock);
    }
    const void* where(int64_t p) const { return keys + 2 * p * kBlock; }
    const uint16_t* keys;
  };
  struct Value {
    Value(const HeadPage& page, int64_t head_size, int64_t position) : row(page.values + position * head_size * 2) {}
    Floats at(int64_t d) const { return load_half(reinterpret_cast<const uint16_t*>(row) + d); }
    const uint8_t* where(int64_t d) const { return row + d * 2; }
    const uint8_t* row;
  };
  static void keep(const float* key, const float* value, int64_t head_size, int64_t at, const HeadPage& page) {
    uint16_t* keys = reinterpret_cast<uint16_t*>(page.keys) + at / kBlock * kBlock * head_size + at % kBlock;
    uint16_t* values = reinterpret_cast<uint16_t*>(page.values) + at * head_size;
    for (int64_t d = 0; d < head_size; d += 16) {
      uint16_t lanes[16];
      store_half(lanes, limited(load(key + d)));
      for (int i = 0; i < 16; ++i) keys[(d + i) * kBlock] = lanes[i];
      store_half(values + d, limited(load(value + d)));
    }
  }
};

struct ByteKeys {
  ByteKeys(const HeadPage& page, const ForewordAttention& a, int64_t block)
      : keys(page.keys + block * kBlock * a.head_size),
        group(scale_group(a.head_size)),
        scales(page.key_scales + block * kBlock * (a.head_size / group)) {}
  static int64_t first(int64_t p, int64_t) { return 2 * p; }
  static int64_t second(int64_t p, int64_t) { return 2 * p + 1; }
  void open(int64_t p) { scale = load_brain(scales + 2 * p / group * kBlock); }
  void read(int64_t p, Floats* first, Floats* second) const {
    *first = multiply(floats(load_bytes(keys + 2 * p * kBlock)), scale);
    *second = multiply(floats(load_bytes(keys + (2 * p + 1) * kBlock)), scale);
  }
  const void* where(int64_t p) const { return keys + 2 * p * kBlock; }
  static void keep(const float* key, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = scale_group(head_size);
    const int64_t groups = head_size / per;
    Quantized q;
    quantize_head<8>(key, head_size, per, &q);
    uint8_t* keys = page.keys + at / kBlock * kBlock * head_size + at % kBlock;
    for (int64_t d = 0; d < head_size; ++d) keys[d * kBlock] = static_cast<uint8_t>(q.values[d]);
    uint16_t* scales = page.key_scales + at / kBlock * kBlock * groups + at % kBlock;
    for (int64_t g = 0; g < groups; ++g) scales[g * kBlock] = q.scales[g];
  }
  const uint8_t* keys;
  int64_t group;
  const uint16_t* scales;
  Floats scale;
};

// Five bits. What is the same in every key (key_offsets) is not kept: it is turned to the block's positions and added
// here.
struct FewKeys {
  FewKeys(const HeadPage& page, const ForewordAttention& a, int64_t block)
      : half(a.head_size / 2),
        keys(page.keys + block * kBlock * a.head_size * 5 / 8),
        group(scale_group(a.head_size)),
        scales(page.key_scales + block * 2 * kBlock * (a.head_size / group)),
        offsets(page.offsets),
        cosines(offsets ? a.cosines + (page.start + block * kBlock) * half : nullptr),
        sines(offsets ? a.sines + (page.start + block * kBlock) * half : nullptr) {}
  static int64_t first(int64_t p, int64_t) { return p; }
  static int64_t second(int64_t p, int64_t half) { return half + p; }
  void open(int64_t p) {
    const uint16_t* near = scales + p / group * 2 * kBlock;
    const uint16_t* far = scales + (half + p) / group * 2 * kBlock;
    near_scale = load_brain(near), near_minimum = load_brain(near + kBlock);
    far_scale = load_brain(far), far_minimum = load_brain(far + kBlock);
  }
  void read(int64_t p, Floats* first, Floats* second) const {
    const uint8_t* both = keys + p * kBlock;
    const uint8_t* fifths = keys + (half + p / 4) * kBlock;
    const int64_t bit = 2 * (p % 4);
    *first = multiply_add(floats(add(load_nibbles<false>(both), load_fifth(fifths, bit))), near_scale, near_minimum);
    *second = multiply_add(floats(add(load_nibbles<true>(both), load_fifth(fifths, bit + 1))), far_scale, far_minimum);
    if (!offsets) return;
    const Floats near = load(offsets + p * kBlock), far = load(offsets + (half + p) * kBlock);
    const Floats cosine = all(cosines[p]), sine = all(sines[p]);
    *first = multiply_add(near, cosine, multiply_add(far, subtract(zero(), sine), *first));
    *second = multiply_add(far, cosine, multiply_add(near, sine, *second));
  }
  const void* where(int64_t p) const { return keys + p * kBlock; }
  static void keep(const float* key, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t half = head_size / 2;
    const int64_t per = scale_group(head_size);
    const int64_t groups = head_size / per;
    Quantized q;
    quantize_head<5>(key, head_size, per, &q);
    uint8_t* keys = page.keys + at / kBlock * kBlock * head_size * 5 / 8 + at % kBlock;
    for (int64_t i = 0; i < half; i += 4) {
      int fifths = 0;
      for (int64_t p = i; p < i + 4; ++p) {
        const int near = q.values[p], far = q.values[half + p];
        keys[p * kBlock] = static_cast<uint8_t>((near & 15) | (far & 15) << 4);
        fifths |= (near >> 4 | far >> 4 << 1) << 2 * (p - i);
      }
      keys[(half + i / 4) * kBlock] = static_cast<uint8_t>(fifths);
    }
    uint16_t* scales = page.key_scales + at / kBlock * 2 * kBlock * groups + at % kBlock;
    for (int64_t g = 0; g < groups; ++g) {
      scales[2 * g * kBlock] = q.scales[g];
      scales[(2 * g + 1) * kBlock] = q.minima[g];
    }
  }
  int64_t half;
  const uint8_t* keys;
  int64_t group;
  const uint16_t* scales;
  const float* offsets;
  const float* cosines;
  const float* sines;
  Floats near_scale, near_minimum, far_scale, far_minimum;
};

struct Bytes {
  using Key = ByteKeys;
  struct Value {
    Value(const HeadPage& page, int64_t head_size, int64_t position)
        : row(page.values + position * head_size),
          scales(page.value_scales + position * (head_size / scale_group(head_size))),
          group(scale_group(head_size)) {}
    Floats at(int64_t d) const { return multiply(floats(load_bytes(row + d)), all(float_of_brain(scales[d / group]))); }
    const uint8_t* where(int64_t d) const { return row + d; }
    const uint8_t* row;
    const uint16_t* scales;
    int64_t group;
  };
  static void keep(const float* key, const float* value, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = scale_group(head_size);
    const int64_t groups = head_size / per;
    Key::keep(key, head_size, at, page);
    Quantized q;
    quantize_head<8>(value, head_size, per, &q);
    __builtin_memcpy(page.values + at * head_size, q.values, static_cast<size_t>(head_size));
    for (int64_t g = 0; g < groups; ++g) page.value_scales[at * groups + g] = q.scales[g];
  }
};

// Keys at 5 bits, values at 4, or at 2 after `mix`.
template <int bits>
struct Few {
  using Key = FewKeys;
  static constexpr int64_t kTogether = 128 / bits;  // values in sixteen bytes

  struct Value {
    Value(const HeadPage& page, int64_t head_size, int64_t position)
        : row(page.values + position * value_row_bytes(head_size, bits)),
          scales(page.value_scales + position * 2 * (head_size / scale_group(head_size))),
          group(scale_group(head_size)) {}
    Floats at(int64_t d) const {
      const uint8_t* bytes = where(d);
      const uint16_t* both = scales + 2 * (d / group);
      const Floats scale = all(float_of_brain(both[0])), minimum = all(float_of_brain(both[1]));
      if (bits == 2) return multiply_add(floats(load_quarters(bytes, d % kTogether / 16)), scale, minimum);
      return multiply_add(floats(d % 32 ? load_nibbles<true>(bytes) : load_nibbles<false>(bytes)), scale, minimum);
    }
    const uint8_t* where(int64_t d) const { return row + d / kTogether * 16; }
    const uint8_t* row;
    const uint16_t* scales;
    int64_t group;
  };
  static void keep(const float* key, const float* value, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = scale_group(head_size);
    const int64_t groups = head_size / per;
    Key::keep(key, head_size, at, page);
    Quantized q;
    if (bits == 2) {
      float mixed[kLargestHead];
      for (int64_t d = 0; d < head_size; d += 16) store(mixed + d, limited(load(value + d)));
      mix(mixed, head_size);
      quantize_head<bits>(mixed, head_size, per, &q);
    } else {
      quantize_head<bits>(value, head_size, per, &q);
    }
    uint8_t* row = page.values + at * value_row_bytes(head_size, bits);
    for (int64_t d = 0; d < head_size; d += kTogether) {
      for (int64_t j = 0; j < 16; ++j) {
        int together = 0;
        for (int part = 0; part < kTogether / 16 && d + 16 * part < head_size; ++part) {
          together |= q.values[d + 16 * part + j] << bits * part;
        }
        row[d / kTogether * 16 + j] = static_cast<uint8_t>(together);
      }
    }
    for (int64_t g = 0; g < groups; ++g) {
      page.value_scales[2 * (at * groups + g)] = q.scales[g];
      page.value_scales[2 * (at * groups + g) + 1] = q.minima[g];
    }
  }
};

}  // namespace
