// Products of packed matrices with quantized rows. A tile of weights is unpacked once for up to eight rows and stays in
// the nearest cache while the blocks of rows pass, so one loop serves decoding and prefill and gives both the same
// bits.
#pragma once

#include "kernels.h"

namespace {

template <int R>
inline void one_tile(int32_t format, const uint8_t* tile, int64_t groups, const ForewordGroup* x, float* out) {
  if (format == FOREWORD_INT4) {
    int4_tile<R>(tile, groups, x, R, out);
  } else {
    int8_tile<R>(tile, groups, x, R, out);
  }
}

// One tile times a block of 1..8 rows; out [count][16].
inline void tile_block(const ForewordMatrix& matrix, int64_t tile, const ForewordGroup* x, int64_t count, float* out) {
  const int64_t groups = groups_of(matrix.inputs);
  const uint8_t* at = matrix.data + tile * tile_bytes(matrix.inputs, matrix.format);
  switch (count) {
    case 1:
      return one_tile<1>(matrix.format, at, groups, x, out);
    case 2:
      return one_tile<2>(matrix.format, at, groups, x, out);
    case 3:
      return one_tile<3>(matrix.format, at, groups, x, out);
    case 4:
      return one_tile<4>(matrix.format, at, groups, x, out);
    case 5:
      return one_tile<5>(matrix.format, at, groups, x, out);
    case 6:
      return one_tile<6>(matrix.format, at, groups, x, out);
    case 7:
      return one_tile<7>(matrix.format, at, groups, x, out);
    default:
      return one_tile<8>(matrix.format, at, groups, x, out);
  }
}

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void matmul(const ForewordMatrix& matrix, const ForewordGroup* x, int64_t rows, int64_t begin, int64_t end, float* out,
            int64_t stride, bool accumulate) {
  const int64_t groups = groups_of(matrix.inputs);
  float block[kBlockRows * FOREWORD_TILE];
  for (int64_t tile = begin; tile < end; ++tile) {
    const int64_t channel = tile * FOREWORD_TILE;
    const int64_t width = least(FOREWORD_TILE, matrix.outputs - channel);
    const Floats bias = matrix.bias ? load_part(matrix.bias + channel, width) : zero();
    for (int64_t row = 0; row < rows; row += kBlockRows) {
      const int64_t count = least(kBlockRows, rows - row);
      tile_block(matrix, tile, x + row * groups, count, block);
      for (int64_t r = 0; r < count; ++r) {
        float* to = out + (row + r) * stride + channel;
        Floats y = load(block + r * FOREWORD_TILE);
        if (matrix.bias) y = add(y, bias);
        if (accumulate) y = add(load_part(to, width), y);
        store_part(to, y, width);
      }
    }
  }
}

void gate_up(const ForewordMatrix& gate, const ForewordMatrix& up, const ForewordGroup* x, int64_t rows,
             int32_t activation, int64_t begin, int64_t end, ForewordGroup* out) {
  const int64_t groups = groups_of(gate.inputs);
  const int64_t tiles = tiles_of(gate.outputs);
  const int64_t out_groups = groups_of(gate.outputs);
  float gates[kBlockRows * FOREWORD_TILE];
  float ups[kBlockRows * FOREWORD_TILE];
  float products[2][kBlockRows * FOREWORD_TILE];
  for (int64_t g = begin; g < end; ++g) {
    for (int64_t row = 0; row < rows; row += kBlockRows) {
      const int64_t count = least(kBlockRows, rows - row);
      for (int half = 0; half < 2; ++half) {
        const int64_t tile = 2 * g + half;
        if (tile < tiles) {
          tile_block(gate, tile, x + row * groups, count, gates);
          tile_block(up, tile, x + row * groups, count, ups);
        }
        for (int64_t r = 0; r < count; ++r) {
          const int64_t at = r * FOREWORD_TILE;
          // what pads the last tile must not weigh on the scale of its group
          const int64_t width = least(FOREWORD_TILE, gate.outputs - tile * FOREWORD_TILE);
          const Floats gated = activate(load_some(gates + at, width), activation);
          store(products[half] + at, multiply(gated, load_some(ups + at, width)));
        }
      }
      for (int64_t r = 0; r < count; ++r) {
        const int64_t at = r * FOREWORD_TILE;
        const GroupRow to = group_row(out, rows, out_groups, row + r);
        quantize_group(load(products[0] + at), load(products[1] + at), to.first + g * to.step);
      }
    }
  }
}

}  // namespace
