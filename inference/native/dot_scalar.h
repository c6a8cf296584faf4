// One tile of 16 outputs times R rows: the definition of what the other instruction sets compute.
//
// For every row and output, over the groups in order: the integer dot product of 32 weights and 32 activations, exact;
// total = fma(scale of the weights * scale of the row, dot, total); int4 then adds minimum * sum of the row, rounded
// once. `x` walks a block of `block` rows (ForewordGroup[groups][block]) of which the first R are taken. out: [R][16].
#pragma once

#include "foreword.h"
#include "half.h"
#include "vector_scalar.h"

namespace {

inline uint16_t half_at(const uint8_t* p, int index) {
  return static_cast<uint16_t>(p[2 * index] | (p[2 * index + 1] << 8));
}

template <int R>
void int4_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  for (int i = 0; i < R * 16; ++i) out[i] = 0.0f;
  for (int64_t g = 0; g < groups; ++g, tile += 320, x += block) {
    for (int row = 0; row < R; ++row) {
      for (int c = 0; c < 16; ++c) {
        int32_t dot = 0;
        for (int k = 0; k < 16; ++k) {
          const uint8_t pair = tile[(k / 4) * 64 + c * 4 + k % 4];
          dot += (pair & 15) * x[row].values[k] + (pair >> 4) * x[row].values[k + 16];
        }
        const float scale = float_of_half(half_at(tile + 256, c)) * x[row].scale;
        const float minimum = float_of_half(half_at(tile + 288, c));
        float* total = out + row * 16 + c;
        *total = fmaf(scale, static_cast<float>(dot), *total);
        *total = fmaf(minimum, x[row].sum, *total);
      }
    }
  }
}

template <int R>
void int8_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  for (int i = 0; i < R * 16; ++i) out[i] = 0.0f;
  for (int64_t g = 0; g < groups; ++g, tile += 544, x += block) {
    for (int row = 0; row < R; ++row) {
      for (int c = 0; c < 16; ++c) {
        int32_t dot = 0;
        for (int k = 0; k < 32; ++k) dot += (tile[(k / 4) * 64 + c * 4 + k % 4] - 128) * x[row].values[k];
        const float scale = float_of_half(half_at(tile + 512, c)) * x[row].scale;
        float* total = out + row * 16 + c;
        *total = fmaf(scale, static_cast<float>(dot), *total);
      }
    }
  }
}

}  // namespace
