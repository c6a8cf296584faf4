// One tile times R rows with AVX2, eight outputs at a time. Meaning: see dot_scalar.h.
//
// vpmaddubsw saturates at 16 bits, so nothing may reach that: int4 sums 16 products of at most 15 * 127 (30,480), int8
// takes magnitudes (at most 127) on the unsigned side and moves the weight's sign to the activation: 2 * 127 * 127.
#pragma once

#include "foreword.h"
#include "vector_avx2.h"

namespace {

inline __m256i quad(const ForewordGroup& x, int j) {
  int32_t four;
  __builtin_memcpy(&four, x.values + 4 * j, 4);
  return _mm256_set1_epi32(four);
}
inline __m256 eight_halves(const uint8_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

template <int R>
inline void int4_half_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, int half,
                           float* out) {
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i ones = _mm256_set1_epi16(1);
  __m256 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm256_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, tile += 320, x += block) {
    __m256i dot[R];
    for (int r = 0; r < R; ++r) dot[r] = _mm256_setzero_si256();
    for (int j = 0; j < 4; ++j) {
      const __m256i pair = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tile + 64 * j + 32 * half));
      const __m256i low = _mm256_and_si256(pair, nibble);
      const __m256i high = _mm256_and_si256(_mm256_srli_epi16(pair, 4), nibble);
      for (int r = 0; r < R; ++r) {
        dot[r] = _mm256_add_epi16(dot[r], _mm256_maddubs_epi16(low, quad(x[r], j)));
        dot[r] = _mm256_add_epi16(dot[r], _mm256_maddubs_epi16(high, quad(x[r], j + 4)));
      }
    }
    const __m256 scale = eight_halves(tile + 256 + 16 * half);
    const __m256 minimum = eight_halves(tile + 288 + 16 * half);
    for (int r = 0; r < R; ++r) {
      const __m256 both = _mm256_mul_ps(scale, _mm256_set1_ps(x[r].scale));
      total[r] = _mm256_fmadd_ps(both, _mm256_cvtepi32_ps(_mm256_madd_epi16(dot[r], ones)), total[r]);
      total[r] = _mm256_fmadd_ps(minimum, _mm256_set1_ps(x[r].sum), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm256_storeu_ps(out + 16 * r + 8 * half, total[r]);
}

template <int R>
inline void int8_half_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, int half,
                           float* out) {
  const __m256i offset = _mm256_set1_epi8(-128);
  const __m256i ones = _mm256_set1_epi16(1);
  __m256 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm256_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, tile += 544, x += block) {
    __m256i dot[R];
    for (int r = 0; r < R; ++r) dot[r] = _mm256_setzero_si256();
    for (int j = 0; j < 8; ++j) {
      const __m256i stored = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tile + 64 * j + 32 * half));
      const __m256i weight = _mm256_xor_si256(stored, offset);
      const __m256i magnitude = _mm256_abs_epi8(weight);
      for (int r = 0; r < R; ++r) {
        const __m256i products = _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(quad(x[r], j), weight));
        dot[r] = _mm256_add_epi32(dot[r], _mm256_madd_epi16(products, ones));
      }
    }
    const __m256 scale = eight_halves(tile + 512 + 16 * half);
    for (int r = 0; r < R; ++r) {
      const __m256 both = _mm256_mul_ps(scale, _mm256_set1_ps(x[r].scale));
      total[r] = _mm256_fmadd_ps(both, _mm256_cvtepi32_ps(dot[r]), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm256_storeu_ps(out + 16 * r + 8 * half, total[r]);
}

// Sixteen registers hold the totals and dots of four rows beside the weights.
template <int R>
inline void int4_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  constexpr int part = R < 4 ? R : 4;
  for (int half = 0; half < 2; ++half) {
    int4_half_tile<part>(tile, groups, x, block, half, out);
    if constexpr (R > 4) int4_half_tile<R - 4>(tile, groups, x + 4, block, half, out + 64);
  }
}

template <int R>
inline void int8_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  constexpr int part = R < 4 ? R : 4;
  for (int half = 0; half < 2; ++half) {
    int8_half_tile<part>(tile, groups, x, block, half, out);
    if constexpr (R > 4) int8_half_tile<R - 4>(tile, groups, x + 4, block, half, out + 64);
  }
}

}  // namespace
