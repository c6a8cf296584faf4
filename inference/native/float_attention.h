// Attention over keys and values that are kept as floats, and the gate of the feed-forward layer.
//
// A query's scores all stand side by side, their largest is found, and the weighted values are added up over ascending
// positions: what a row gives depends on its own position and nothing else. What lies beyond it is never multiplied.
#pragma once

#include "elementwise.h"
#include "float_matmul.h"

namespace {

constexpr int kFloatValues = kValueTotals < 24 ? 1 : 6;  // queries that share a pass over values, sixteen by four

template <typename Weight>
void keep_floats(const float* head, int64_t size, void* to) {
  for (int64_t d = 0; d < size; d += 16) Weight::write(static_cast<typename Weight::Stored*>(to) + d, load(head + d));
}

void float_keep(int32_t format, const float* head, int64_t size, void* to) {
  if (format == FOREWORD_FLOAT32) return keep_floats<Float32>(head, size, to);
  if (format == FOREWORD_BFLOAT16) return keep_floats<Bfloat16>(head, size, to);
  return keep_floats<Float16>(head, size, to);
}

// scores[0..count) to weights e^(score - largest); their sum.
inline float soften_floats(float* scores, int64_t count) {
  Floats most = all(-INFINITY);
  int64_t whole = 0;
  for (; whole + 16 <= count; whole += 16) most = larger(load(scores + whole), most);
  for (; whole < count; ++whole) most = larger(all(scores[whole]), most);
  const Floats top = all(largest(most));
  Floats total = zero();
  for (int64_t k = 0; k < count; k += 16) {
    const int64_t left = least(16, count - k);
    store_part(scores + k, exponential(subtract(load_part(scores + k, left), top)), left);
    total = add(total, load_part(scores + k, left));
  }
  return sum(total);
}

// out[r] += the sum of weights[r][j] * values[j] for positions j of begin..end, L times sixteen lanes of each.
template <typename Weight, int R, int L>
inline void add_values(const typename Weight::Stored* values, int64_t head_size, const float* const* weights,
                       int64_t begin, int64_t end, float* const* out) {
  Floats total[R][L];
  for (int r = 0; r < R; ++r) {
    for (int i = 0; i < L; ++i) total[r][i] = load(out[r] + 16 * i);
  }
  for (int64_t j = begin; j < end; ++j) {
    Floats value[L];
    for (int i = 0; i < L; ++i) value[i] = Weight::read(values + j * head_size + 16 * i);
    for (int r = 0; r < R; ++r) {
      const Floats weight = all(weights[r][j]);
      for (int i = 0; i < L; ++i) total[r][i] = multiply_add(weight, value[i], total[r][i]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int i = 0; i < L; ++i) store(out[r] + 16 * i, total[r][i]);
  }
}

template <typename Weight, int R>
inline void add_heads(const typename Weight::Stored* values, int64_t head_size, const float* const* weights,
                      int64_t begin, int64_t end, float* const* out) {
  float* at[R];
  int64_t d = 0;
  for (; d + 64 <= head_size; d += 64) {
    for (int r = 0; r < R; ++r) at[r] = out[r] + d;
    add_values<Weight, R, 4>(values + d, head_size, weights, begin, end, at);
  }
  for (; d < head_size; d += 16) {
    for (int r = 0; r < R; ++r) at[r] = out[r] + d;
    add_values<Weight, R, 1>(values + d, head_size, weights, begin, end, at);
  }
}

// Up to kFloatValues queries: what all of them see in one pass, what lies before and after it one by one.
template <typename Weight>
inline void mix_values(const typename Weight::Stored* values, int64_t head_size, const float* const* weights,
                       const Span* seen, int64_t count, float* const* out) {
  Span common = seen[0];
  for (int64_t i = 1; i < count; ++i) {
    if (seen[i].begin > common.begin) common.begin = seen[i].begin;
    if (seen[i].end < common.end) common.end = seen[i].end;
  }
  const bool together = count == kFloatValues && common.begin < common.end;
  if (!together) {
    for (int64_t i = 0; i < count; ++i) {
      add_heads<Weight, 1>(values, head_size, weights + i, seen[i].begin, seen[i].end, out + i);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    add_heads<Weight, 1>(values, head_size, weights + i, seen[i].begin, common.begin, out + i);
  }
  add_heads<Weight, kFloatValues>(values, head_size, weights, common.begin, common.end, out);
  for (int64_t i = 0; i < count; ++i) {
    add_heads<Weight, 1>(values, head_size, weights + i, common.end, seen[i].end, out + i);
  }
}

template <typename Weight>
void attend_floats(const FloatHeads& heads, int64_t head_size, const float* q, const Span* seen, int64_t count,
                   float* scores, int64_t stride, float* out) {
  const auto* keys = static_cast<const typename Weight::Stored*>(heads.keys);
  const auto* values = static_cast<const typename Weight::Stored*>(heads.values);
  Span any = seen[0];
  for (int64_t i = 1; i < count; ++i) {
    if (seen[i].begin < any.begin) any.begin = seen[i].begin;
    if (seen[i].end > any.end) any.end = seen[i].end;
  }
  for (int64_t j = any.begin; j < any.end; j += FOREWORD_OUTPUTS) {
    const int64_t width = least(FOREWORD_OUTPUTS, any.end - j);
    for (int64_t i = 0; i < count; i += kFloatRows) {
      multiply_rows<Weight>(least(kFloatRows, count - i), keys + j * head_size, head_size, q + i * head_size, nullptr,
                            scores + i * stride + (j - any.begin), stride, width);
    }
  }
  for (int64_t k = 0; k < count * head_size; k += 16) store(out + k, zero());
  for (int64_t first = 0; first < count; first += kFloatValues) {
    const int64_t part = least(kFloatValues, count - first);
    const float* weights[kFloatValues];
    float* to[kFloatValues];
    float total[kFloatValues];
    for (int64_t i = 0; i < part; ++i) {
      const Span& own = seen[first + i];
      float* row = scores + (first + i) * stride - any.begin;  // counted by position
      total[i] = soften_floats(row + own.begin, own.end - own.begin);
      weights[i] = row;
      to[i] = out + (first + i) * head_size;
    }
    mix_values<Weight>(values, head_size, weights, seen + first, part, to);
    for (int64_t i = 0; i < part; ++i) {
      for (int64_t d = 0; d < head_size; d += 16) store(to[i] + d, divide(load(to[i] + d), all(total[i])));
    }
  }
}

void float_attend(const FloatHeads& heads, int64_t head_size, const float* q, const Span* seen, int64_t count,
                  float* scores, int64_t stride, float* out) {
  if (heads.format == FOREWORD_FLOAT32) {
    attend_floats<Float32>(heads, head_size, q, seen, count, scores, stride, out);
  } else if (heads.format == FOREWORD_BFLOAT16) {
    attend_floats<Bfloat16>(heads, head_size, q, seen, count, scores, stride, out);
  } else {
    attend_floats<Float16>(heads, head_size, q, seen, count, scores, stride, out);
  }
}

void float_gate(const float* gate, const float* up, int64_t size, int32_t activation, float* out) {
  for (int64_t k = 0; k < size; k += 16) {
    const Floats active = activate(load_some(gate + k, size - k), activation);
    store_part(out + k, multiply(active, load_some(up + k, size - k)), least(16, size - k));
  }
}

}  // namespace
