// One tile times R rows with AVX2, eight outputs at a time. Meaning: see dot_scalar.h.
//
// vpmaddubsw adds two products of an unsigned and a signed byte in 16 bits and saturates, so nothing may reach that:
// every format says how many such sums (at most 15, 31, 63 or 127 times 127, twice) fit before they are widened. int8
// takes magnitudes on the unsigned side and moves the weight's sign to the activation.
#pragma once

#include "foreword.h"
#include "vector_avx2.h"

namespace {

constexpr int kBytesAhead = 6144;  // bytes that are fetched before their turn

inline __m256i bytes_at(const uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline __m256 eight_halves(const uint8_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m256 eight_unsigned(const uint8_t* p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
inline __m256 eight_signed(const uint8_t* p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
// Nibbles of eight outputs, inputs 4j.. or 16 + 4j..; `half` of the tile.
inline __m256i nibbles(const uint8_t* plane, int half, int last, int j) {
  const __m256i pair = bytes_at(plane + 64 * j + 32 * half);
  return _mm256_and_si256(last ? _mm256_srli_epi16(pair, 4) : pair, _mm256_set1_epi8(15));
}

// Shared: groups with one scale and minimum.
template <int Shared>
struct Int4 {
  static constexpr bool centred = false, two_scales = false, with_minimum = true;
  static constexpr int bytes = 320, sums = 4, shift = 0;
  Int4(const uint8_t* tile, int half) : tile(tile), half(half) {}
  void seek(int64_t g) {
    block = tile + g / Shared * (64 + 256 * Shared);
    at = block + 64 + 256 * (g % Shared);
  }
  __m256i weights(int last, int j) const { return nibbles(at, half, last, j); }
  static __m256i products(__m256i w, __m256i x) { return _mm256_maddubs_epi16(w, x); }
  __m256 scale(int) const { return eight_halves(block + 16 * half); }
  __m256 minimum() const { return eight_halves(block + 32 + 16 * half); }
  const uint8_t *tile, *block = nullptr, *at = nullptr;
  int half;
};

struct Int8 {
  static constexpr bool centred = false, two_scales = false, with_minimum = false;
  static constexpr int bytes = 544, sums = 1, shift = 0;
  Int8(const uint8_t* tile, int half) : tile(tile), half(half) {}
  void seek(int64_t g) { at = tile + 544 * g; }
  __m256i weights(int last, int j) const {
    return _mm256_xor_si256(bytes_at(at + 256 * last + 64 * j + 32 * half), _mm256_set1_epi8(-128));
  }
  static __m256i products(__m256i w, __m256i x) {
    return _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(x, w));
  }
  __m256 scale(int) const { return eight_halves(at + 512 + 16 * half); }
  const uint8_t *tile, *at = nullptr;
  int half;
};

struct Int5 {
  static constexpr bool centred = true, two_scales = false, with_minimum = false;
  static constexpr int bytes = 352, sums = 4, shift = 3;
  Int5(const uint8_t* tile, int half) : tile(tile), half(half) {}
  void seek(int64_t g) { at = tile + 352 * g; }
  __m256i weights(int last, int j) const {
    const __m256i pair = bytes_at(at + 32 + 64 * j + 32 * half);
    const __m256i bits = _mm256_srli_epi16(bytes_at(at + 288 + 32 * half), 2 * j);
    const __m256i four = _mm256_and_si256(last ? _mm256_srli_epi16(pair, 3) : pair, _mm256_set1_epi8(last ? 30 : 15));
    const __m256i fifth = _mm256_and_si256(last ? bits : _mm256_slli_epi16(bits, 3), _mm256_set1_epi8(last ? 1 : 16));
    return _mm256_or_si256(four, fifth);
  }
  static __m256i products(__m256i w, __m256i x) { return _mm256_maddubs_epi16(w, x); }
  __m256 scale(int) const { return _mm256_mul_ps(eight_halves(at + 16 * half), _mm256_set1_ps(0.125f)); }
  const uint8_t *tile, *at = nullptr;
  int half;
};

struct Int4K {
  static constexpr bool centred = false, two_scales = false, with_minimum = true;
  static constexpr int bytes = 288, sums = 4, shift = 0;
  Int4K(const uint8_t* tile, int half) : tile(tile), half(half) {}
  void seek(int64_t g) {
    block = tile + g / 8 * 2368;
    at = block + 64 + 288 * (g % 8);
  }
  __m256i weights(int last, int j) const { return nibbles(at, half, last, j); }
  static __m256i products(__m256i w, __m256i x) { return _mm256_maddubs_epi16(w, x); }
  __m256 scale(int) const {
    return _mm256_mul_ps(eight_halves(block + 16 * half), eight_unsigned(at + 256 + 8 * half));
  }
  __m256 minimum() const {
    return _mm256_mul_ps(eight_halves(block + 32 + 16 * half), eight_unsigned(at + 272 + 8 * half));
  }
  const uint8_t *tile, *block = nullptr, *at = nullptr;
  int half;
};

struct Int6 {
  static constexpr bool centred = true, two_scales = true, with_minimum = false;
  static constexpr int bytes = 416, sums = 2, shift = 2;
  Int6(const uint8_t* tile, int half) : tile(tile), half(half) {}
  void seek(int64_t g) {
    block = tile + g / 8 * 3392;
    at = block + 64 + 416 * (g % 8);
  }
  __m256i weights(int last, int j) const {
    const __m256i high = _mm256_slli_epi16(nibbles(at, half, last, j), 2);
    const __m256i bits = bytes_at(at + 256 + 64 * last + 32 * half);
    return _mm256_or_si256(high, _mm256_and_si256(_mm256_srli_epi16(bits, 2 * j), _mm256_set1_epi8(3)));
  }
  static __m256i products(__m256i w, __m256i x) { return _mm256_maddubs_epi16(w, x); }
  __m256 scale(int last) const {
    const __m256 quarter = _mm256_mul_ps(eight_halves(block + 16 * half), _mm256_set1_ps(0.25f));
    return _mm256_mul_ps(quarter, eight_signed(at + 384 + 16 * last + 8 * half));
  }
  const uint8_t *tile, *block = nullptr, *at = nullptr;
  int half;
};

inline __m256i quad(const ForewordGroup& x, int j) {
  int32_t four;
  __builtin_memcpy(&four, x.values + 4 * j, 4);
  return _mm256_set1_epi32(four);
}

template <typename Format, int R>
inline void multiply_half_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, int half,
                               float* out, bool fetches) {
  const __m256i ones = _mm256_set1_epi16(1);
  Format format(tile, half);
  __m256 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm256_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, x += block) {
    format.seek(g);
    if (fetches) {
      for (int i = 0; i < Format::bytes; i += 64) fetch_near(format.at + i + kBytesAhead);
    }
    __m256i dot[R];
    for (int last = 0; last < 2; ++last) {
      if (last == 0 || Format::two_scales) {
        for (int r = 0; r < R; ++r) dot[r] = _mm256_setzero_si256();
      }
      __m256i sum[R];
      for (int j = 0; j < 4; ++j) {
        const __m256i w = format.weights(last, j);
        for (int r = 0; r < R; ++r) {
          const __m256i products = Format::products(w, quad(x[r], 4 * last + j));
          sum[r] = j % Format::sums == 0 ? products : _mm256_add_epi16(sum[r], products);
          if (j % Format::sums == Format::sums - 1) {
            dot[r] = _mm256_add_epi32(dot[r], _mm256_madd_epi16(sum[r], ones));
          }
        }
      }
      if (last == 0 && !Format::two_scales) continue;
      const __m256 scale = format.scale(last);
      for (int r = 0; r < R; ++r) {
        __m256i whole = _mm256_slli_epi32(dot[r], Format::shift);
        if (Format::centred) {
          const int32_t other = Format::two_scales ? 0 : x[r].corrections[0];
          whole = _mm256_add_epi32(whole, _mm256_set1_epi32(x[r].corrections[last] + other));
        }
        const __m256 both = _mm256_mul_ps(scale, _mm256_set1_ps(x[r].scale));
        total[r] = _mm256_fmadd_ps(both, _mm256_cvtepi32_ps(whole), total[r]);
      }
    }
    if constexpr (Format::with_minimum) {
      const __m256 minimum = format.minimum();
      for (int r = 0; r < R; ++r) total[r] = _mm256_fmadd_ps(minimum, _mm256_set1_ps(x[r].sum), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm256_storeu_ps(out + 16 * r + 8 * half, total[r]);
}

// Sixteen registers hold the totals, sums and dots of four rows beside the weights.
template <typename Format, int R>
inline void multiply_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out,
                          int64_t fetching) {
  constexpr int part = R < 4 ? R : 4;
  const bool fetches = fetching > 0 && R >= fetching;  // see dot_avx512.h
  for (int half = 0; half < 2; ++half) {
    multiply_half_tile<Format, part>(tile, groups, x, block, half, out, fetches && half == 0);
    if constexpr (R > 4) multiply_half_tile<Format, R - 4>(tile, groups, x + 4, block, half, out + 64, false);
  }
}

}  // namespace
