// The formats of packed matrices, one weight at a time, without any special instruction. foreword.h draws them.
#pragma once

#include <stdint.h>

#include "half.h"

namespace {

// 32 weights of one output: w = scale * weights + minimum; inputs 16..31 of int6 have the second scale.
struct Packed {
  int32_t weights[32];
  float scale, second, minimum;
};

inline float half_at(const uint8_t* p, int64_t index) {
  return float_of_half(static_cast<uint16_t>(p[2 * index] | (p[2 * index + 1] << 8)));
}

// Byte [j][c][i] of a plane holds input 4j + i of output c in its low nibble, input 16 + 4j + i in its high one.
inline void read_nibbles(const uint8_t* plane, int64_t c, int32_t* weights) {
  for (int k = 0; k < 16; ++k) {
    const uint8_t pair = plane[(k / 4) * 64 + c * 4 + k % 4];
    weights[k] = pair & 15;
    weights[k + 16] = pair >> 4;
  }
}

template <int Shared>
struct ScalarInt4 {
  static constexpr bool two_scales = false, with_minimum = true;
  static Packed read(const uint8_t* tile, int64_t g, int64_t c) {
    const uint8_t* block = tile + g / Shared * (64 + 256 * Shared);
    Packed w;
    read_nibbles(block + 64 + 256 * (g % Shared), c, w.weights);
    w.scale = w.second = half_at(block, c);
    w.minimum = half_at(block + 32, c);
    return w;
  }
};

struct ScalarInt8 {
  static constexpr bool two_scales = false, with_minimum = false;
  static Packed read(const uint8_t* tile, int64_t g, int64_t c) {
    const uint8_t* at = tile + g * 544;
    Packed w;
    for (int k = 0; k < 32; ++k) w.weights[k] = at[(k / 4) * 64 + c * 4 + k % 4] - 128;
    w.scale = w.second = half_at(at + 512, c);
    w.minimum = 0.0f;
    return w;
  }
};

// Eight times the weight, with an eighth of the scale: so the five bits stand where a byte multiplies best.
struct ScalarInt5 {
  static constexpr bool two_scales = false, with_minimum = false;
  static Packed read(const uint8_t* tile, int64_t g, int64_t c) {
    const uint8_t* at = tile + g * 352;
    Packed w;
    read_nibbles(at + 32, c, w.weights);
    for (int k = 0; k < 16; ++k) {
      const int32_t bits = at[288 + c * 4 + k % 4] >> (2 * (k / 4)) & 3;
      w.weights[k] = 8 * w.weights[k] + 128 * (bits >> 1) - 128;
      w.weights[k + 16] = 16 * w.weights[k + 16] + 8 * (bits & 1) - 128;
    }
    w.scale = w.second = half_at(at, c) * 0.125f;
    w.minimum = 0.0f;
    return w;
  }
};

struct ScalarInt4K {
  static constexpr bool two_scales = false, with_minimum = true;
  static Packed read(const uint8_t* tile, int64_t g, int64_t c) {
    const uint8_t* block = tile + g / 8 * 2368;
    const uint8_t* at = block + 64 + 288 * (g % 8);
    Packed w;
    read_nibbles(at, c, w.weights);
    w.scale = w.second = half_at(block, c) * static_cast<float>(at[256 + c]);
    w.minimum = half_at(block + 32, c) * static_cast<float>(at[272 + c]);
    return w;
  }
};

// Four times the weight, with a quarter of the scale: so the six bits stand where a byte multiplies best.
struct ScalarInt6 {
  static constexpr bool two_scales = true, with_minimum = false;
  static Packed read(const uint8_t* tile, int64_t g, int64_t c) {
    const uint8_t* block = tile + g / 8 * 3392;
    const uint8_t* plane = block + 64 + 416 * (g % 8);
    Packed w;
    read_nibbles(plane, c, w.weights);
    for (int k = 0; k < 32; ++k) {
      const int64_t bits = plane[256 + k / 16 * 64 + c * 4 + k % 4] >> (k % 16 / 4 * 2) & 3;
      w.weights[k] = 16 * w.weights[k] + 4 * static_cast<int32_t>(bits) - 128;
    }
    const float scale = half_at(block, c) * 0.25f;
    w.scale = scale * static_cast<float>(static_cast<int8_t>(plane[384 + c]));
    w.second = scale * static_cast<float>(static_cast<int8_t>(plane[400 + c]));
    w.minimum = 0.0f;
    return w;
  }
};

}  // namespace
