// IEEE half precision by bit arithmetic, for code that must run without conversion instructions.
#pragma once

#include <stdint.h>

namespace {

inline float float_of_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t exponent = (half >> 10) & 31u;
  uint32_t fraction = half & 0x3ffu;
  union {
    uint32_t u;
    float f;
  } both;
  if (exponent == 31) {
    both.u = sign | 0x7f800000u | (fraction << 13) | (fraction ? 0x400000u : 0u);
  } else if (exponent != 0) {
    both.u = sign | ((exponent + 112) << 23) | (fraction << 13);
  } else {
    both.f = static_cast<float>(fraction) * 0x1p-24f;
    both.u |= sign;
  }
  return both.f;
}

inline uint16_t half_of_float(float value) {
  union {
    float f;
    uint32_t u;
  } both;
  both.f = value;
  const uint32_t sign = (both.u >> 16) & 0x8000u;
  const uint32_t magnitude = both.u & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);  // NaN, made quiet
  } else if (magnitude >= 0x47800000u) {
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {
    const uint32_t rebiased = magnitude - (112u << 23);
    half = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;  // may carry into infinity, as it should
  } else {
    both.u = magnitude;
    both.f += 0.5f;  // aligns the fraction to 2^-24 and rounds to nearest even
    half = both.u - 0x3f000000u;
  }
  return static_cast<uint16_t>(sign | half);
}

}  // namespace
