// One tile of 16 outputs times R rows: the definition of what the other instruction sets compute.
//
// For every row and output, over the groups in order: the dot product of 32 integer weights and 32 integer activations,
// exact; total = fma(scale of the weights * scale of the row, dot, total). Formats with a minimum then add
// minimum * sum of the row, rounded once; int6 takes its two halves one after the other, each with its own scale.
// `x` walks a block of `block` rows (ForewordGroup[groups][block]) of which the first R are taken. out: [R][16].
#pragma once

#include <math.h>

#include "foreword.h"
#include "packed.h"

namespace {

template <int Shared>
using Int4 = ScalarInt4<Shared>;
using Int8 = ScalarInt8;
using Int5 = ScalarInt5;
using Int4K = ScalarInt4K;
using Int6 = ScalarInt6;

template <typename Format, int R>
void multiply_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out, int64_t) {
  for (int i = 0; i < R * 16; ++i) out[i] = 0.0f;
  for (int64_t g = 0; g < groups; ++g, x += block) {
    for (int c = 0; c < 16; ++c) {
      const Packed w = Format::read(tile, g, c);
      for (int row = 0; row < R; ++row) {
        float* total = out + row * 16 + c;
        int32_t first = 0, last = 0;
        for (int k = 0; k < 16; ++k) {
          first += w.weights[k] * x[row].values[k];
          last += w.weights[k + 16] * x[row].values[k + 16];
        }
        if (Format::two_scales) {
          *total = fmaf(w.scale * x[row].scale, static_cast<float>(first), *total);
          *total = fmaf(w.second * x[row].scale, static_cast<float>(last), *total);
        } else {
          *total = fmaf(w.scale * x[row].scale, static_cast<float>(first + last), *total);
        }
        if (Format::with_minimum) *total = fmaf(w.minimum, x[row].sum, *total);
      }
    }
  }
}

}  // namespace
