// One tile times R rows with AVX-512 VNNI: vpdpbusd multiplies 16 outputs x 4 unsigned weights by 4 signed activations,
// which it broadcasts from memory itself. Weights are unpacked once for all R rows. Meaning: see dot_scalar.h.
#pragma once

#include "foreword.h"
#include "vector_avx512.h"

namespace {

inline __m512i quad(const ForewordGroup& x, int j) {
  int32_t four;
  __builtin_memcpy(&four, x.values + 4 * j, 4);
  return _mm512_set1_epi32(four);
}

template <int R>
inline void int4_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  constexpr int64_t ahead = 2560;
  const __m512i nibble = _mm512_set1_epi8(15);
  __m512 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm512_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, tile += 320, x += block) {
    __m512i low[4], high[4];
    for (int j = 0; j < 4; ++j) {
      fetch(tile + ahead + 64 * j);
      const __m512i pair = _mm512_loadu_si512(tile + 64 * j);
      low[j] = _mm512_and_si512(pair, nibble);
      high[j] = _mm512_and_si512(_mm512_srli_epi16(pair, 4), nibble);
    }
    fetch(tile + ahead + 256);
    const __m512 scale = load_half(reinterpret_cast<const uint16_t*>(tile + 256));
    const __m512 minimum = load_half(reinterpret_cast<const uint16_t*>(tile + 288));
    for (int r = 0; r < R; ++r) {
      __m512i dot = _mm512_setzero_si512();
      for (int j = 0; j < 4; ++j) dot = _mm512_dpbusd_epi32(dot, low[j], quad(x[r], j));
      for (int j = 0; j < 4; ++j) dot = _mm512_dpbusd_epi32(dot, high[j], quad(x[r], j + 4));
      const __m512 both = _mm512_mul_ps(scale, _mm512_set1_ps(x[r].scale));
      total[r] = _mm512_fmadd_ps(both, _mm512_cvtepi32_ps(dot), total[r]);
      total[r] = _mm512_fmadd_ps(minimum, _mm512_set1_ps(x[r].sum), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm512_storeu_ps(out + 16 * r, total[r]);
}

template <int R>
inline void int8_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  constexpr int64_t ahead = 4352;
  __m512 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm512_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, tile += 544, x += block) {
    __m512i weights[8];
    for (int j = 0; j < 8; ++j) {
      fetch(tile + ahead + 64 * j);
      weights[j] = _mm512_loadu_si512(tile + 64 * j);
    }
    fetch(tile + ahead + 512);
    const __m512 scale = load_half(reinterpret_cast<const uint16_t*>(tile + 512));
    for (int r = 0; r < R; ++r) {
      __m512i dot = _mm512_set1_epi32(x[r].correction);
      for (int j = 0; j < 8; ++j) dot = _mm512_dpbusd_epi32(dot, weights[j], quad(x[r], j));
      const __m512 both = _mm512_mul_ps(scale, _mm512_set1_ps(x[r].scale));
      total[r] = _mm512_fmadd_ps(both, _mm512_cvtepi32_ps(dot), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm512_storeu_ps(out + 16 * r, total[r]);
}

}  // namespace
