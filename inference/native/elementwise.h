// What stands between the matrix products: quantization, norms, activations, embedding rows. Written once over sixteen
// lanes, compiled for each instruction set, the same bits from all of them.
#pragma once

#include <math.h>

#include "kernels.h"
#include "packed.h"

namespace {

// e^x within 2 units in the last place for x in -87..88; beyond, the value at the border (NaN stays NaN).
// x = n ln 2 + r, |r| <= ln 2 / 2; e^r by its series, the next term of which is below 6e-9.
inline Floats exponential(Floats x) {
  x = smaller(all(88.0f), larger(all(-87.0f), x));
  const Integers whole = integers(multiply(x, all(1.44269504f)));
  const Floats n = floats(whole);
  Floats r = multiply_add(n, all(-0.693145752f), x);
  r = multiply_add(n, all(-1.42860682e-6f), r);
  Floats y = all(1.0f / 5040.0f);
  y = multiply_add(y, r, all(1.0f / 720.0f));
  y = multiply_add(y, r, all(1.0f / 120.0f));
  y = multiply_add(y, r, all(1.0f / 24.0f));
  y = multiply_add(y, r, all(1.0f / 6.0f));
  y = multiply_add(y, r, all(0.5f));
  y = multiply_add(y, r, all(1.0f));
  y = multiply_add(y, r, all(1.0f));
  return multiply(y, power_of_two(whole));
}

// x sigmoid(x), or the tanh form of GELU, which is x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)).
inline Floats activate(Floats x, int32_t activation) {
  Floats inner = x;
  if (activation == FOREWORD_GELU_TANH) {
    const Floats cube = multiply(multiply(x, x), multiply(x, all(0.044715f)));
    inner = multiply(all(1.595769122f), add(x, cube));
  }
  // below -100 the exponential stands still, and so must x, or the quotient would grow again
  return divide(larger(all(-100.0f), x), add(all(1.0f), exponential(subtract(zero(), inner))));
}

// 32 values to int8. Scales too small to invert are zeros; NaN and infinities make the scale NaN.
inline void quantize_group(Floats low, Floats high, ForewordGroup* out) {
  const int32_t bits = largest(larger(magnitude_bits(low), magnitude_bits(high)));
  float magnitude;
  __builtin_memcpy(&magnitude, &bits, sizeof magnitude);
  const bool finite = bits < 0x7f800000;
  const bool tiny = magnitude < 1e-30f;
  const Floats inverse = all(finite && !tiny ? 127.0f / magnitude : 0.0f);
  const Integers first = finite ? integers(multiply(low, inverse)) : integers(zero());
  const Integers second = finite ? integers(multiply(high, inverse)) : integers(zero());
  store_bytes(out->values, first);
  store_bytes(out->values + 16, second);
  const int32_t sums[] = {sum(first), sum(second)};
  out->scale = !finite ? NAN : tiny ? 0.0f : magnitude / 127.0f;
  out->sum = out->scale * static_cast<float>(sums[0] + sums[1]);
  out->corrections[0] = -128 * sums[0];
  out->corrections[1] = -128 * sums[1];
}

inline Floats load_some(const float* p, int64_t left) {
  return left >= 16 ? load(p) : left > 0 ? load_part(p, left) : zero();
}

void quantize(const float* x, int64_t rows, int64_t inputs, int64_t begin, int64_t end, ForewordGroup* out) {
  const int64_t groups = groups_of(inputs);
  for (int64_t row = begin; row < end; ++row) {
    const GroupRow to = group_row(out, rows, groups, row);
    const float* from = x + row * inputs;
    for (int64_t g = 0; g < groups; ++g) {
      const int64_t k = g * FOREWORD_GROUP;
      quantize_group(load_some(from + k, inputs - k), load_some(from + k + 16, inputs - k - 16),
                     to.first + g * to.step);
    }
  }
}

inline float inverse_norm(const float* x, float epsilon, int64_t size) {
  Floats even = zero();
  Floats odd = zero();
  for (int64_t k = 0; k < size; k += 32) {
    const Floats a = load_some(x + k, size - k);
    const Floats b = load_some(x + k + 16, size - k - 16);
    even = multiply_add(a, a, even);
    odd = multiply_add(b, b, odd);
  }
  return 1.0f / sqrtf(sum(add(even, odd)) / static_cast<float>(size) + epsilon);
}

// out = x / sqrt(mean(x^2) + epsilon) * weight
void norm(const float* x, const float* weight, float epsilon, int64_t size, float* out) {
  const Floats inverse = all(inverse_norm(x, epsilon, size));
  for (int64_t k = 0; k < size; k += 16) {
    const Floats y = multiply(multiply(load_some(x + k, size - k), inverse), load_some(weight + k, size - k));
    store_part(out + k, y, size - k < 16 ? size - k : 16);
  }
}

// out += norm(x), for models that norm a layer's result before it joins the residual.
void norm_add(const float* x, const float* weight, float epsilon, int64_t size, float* out) {
  const Floats inverse = all(inverse_norm(x, epsilon, size));
  for (int64_t k = 0; k < size; k += 16) {
    const Floats y = multiply(multiply(load_some(x + k, size - k), inverse), load_some(weight + k, size - k));
    store_part(out + k, add(load_some(out + k, size - k), y), size - k < 16 ? size - k : 16);
  }
}

void norm_quantize(const float* x, const float* weight, float epsilon, int64_t rows, int64_t size, int64_t begin,
                   int64_t end, ForewordGroup* out) {
  const int64_t groups = groups_of(size);
  for (int64_t row = begin; row < end; ++row) {
    const float* from = x + row * size;
    const Floats inverse = all(inverse_norm(from, epsilon, size));
    const GroupRow to = group_row(out, rows, groups, row);
    for (int64_t g = 0; g < groups; ++g) {
      const int64_t k = g * FOREWORD_GROUP;
      Floats half[2];
      for (int i = 0; i < 2; ++i) {
        const int64_t at = k + 16 * i;
        half[i] = multiply(multiply(load_some(from + at, size - at), inverse), load_some(weight + at, size - at));
      }
      quantize_group(half[0], half[1], to.first + g * to.step);
    }
  }
}

template <typename Format>
inline void embed_row(const uint8_t* tile, int64_t groups, int64_t c, int64_t inputs, float scale, float* out) {
  for (int64_t g = 0; g < groups; ++g) {
    const Packed w = Format::read(tile, g, c);
    const int64_t k = g * FOREWORD_GROUP;
    for (int64_t i = 0; i < FOREWORD_GROUP && k + i < inputs; ++i) {
      const float step = i < 16 ? w.scale : w.second;
      out[k + i] = (static_cast<float>(w.weights[i]) * step + w.minimum) * scale;
    }
  }
}

// Row `token` of a packed table.
void embed(const ForewordMatrix& table, int32_t token, float scale, float* out) {
  const int64_t groups = groups_of(table.inputs);
  const uint8_t* tile = table.data + token / FOREWORD_TILE * tile_bytes(table.inputs, table.format);
  const int64_t c = token % FOREWORD_TILE;
  switch (table.format) {
    case FOREWORD_INT4:
      return embed_row<ScalarInt4<1>>(tile, groups, c, table.inputs, scale, out);
    case FOREWORD_INT4_64:
      return embed_row<ScalarInt4<2>>(tile, groups, c, table.inputs, scale, out);
    case FOREWORD_INT4_128:
      return embed_row<ScalarInt4<4>>(tile, groups, c, table.inputs, scale, out);
    case FOREWORD_INT8:
      return embed_row<ScalarInt8>(tile, groups, c, table.inputs, scale, out);
    case FOREWORD_INT5:
      return embed_row<ScalarInt5>(tile, groups, c, table.inputs, scale, out);
    case FOREWORD_INT4K:
      return embed_row<ScalarInt4K>(tile, groups, c, table.inputs, scale, out);
    default:
      return embed_row<ScalarInt6>(tile, groups, c, table.inputs, scale, out);
  }
}

int32_t argmax(const float* x, int64_t size) {
  // Which 4096 values hold the largest, lane-wise; then where in them. NaN never wins a comparison.
  int64_t where = -1;
  float best = -INFINITY;
  for (int64_t begin = 0; begin < size; begin += 4096) {
    const int64_t end = begin + 4096 < size ? begin + 4096 : size;
    Floats most = all(-INFINITY);
    int64_t k = begin;
    for (; k + 16 <= end; k += 16) most = larger(load(x + k), most);
    float lanes[16];
    store(lanes, most);
    float block = lanes[0];
    for (int i = 1; i < 16; ++i) block = lanes[i] > block ? lanes[i] : block;
    for (; k < end; ++k) block = x[k] > block ? x[k] : block;
    if (where < 0 || block > best) {
      for (k = begin; k < end; ++k) {
        if (x[k] == block) {
          where = k;
          best = block;
          break;
        }
      }
    }
  }
  return static_cast<int32_t>(where);
}

// 1 / sum of e^(x - largest): what softmax(x) gives to the largest value.
float share(const float* x, int64_t size, float largest) {
  const Floats top = all(largest);
  Floats total = zero();
  int64_t k = 0;
  for (; k + 16 <= size; k += 16) total = add(total, exponential(subtract(load(x + k), top)));
  if (k < size) {
    float rest[16];
    for (int64_t i = 0; i < 16; ++i) rest[i] = k + i < size ? x[k + i] : -INFINITY;
    total = add(total, exponential(subtract(load(rest), top)));
  }
  return 1.0f / sum(total);
}

}  // namespace
