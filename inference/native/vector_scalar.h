// Sixteen floats and sixteen integers without any special instruction: slow, and the definition of what the others do.
#pragma once

#include <math.h>
#include <stdint.h>

#include "half.h"

namespace {

struct Floats {
  float lane[16];
};
struct Integers {
  int32_t lane[16];
};

inline uint32_t bits_of(float x) {
  union {
    float f;
    uint32_t u;
  } both;
  both.f = x;
  return both.u;
}
inline float float_of(uint32_t u) {
  union {
    uint32_t u;
    float f;
  } both;
  both.u = u;
  return both.f;
}

template <typename Function>
inline Floats each(Function function) {
  Floats r;
  for (int i = 0; i < 16; ++i) r.lane[i] = function(i);
  return r;
}

// The first `count` lanes from memory, zeros after them.
inline Floats load_part(const float* p, int64_t count) {
  return each([=](int i) { return i < count ? p[i] : 0.0f; });
}
inline Floats load(const float* p) { return load_part(p, 16); }
// Half precision, to nearest even.
inline Floats load_half(const uint16_t* p) {
  return each([=](int i) { return float_of_half(p[i]); });
}
// bfloat16: the upper half of a float32.
inline Floats load_brain(const uint16_t* p) {
  return each([=](int i) { return float_of(static_cast<uint32_t>(p[i]) << 16); });
}
inline void store_part(float* p, const Floats& v, int64_t count) {
  for (int64_t i = 0; i < count; ++i) p[i] = v.lane[i];
}
inline void store(float* p, const Floats& v) { store_part(p, v, 16); }
inline void store_half(uint16_t* p, const Floats& v) {
  for (int i = 0; i < 16; ++i) p[i] = half_of_float(v.lane[i]);
}

inline Floats all(float x) {
  return each([=](int) { return x; });
}
inline Floats zero() { return all(0.0f); }
inline Floats add(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline Floats subtract(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline Floats multiply(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline Floats divide(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] / b.lane[i]; });
}
// a * b + c, rounded once.
inline Floats multiply_add(const Floats& a, const Floats& b, const Floats& c) {
  return each([&](int i) { return fmaf(a.lane[i], b.lane[i], c.lane[i]); });
}
// b where either is NaN.
inline Floats larger(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline Floats smaller(const Floats& a, const Floats& b) {
  return each([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}

// To nearest even. Only meant for what fits.
inline Integers integers(const Floats& v) {
  Integers r;
  for (int i = 0; i < 16; ++i) {
    const bool fits = fabsf(v.lane[i]) < 2147483648.0f;
    r.lane[i] = fits ? static_cast<int32_t>(nearbyintf(v.lane[i])) : INT32_MIN;
  }
  return r;
}
inline Floats floats(const Integers& v) {
  return each([&](int i) { return static_cast<float>(v.lane[i]); });
}
// The bits of |v|: ordered as the magnitudes are, and not below 0x7f800000 for infinities and NaN.
inline Integers magnitude_bits(const Floats& v) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = static_cast<int32_t>(bits_of(v.lane[i]) & 0x7fffffffu);
  return r;
}
inline Integers add(const Integers& a, const Integers& b) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = a.lane[i] + b.lane[i];
  return r;
}
inline Integers larger(const Integers& a, const Integers& b) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
  return r;
}
// 2^v for v in -126..127.
inline Floats power_of_two(const Integers& v) {
  return each([&](int i) { return float_of((static_cast<uint32_t>(v.lane[i]) + 127u) << 23); });
}
// Sixteen signed bytes.
inline Integers load_bytes(const uint8_t* p) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = static_cast<int8_t>(p[i]);
  return r;
}
// The low halves of sixteen bytes, or with `high` the upper ones: 0..15.
template <bool high>
inline Integers load_nibbles(const uint8_t* p) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = high ? p[i] >> 4 : p[i] & 15;
  return r;
}
// Two bits of each of sixteen bytes, `part` 0..3 of them from the lowest: 0..3.
inline Integers load_quarters(const uint8_t* p, int64_t part) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = p[i] >> 2 * part & 3;
  return r;
}
// 16 where a byte has this bit (0..7), else 0.
inline Integers load_fifth(const uint8_t* p, int64_t bit) {
  Integers r;
  for (int i = 0; i < 16; ++i) r.lane[i] = p[i] << 4 >> bit & 16;
  return r;
}
// Only meant for what fits in a byte.
inline void store_bytes(int8_t* p, const Integers& v) {
  for (int i = 0; i < 16; ++i) p[i] = static_cast<int8_t>(v.lane[i]);
}

// Halves are added to halves: 8 + 8 lanes, 4 + 4, 2 + 2, 1 + 1.
inline float sum(Floats v) {
  for (int width = 8; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) v.lane[i] += v.lane[i + width];
  }
  return v.lane[0];
}
// Undefined in the presence of NaN (the callers' results are NaN then anyway).
inline float largest(const Floats& v) {
  float r = v.lane[0];
  for (int i = 1; i < 16; ++i) r = v.lane[i] > r ? v.lane[i] : r;
  return r;
}
inline int32_t largest(const Integers& v) {
  int32_t r = v.lane[0];
  for (int i = 1; i < 16; ++i) r = v.lane[i] > r ? v.lane[i] : r;
  return r;
}
inline int32_t sum(const Integers& v) {
  int32_t r = 0;
  for (int i = 0; i < 16; ++i) r += v.lane[i];
  return r;
}

inline void fetch(const void*) {}

}  // namespace
