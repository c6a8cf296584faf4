// Products of packed matrices with quantized rows. A tile of weights is unpacked once for up to eight rows and stays in
// the nearest cache while the blocks of rows pass, so one loop serves decoding and prefill and gives both the same
// bits.
#pragma once

#include "kernels.h"

namespace {

template <typename Format>
inline void tile_rows(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t count, float* out) {
  const int64_t fetching = fetch_from();
  switch (count) {
    case 1:
      return multiply_tile<Format, 1>(tile, groups, x, 1, out, fetching);
    case 2:
      return multiply_tile<Format, 2>(tile, groups, x, 2, out, fetching);
    case 3:
      return multiply_tile<Format, 3>(tile, groups, x, 3, out, fetching);
    case 4:
      return multiply_tile<Format, 4>(tile, groups, x, 4, out, fetching);
    case 5:
      return multiply_tile<Format, 5>(tile, groups, x, 5, out, fetching);
    case 6:
      return multiply_tile<Format, 6>(tile, groups, x, 6, out, fetching);
    case 7:
      return multiply_tile<Format, 7>(tile, groups, x, 7, out, fetching);
    default:
      return multiply_tile<Format, 8>(tile, groups, x, 8, out, fetching);
  }
}

// One tile times a block of 1..8 rows; out [count][16].
inline void tile_block(const ForewordMatrix& matrix, int64_t tile, const ForewordGroup* x, int64_t count, float* out) {
  const int64_t groups = groups_of(matrix.inputs);
  const uint8_t* at = matrix.data + tile * tile_bytes(matrix.inputs, matrix.format);
  switch (matrix.format) {
    case FOREWORD_INT4:
      return tile_rows<Int4<1>>(at, groups, x, count, out);
    case FOREWORD_INT4_64:
      return tile_rows<Int4<2>>(at, groups, x, count, out);
    case FOREWORD_INT4_128:
      return tile_rows<Int4<4>>(at, groups, x, count, out);
    case FOREWORD_INT8:
      return tile_rows<Int8>(at, groups, x, count, out);
    case FOREWORD_INT5:
      return tile_rows<Int5>(at, groups, x, count, out);
    case FOREWORD_INT4K:
      return tile_rows<Int4K>(at, groups, x, count, out);
    default:
      return tile_rows<Int6>(at, groups, x, count, out);
  }
}

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
