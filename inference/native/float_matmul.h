// Products of float matrices with float32 rows. Every sum of an output and a row runs over the inputs in steps of
// sixteen lanes, then over the lanes, and ends in one float: how many rows and outputs are computed side by side only
// decides what is read how often, and never a bit.
#pragma once

#include <string.h>

#include "kernels.h"

namespace {

// Sixteen floats of one type, read exactly and written to the nearest (even).
struct Float32 {
  using Stored = float;
  static Floats read(const float* p) { return load(p); }
  static void write(float* p, Floats v) { store(p, v); }
};
struct Bfloat16 {
  using Stored = uint16_t;
  static Floats read(const uint16_t* p) { return load_brain(p); }
  static void write(uint16_t* p, Floats v) {
    float lanes[16];
    store(lanes, v);
    for (int i = 0; i < 16; ++i) {
      uint32_t bits;
      memcpy(&bits, lanes + i, sizeof bits);
      const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
      p[i] = static_cast<uint16_t>(nan ? 0x7fc0u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
    }
  }
};
struct Float16 {
  using Stored = uint16_t;
  static Floats read(const uint16_t* p) { return load_half(p); }
  static void write(uint16_t* p, Floats v) { store_half(p, v); }
};
template <typename Weight>
inline Floats read_part(const typename Weight::Stored* p, int64_t count) {
  typename Weight::Stored lanes[16] = {};
  memcpy(lanes, p, static_cast<size_t>(count) * sizeof lanes[0]);
  return Weight::read(lanes);
}

constexpr int kFloatRows = kValueTotals < 24 ? kValueTotals / 2 : 6;  // side by side, as registers allow
constexpr int64_t kFloatChunk = 96;                                   // rows that stay in the second-level cache
constexpr int outputs_together(int rows) { return rows * 4 <= kValueTotals ? 4 : rows * 2 <= kValueTotals ? 2 : 1; }

// R rows times C outputs; weights and x are the first of each. out [R][stride].
template <typename Weight, int R, int C>
inline void multiply_floats(const typename Weight::Stored* weights, int64_t inputs, const float* x, const float* bias,
                            float* out, int64_t stride) {
  Floats total[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) total[r][c] = zero();
  }
  int64_t k = 0;
  for (; k + 16 <= inputs; k += 16) {
    Floats w[C];
    for (int c = 0; c < C; ++c) {
      w[c] = Weight::read(weights + c * inputs + k);
      fetch(weights + (c + FOREWORD_OUTPUTS) * inputs + k);  // the outputs that come next
    }
    for (int r = 0; r < R; ++r) {
      const Floats values = load(x + r * inputs + k);
      for (int c = 0; c < C; ++c) total[r][c] = multiply_add(w[c], values, total[r][c]);
    }
  }
  if (k < inputs) {
    const int64_t rest = inputs - k;
    for (int c = 0; c < C; ++c) {
      const Floats w = read_part<Weight>(weights + c * inputs + k, rest);
      for (int r = 0; r < R; ++r) {
        total[r][c] = multiply_add(w, load_part(x + r * inputs + k, rest), total[r][c]);
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) out[r * stride + c] = bias ? sum(total[r][c]) + bias[c] : sum(total[r][c]);
  }
}

// R rows times `count` outputs, at most FOREWORD_OUTPUTS.
template <typename Weight, int R>
inline void multiply_outputs(const typename Weight::Stored* weights, int64_t inputs, const float* x, const float* bias,
                             float* out, int64_t stride, int64_t count) {
  constexpr int together = outputs_together(R);
  int64_t c = 0;
  for (; c + together <= count; c += together) {
    multiply_floats<Weight, R, together>(weights + c * inputs, inputs, x, bias ? bias + c : nullptr, out + c, stride);
  }
  for (; c < count; ++c) {
    multiply_floats<Weight, R, 1>(weights + c * inputs, inputs, x, bias ? bias + c : nullptr, out + c, stride);
  }
}

template <typename Weight>
inline void multiply_rows(int64_t rows, const typename Weight::Stored* weights, int64_t inputs, const float* x,
                          const float* bias, float* out, int64_t stride, int64_t count) {
  switch (rows) {
    case 1:
      return multiply_outputs<Weight, 1>(weights, inputs, x, bias, out, stride, count);
    case 2:
      return multiply_outputs<Weight, 2>(weights, inputs, x, bias, out, stride, count);
    default:
      break;
  }
  if constexpr (kFloatRows > 2) {
    if (rows == 3) return multiply_outputs<Weight, 3>(weights, inputs, x, bias, out, stride, count);
  }
  if constexpr (kFloatRows > 3) {
    if (rows == 4) return multiply_outputs<Weight, 4>(weights, inputs, x, bias, out, stride, count);
    if (rows == 5) return multiply_outputs<Weight, 5>(weights, inputs, x, bias, out, stride, count);
    return multiply_outputs<Weight, 6>(weights, inputs, x, bias, out, stride, count);
  }
}

template <typename Weight>
void float_product(const ForewordMatrix& matrix, const float* x, int64_t rows, int64_t begin, int64_t end, float* out) {
  const auto* weights = reinterpret_cast<const typename Weight::Stored*>(matrix.data);
  const int64_t inputs = matrix.inputs;
  for (int64_t chunk = 0; chunk < rows; chunk += kFloatChunk) {
    const int64_t chunk_end = least(chunk + kFloatChunk, rows);
    for (int64_t part = begin; part < end; ++part) {
      const int64_t output = part * FOREWORD_OUTPUTS;
      const int64_t count = least(FOREWORD_OUTPUTS, matrix.outputs - output);
      const float* bias = matrix.bias ? matrix.bias + output : nullptr;
      for (int64_t row = chunk; row < chunk_end;) {
        const int64_t left = chunk_end - row;
        const int64_t blocks = (left + kFloatRows - 1) / kFloatRows;
        const int64_t together = (left + blocks - 1) / blocks;  // 8 as 4 + 4, not 6 + 2
        multiply_rows<Weight>(together, weights + output * inputs, inputs, x + row * inputs, bias,
                              out + row * matrix.outputs + output, matrix.outputs, count);
        row += together;
      }
    }
  }
}

void float_matmul(const ForewordMatrix& matrix, const float* x, int64_t rows, int64_t begin, int64_t end, float* out) {
  switch (matrix.format) {
    case FOREWORD_FLOAT32:
      return float_product<Float32>(matrix, x, rows, begin, end, out);
    case FOREWORD_BFLOAT16:
      return float_product<Bfloat16>(matrix, x, rows, begin, end, out);
    default:
      return float_product<Float16>(matrix, x, rows, begin, end, out);
  }
}

}  // namespace
