// Rotary positions, the write of keys and values, and attention page by page.
//
// A page of 256 positions is taken in one go: all scores, their largest, the weights, the weighted sum of values. Pages
// are then merged in order (online softmax, Milakov and Gimelshein 2018, arXiv 1805.02867). Borders of pages are fixed
// positions of the text, every sum runs over ascending positions, and so a row's result does not depend on how many
// rows or threads there are. What lies beyond a row's own positions is never multiplied, be it another text's NaN.
#pragma once

#include <math.h>

#include "cached.h"
#include "elementwise.h"
#include "kernels.h"

namespace {

constexpr int kTogether = 8;  // query vectors that share a pass over the keys
constexpr int kFew = 6;       // up to so many, memory is what takes time: it is asked for ahead,
constexpr int kAhead = 8192;  // by so many bytes

void rotate(const ForewordAttention& a, const float* weight, float scale, int64_t position, float* head) {
  if (weight) norm(head, weight, a.epsilon, a.head_size, head);
  const int64_t half = a.head_size / 2;
  const Floats by = all(scale);
  for (int64_t i = 0; i < half; i += 16) {
    const int64_t count = half - i < 16 ? half - i : 16;
    Floats low = load_some(head + i, half - i);
    Floats high = load_some(head + half + i, half - i);
    if (a.cosines) {
      const Floats cosine = load_some(a.cosines + position * half + i, half - i);
      const Floats sine = load_some(a.sines + position * half + i, half - i);
      const Floats turned = subtract(multiply(low, cosine), multiply(high, sine));
      high = multiply_add(high, cosine, multiply(low, sine));
      low = turned;
    }
    store_part(head + i, multiply(low, by), count);
    store_part(head + half + i, multiply(high, by), count);
  }
}

void keep(const ForewordAttention& a, const float* key, const float* value, int64_t position, HeadPage page) {
  const int64_t at = position % FOREWORD_PAGE;
  switch (page.bits) {
    case 2:
      return Few<2>::keep(key, value, a.head_size, at, page);
    case 4:
      return Few<4>::keep(key, value, a.head_size, at, page);
    case 8:
      return Bytes::keep(key, value, a.head_size, at, page);
    default:
      return Halves::keep(key, value, a.head_size, at, page);
  }
}

// Scores of M queries against B blocks of 16 keys: few queries take two blocks, lest each sum wait for the one before.
template <typename Key, int M, int B>
inline void score_blocks(const ForewordAttention& a, const HeadPage& page, int64_t first, const Query* queries,
                         float (*scores)[FOREWORD_PAGE]) {
  Key keys[2] = {{page, a, first / kBlock}, {page, a, first / kBlock + B - 1}};
  const int64_t half = a.head_size / 2;
  Floats total[B][M];
  for (int b = 0; b < B; ++b) {
    for (int m = 0; m < M; ++m) total[b][m] = zero();
  }
  for (int64_t start = 0; start < half; start += 8) {
    for (int b = 0; b < B; ++b) keys[b].open(start);
    for (int64_t p = start; p < start + 8; ++p) {
      for (int b = 0; b < B; ++b) {
        if (M <= kFew) fetch(static_cast<const uint8_t*>(keys[b].where(p)) + kAhead);
        Floats one, other;
        keys[b].read(p, &one, &other);
        for (int m = 0; m < M; ++m) {
          total[b][m] = multiply_add(all(queries[m].q[Key::first(p, half)]), one, total[b][m]);
          total[b][m] = multiply_add(all(queries[m].q[Key::second(p, half)]), other, total[b][m]);
        }
      }
    }
  }
  for (int b = 0; b < B; ++b) {
    for (int m = 0; m < M; ++m) store(scores[m] + first + 16 * b, total[b][m]);
  }
}

template <typename Key, int M>
inline void score_keys(const ForewordAttention& a, const HeadPage& page, const Query* queries, int64_t begin,
                       int64_t end, float (*scores)[FOREWORD_PAGE]) {
  constexpr int together = M > 4 ? 1 : 2;
  int64_t first = begin;
  for (; first + 16 * (together - 1) < end; first += 16 * together) {
    score_blocks<Key, M, together>(a, page, first, queries, scores);
  }
  if (first < end) score_blocks<Key, M, 1>(a, page, first, queries, scores);
}

// Scores become weights relative to the largest.
inline void soften(Query& query, float* scores) {
  const int64_t begin = query.begin / 16 * 16;
  const int64_t end = (query.end + 15) / 16 * 16;
  for (int64_t k = begin; k < query.begin; ++k) scores[k] = -INFINITY;
  for (int64_t k = query.end; k < end; ++k) scores[k] = -INFINITY;
  Floats most = all(-INFINITY);
  for (int64_t k = begin; k < end; k += 16) most = larger(load(scores + k), most);
  query.out.largest = largest(most);
  const Floats top = all(query.out.largest);
  for (int64_t k = begin; k < end; k += 16) store(scores + k, exponential(subtract(load(scores + k), top)));
  for (int64_t k = begin; k < query.begin; ++k) scores[k] = 0.0f;
  for (int64_t k = query.end; k < end; ++k) scores[k] = 0.0f;
  Floats weight = zero();
  for (int64_t k = begin; k < end; k += 16) weight = add(weight, load(scores + k));
  query.out.weight = sum(weight);
}

template <typename Format, int M, int W>
inline void add_values(int64_t head_size, const HeadPage& page, const Query* queries,
                       const float (*weights)[FOREWORD_PAGE], int64_t begin, int64_t end, int64_t d) {
  Floats total[M][W];
  for (int m = 0; m < M; ++m) {
    for (int w = 0; w < W; ++w) total[m][w] = load(queries[m].out.values + d + 16 * w);
  }
  for (int64_t k = begin; k < end; ++k) {
    const typename Format::Value row(page, head_size, k);
    Floats value[W];
    for (int w = 0; w < W; ++w) {
      if (M <= kFew && w % 2 == 0) fetch(row.where(d + 16 * w) + kAhead);
      value[w] = row.at(d + 16 * w);
    }
    for (int m = 0; m < M; ++m) {
      const Floats weight = all(weights[m][k]);
      for (int w = 0; w < W; ++w) total[m][w] = multiply_add(weight, value[w], total[m][w]);
    }
  }
  for (int m = 0; m < M; ++m) {
    for (int w = 0; w < W; ++w) store(queries[m].out.values + d + 16 * w, total[m][w]);
  }
}

template <typename Format, int M>
inline void add_all_values(int64_t head_size, const HeadPage& page, const Query* queries,
                           const float (*weights)[FOREWORD_PAGE], int64_t begin, int64_t end) {
  if (begin >= end) return;
  int64_t d = 0;
  constexpr int width = kValueTotals / M > 4 ? 4 : kValueTotals / M > 1 ? kValueTotals / M : 1;
  for (; d + 16 * width <= head_size; d += 16 * width) {
    add_values<Format, M, width>(head_size, page, queries, weights, begin, end, d);
  }
  for (; d < head_size; d += 16) add_values<Format, M, 1>(head_size, page, queries, weights, begin, end, d);
}

// What all M queries see they share; what only some see comes before or after it, in order.
template <typename Format, int M>
inline void gather(int64_t head_size, const HeadPage& page, const Query* queries,
                   const float (*weights)[FOREWORD_PAGE]) {
  int64_t begin = queries[0].begin;
  int64_t end = queries[0].end;
  for (int m = 1; m < M; ++m) {
    begin = queries[m].begin > begin ? queries[m].begin : begin;
    end = queries[m].end < end ? queries[m].end : end;
  }
  if (begin >= end) {
    for (int m = 0; m < M; ++m) {
      add_all_values<Format, 1>(head_size, page, queries + m, weights + m, queries[m].begin, queries[m].end);
    }
    return;
  }
  for (int m = 0; m < M; ++m) {
    add_all_values<Format, 1>(head_size, page, queries + m, weights + m, queries[m].begin, begin);
  }
  add_all_values<Format, M>(head_size, page, queries, weights, begin, end);
  for (int m = 0; m < M; ++m) {
    add_all_values<Format, 1>(head_size, page, queries + m, weights + m, end, queries[m].end);
  }
}

template <typename Format, int M>
inline void attend_together(const ForewordAttention& a, const HeadPage& page, Query* queries,
                            float (*scores)[FOREWORD_PAGE]) {
  int64_t begin = queries[0].begin;
  int64_t end = queries[0].end;
  for (int m = 1; m < M; ++m) {
    begin = queries[m].begin < begin ? queries[m].begin : begin;
    end = queries[m].end > end ? queries[m].end : end;
  }
  score_keys<typename Format::Key, M>(a, page, queries, begin / 16 * 16, end, scores);
  for (int m = 0; m < M; ++m) {
    soften(queries[m], scores[m]);
    for (int64_t d = 0; d < a.head_size; d += 16) store(queries[m].out.values + d, zero());
  }
  constexpr int part = M > kValueTotals ? kValueTotals : M;
  gather<Format, part>(a.head_size, page, queries, scores);
  if constexpr (M > part) gather<Format, M - part>(a.head_size, page, queries + part, scores + part);
}

template <typename Format>
void attend_in(const ForewordAttention& a, const HeadPage& page, Query* queries, int64_t count) {
  float scores[kTogether][FOREWORD_PAGE];
  for (int64_t parts = (count + kTogether - 1) / kTogether; parts > 0; --parts) {
    const int64_t together = (count + parts - 1) / parts;  // 18 as 6, 6, 6 and not as 8, 8, 2
    switch (together) {
      case 1:
        attend_together<Format, 1>(a, page, queries, scores);
        break;
      case 2:
        attend_together<Format, 2>(a, page, queries, scores);
        break;
      case 3:
        attend_together<Format, 3>(a, page, queries, scores);
        break;
      case 4:
        attend_together<Format, 4>(a, page, queries, scores);
        break;
      case 5:
        attend_together<Format, 5>(a, page, queries, scores);
        break;
      case 6:
        attend_together<Format, 6>(a, page, queries, scores);
        break;
      case 7:
        attend_together<Format, 7>(a, page, queries, scores);
        break;
      default:
        attend_together<Format, 8>(a, page, queries, scores);
        break;
    }
    queries += together;
    count -= together;
  }
}

// Every query must see at least one position of the page.
void attend(const ForewordAttention& a, HeadPage page, Query* queries, int64_t count) {
  switch (page.bits) {
    case 2:
      return attend_in<Few<2>>(a, page, queries, count);
    case 4:
      return attend_in<Few<4>>(a, page, queries, count);
    case 8:
      return attend_in<Bytes>(a, page, queries, count);
    default:
      return attend_in<Halves>(a, page, queries, count);
  }
}

void merge(int64_t head_size, Partial& total, const Partial& next) {
  const float most = total.largest > next.largest ? total.largest : next.largest;
  const Floats old_part = exponential(all(total.largest - most));
  const Floats new_part = exponential(all(next.largest - most));
  float lanes[16];
  store(lanes, multiply_add(all(total.weight), old_part, multiply(all(next.weight), new_part)));
  total.largest = most;
  total.weight = lanes[0];
  for (int64_t d = 0; d < head_size; d += 16) {
    const Floats added = multiply(load(next.values + d), new_part);
    store(total.values + d, multiply_add(load(total.values + d), old_part, added));
  }
}

void finish(int64_t head_size, int64_t bits, const Partial& total, float* out) {
  const Floats weight = all(total.weight);
  for (int64_t d = 0; d < head_size; d += 16) store(out + d, divide(load(total.values + d), weight));
  if (bits == 2) mix(out, head_size);
}

}  // namespace
