// Sixteen floats and sixteen integers in one AVX-512 register each. See vector_scalar.h for what each function means.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace {

using Floats = __m512;
using Integers = __m512i;

inline __mmask16 first(int64_t count) { return static_cast<__mmask16>((1u << count) - 1u); }

inline Floats load(const float* p) { return _mm512_loadu_ps(p); }
inline Floats load_part(const float* p, int64_t count) { return _mm512_maskz_loadu_ps(first(count), p); }
inline Floats load_half(const uint16_t* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline Floats load_brain(const uint16_t* p) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
inline void store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
inline void store_part(float* p, Floats v, int64_t count) { _mm512_mask_storeu_ps(p, first(count), v); }
inline void store_half(uint16_t* p, Floats v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

inline Floats zero() { return _mm512_setzero_ps(); }
inline Floats all(float x) { return _mm512_set1_ps(x); }
inline Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
inline Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
inline Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
inline Floats divide(Floats a, Floats b) { return _mm512_div_ps(a, b); }
inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
inline Floats larger(Floats a, Floats b) { return _mm512_max_ps(a, b); }
inline Floats smaller(Floats a, Floats b) { return _mm512_min_ps(a, b); }

inline Integers integers(Floats v) { return _mm512_cvtps_epi32(v); }
inline Floats floats(Integers v) { return _mm512_cvtepi32_ps(v); }
inline Integers magnitude_bits(Floats v) {
  return _mm512_and_epi32(_mm512_castps_si512(v), _mm512_set1_epi32(0x7fffffff));
}
inline Integers add(Integers a, Integers b) { return _mm512_add_epi32(a, b); }
inline Integers larger(Integers a, Integers b) { return _mm512_max_epi32(a, b); }
inline Floats power_of_two(Integers v) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(127)), 23));
}
inline Integers load_bytes(const uint8_t* p) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
template <bool high>
inline Integers load_nibbles(const uint8_t* p) {
  const Integers bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return high ? _mm512_srli_epi32(bytes, 4) : _mm512_and_epi32(bytes, _mm512_set1_epi32(15));
}
inline Integers load_quarters(const uint8_t* p, int64_t part) {
  const Integers bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return _mm512_and_epi32(_mm512_srl_epi32(bytes, _mm_cvtsi64_si128(2 * part)), _mm512_set1_epi32(3));
}
inline Integers load_fifth(const uint8_t* p, int64_t bit) {
  const Integers bytes =
      _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))), 4);
  return _mm512_and_epi32(_mm512_srl_epi32(bytes, _mm_cvtsi64_si128(bit)), _mm512_set1_epi32(16));
}
inline void store_bytes(int8_t* p, Integers v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(v));
}

inline float sum(Floats v) {
  const __m256 a = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}
inline float largest(Floats v) { return _mm512_reduce_max_ps(v); }
inline int32_t largest(Integers v) { return _mm512_reduce_max_epi32(v); }
inline int32_t sum(Integers v) { return _mm512_reduce_add_epi32(v); }

// To the second-level cache; to the first.
inline void fetch(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1); }
inline void fetch_near(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0); }

}  // namespace
