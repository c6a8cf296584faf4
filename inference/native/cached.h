// How pages hold keys and values: written a head at a time, read sixteen lanes at a time. foreword.h draws the layouts.
//
// A head at one position is quantized by itself, so what is kept depends on nothing but that head: not on when it was
// written, with whom, or what stood there before.
#pragma once

#include <math.h>

#include "kernels.h"

namespace {

constexpr int64_t kBlock = 16;  // positions whose keys stand side by side

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

struct Quantized {
  int8_t values[kLargestHead];
  uint16_t scales[kLargestHead / 16];
  uint16_t minima[kLargestHead / 16];
};

// A head in groups of `group` dimensions. A group with a NaN has the scale NaN.
template <int bits>
inline void quantize_head(const float* head, int64_t size, int64_t group, Quantized* out) {
  for (int64_t g = 0; g < size / group; ++g) {
    const float* x = head + g * group;
    const Floats first = limited(load(x));
    const Floats second = group == 32 ? limited(load(x + 16)) : first;
    const bool finite = largest(larger(magnitude_bits(first), magnitude_bits(second))) < 0x7f800000;
    float scale = NAN;
    float minimum = 0.0f;
    if (finite && bits == 8) {
      scale = largest(larger(larger(first, subtract(zero(), first)), larger(second, subtract(zero(), second)))) / 127.0f;
    } else if (finite) {
      minimum = 0.0f - largest(larger(subtract(zero(), first), subtract(zero(), second)));  // never -0
      scale = (largest(larger(first, second)) - minimum) / 15.0f;
    }
    out->scales[g] = brain_of_float(scale);
    out->minima[g] = brain_of_float(minimum);
    const float step = float_of_brain(out->scales[g]);
    const Floats inverse = all(finite && step > 1e-30f ? 1.0f / step : 0.0f);
    const Floats base = all(float_of_brain(out->minima[g]));
    const Floats low = all(bits == 8 ? -127.0f : 0.0f);
    const Floats high = all(bits == 8 ? 127.0f : 15.0f);
    const auto rounded = [&](Floats v) {
      return integers(finite ? smaller(high, larger(low, multiply(subtract(v, base), inverse))) : zero());
    };
    store_bytes(out->values + g * group, rounded(first));
    if (group == 32) store_bytes(out->values + g * group + 16, rounded(second));
  }
}

// Each format: Key reads the keys of a block of 16 positions, dimension by dimension; Value reads one position's
// values; `keep` writes a position.
struct Halves {
  static int64_t group(int64_t head_size) { return head_size; }
  static int64_t key_bytes(int64_t head_size) { return kBlock * head_size * 2; }
  static int64_t value_bytes(int64_t head_size) { return head_size * 2; }

  struct Key {
    Key(const HeadPage& page, int64_t head_size, int64_t block) : keys(page.keys + block * key_bytes(head_size)) {}
    void open(int64_t) {}
    Floats at(int64_t d) const {
      return load_half(reinterpret_cast<const uint16_t*>(keys) + d * kBlock);
    }
    const uint8_t* where(int64_t d) const { return keys + d * kBlock * 2; }
    const uint8_t* keys;
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

struct Bytes {
  static int64_t group(int64_t head_size) { return scale_group(head_size); }
  static int64_t key_bytes(int64_t head_size) { return kBlock * head_size; }
  static int64_t value_bytes(int64_t head_size) { return head_size; }

  struct Key {
    Key(const HeadPage& page, int64_t head_size, int64_t block)
        : keys(page.keys + block * key_bytes(head_size)),
          scales(page.key_scales + block * kBlock * (head_size / scale_group(head_size))) {}
    void open(int64_t g) { scale = load_brain(scales + g * kBlock); }
    Floats at(int64_t d) const {
      return multiply(floats(load_bytes(keys + d * kBlock)), scale);
    }
    const uint8_t* where(int64_t d) const { return keys + d * kBlock; }
    const uint8_t* keys;
    const uint16_t* scales;
    Floats scale;
  };
  struct Value {
    Value(const HeadPage& page, int64_t head_size, int64_t position)
        : row(page.values + position * head_size),
          scales(page.value_scales + position * (head_size / scale_group(head_size))),
          group(scale_group(head_size)) {}
    Floats at(int64_t d) const {
      return multiply(floats(load_bytes(row + d)), all(float_of_brain(scales[d / group])));
    }
    const uint8_t* where(int64_t d) const { return row + d; }
    const uint8_t* row;
    const uint16_t* scales;
    int64_t group;
  };
  static void keep_key(const float* key, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = group(head_size);
    const int64_t groups = head_size / per;
    Quantized q;
    quantize_head<8>(key, head_size, per, &q);
    uint8_t* keys = page.keys + at / kBlock * key_bytes(head_size) + at % kBlock;
    for (int64_t d = 0; d < head_size; ++d) keys[d * kBlock] = static_cast<uint8_t>(q.values[d]);
    uint16_t* scales = page.key_scales + at / kBlock * kBlock * groups + at % kBlock;
    for (int64_t g = 0; g < groups; ++g) scales[g * kBlock] = q.scales[g];
  }
  static void keep(const float* key, const float* value, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = group(head_size);
    const int64_t groups = head_size / per;
    keep_key(key, head_size, at, page);
    Quantized q;
    quantize_head<8>(value, head_size, per, &q);
    __builtin_memcpy(page.values + at * head_size, q.values, static_cast<size_t>(head_size));
    for (int64_t g = 0; g < groups; ++g) page.value_scales[at * groups + g] = q.scales[g];
  }
};

// Values at 4 bits, keys at 8.
struct Nibbles {
  using Key = Bytes::Key;
  static int64_t group(int64_t head_size) { return Bytes::group(head_size); }
  static int64_t value_bytes(int64_t head_size) { return (head_size + 31) / 32 * 16; }

  struct Value {
    Value(const HeadPage& page, int64_t head_size, int64_t position)
        : row(page.values + position * value_bytes(head_size)),
          scales(page.value_scales + position * 2 * (head_size / scale_group(head_size))),
          group(scale_group(head_size)) {}
    Floats at(int64_t d) const {
      const uint8_t* bytes = row + d / 32 * 16;
      const Floats q = floats(d % 32 ? load_nibbles<true>(bytes) : load_nibbles<false>(bytes));
      const uint16_t* both = scales + 2 * (d / group);
      return multiply_add(q, all(float_of_brain(both[0])), all(float_of_brain(both[1])));
    }
    const uint8_t* where(int64_t d) const { return row + d / 2; }
    const uint8_t* row;
    const uint16_t* scales;
    int64_t group;
  };
  static void keep(const float* key, const float* value, int64_t head_size, int64_t at, const HeadPage& page) {
    const int64_t per = group(head_size);
    const int64_t groups = head_size / per;
    const auto both = [](int8_t low, int8_t high) { return static_cast<uint8_t>(low | high << 4); };
    Bytes::keep_key(key, head_size, at, page);
    Quantized q;
    quantize_head<4>(value, head_size, per, &q);
    uint8_t* values = page.values + at * value_bytes(head_size);
    for (int64_t d = 0; d < head_size; d += 32) {
      for (int64_t j = 0; j < 16; ++j) {
        const int8_t high = d + 16 < head_size ? q.values[d + 16 + j] : static_cast<int8_t>(0);
        values[d / 2 + j] = both(q.values[d + j], high);
      }
    }
    for (int64_t g = 0; g < groups; ++g) {
      page.value_scales[2 * (at * groups + g)] = q.scales[g];
      page.value_scales[2 * (at * groups + g) + 1] = q.minima[g];
    }
  }
};

}  // namespace
