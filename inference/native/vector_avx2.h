// Sixteen floats and sixteen integers in two AVX2 registers each. See vector_scalar.h for what each function means.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace {

struct Floats {
  __m256 low, high;
};
struct Integers {
  __m256i low, high;
};

inline __m256i first_eight(int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

inline Floats load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline Floats load_part(const float* p, int64_t count) {
  return {_mm256_maskload_ps(p, first_eight(count)), _mm256_maskload_ps(p + 8, first_eight(count - 8))};
}
inline Floats load_half(const uint16_t* p) {
  return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))),
          _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8)))};
}
inline __m256 load_eight_brain(const uint16_t* p) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
inline Floats load_brain(const uint16_t* p) { return {load_eight_brain(p), load_eight_brain(p + 8)}; }
inline void store(float* p, Floats v) {
  _mm256_storeu_ps(p, v.low);
  _mm256_storeu_ps(p + 8, v.high);
}
inline void store_part(float* p, Floats v, int64_t count) {
  _mm256_maskstore_ps(p, first_eight(count), v.low);
  _mm256_maskstore_ps(p + 8, first_eight(count - 8), v.high);
}
inline void store_half(uint16_t* p, Floats v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v.low, _MM_FROUND_TO_NEAREST_INT));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 8), _mm256_cvtps_ph(v.high, _MM_FROUND_TO_NEAREST_INT));
}

inline Floats zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
inline Floats all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline Floats add(Floats a, Floats b) { return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)}; }
inline Floats subtract(Floats a, Floats b) { return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)}; }
inline Floats multiply(Floats a, Floats b) { return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)}; }
inline Floats divide(Floats a, Floats b) { return {_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)}; }
inline Floats multiply_add(Floats a, Floats b, Floats c) {
  return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}
inline Floats larger(Floats a, Floats b) { return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)}; }
inline Floats smaller(Floats a, Floats b) { return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)}; }

inline Integers integers(Floats v) { return {_mm256_cvtps_epi32(v.low), _mm256_cvtps_epi32(v.high)}; }
inline Floats floats(Integers v) { return {_mm256_cvtepi32_ps(v.low), _mm256_cvtepi32_ps(v.high)}; }
inline Integers magnitude_bits(Floats v) {
  const __m256i mask = _mm256_set1_epi32(0x7fffffff);
  return {_mm256_and_si256(_mm256_castps_si256(v.low), mask), _mm256_and_si256(_mm256_castps_si256(v.high), mask)};
}
inline Integers add(Integers a, Integers b) {
  return {_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}
inline Integers larger(Integers a, Integers b) {
  return {_mm256_max_epi32(a.low, b.low), _mm256_max_epi32(a.high, b.high)};
}
inline Floats power_of_two(Integers v) {
  const __m256i bias = _mm256_set1_epi32(127);
  return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(v.low, bias), 23)),
          _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(v.high, bias), 23))};
}
inline Integers load_bytes(const uint8_t* p) {
  return {_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))),
          _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + 8)))};
}
template <bool high>
inline __m256i load_eight_nibbles(const uint8_t* p) {
  const __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  return high ? _mm256_srli_epi32(bytes, 4) : _mm256_and_si256(bytes, _mm256_set1_epi32(15));
}
template <bool high>
inline Integers load_nibbles(const uint8_t* p) {
  return {load_eight_nibbles<high>(p), load_eight_nibbles<high>(p + 8)};
}
inline __m256i load_eight_quarters(const uint8_t* p, int64_t part) {
  const __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  return _mm256_and_si256(_mm256_srl_epi32(bytes, _mm_cvtsi64_si128(2 * part)), _mm256_set1_epi32(3));
}
inline Integers load_quarters(const uint8_t* p, int64_t part) {
  return {load_eight_quarters(p, part), load_eight_quarters(p + 8, part)};
}
inline __m256i load_eight_fifth(const uint8_t* p, int64_t bit) {
  const __m256i bytes =
      _mm256_slli_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))), 4);
  return _mm256_and_si256(_mm256_srl_epi32(bytes, _mm_cvtsi64_si128(bit)), _mm256_set1_epi32(16));
}
inline Integers load_fifth(const uint8_t* p, int64_t bit) {
  return {load_eight_fifth(p, bit), load_eight_fifth(p + 8, bit)};
}
inline void store_bytes(int8_t* p, Integers v) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(v.low, v.high), 0xd8);
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes);
}

inline float sum(Floats v) {
  const __m256 a = _mm256_add_ps(v.low, v.high);
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}
inline float largest(Floats v) {
  const __m256 a = _mm256_max_ps(v.low, v.high);
  const __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_max_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_max_ss(c, _mm_shuffle_ps(c, c, 1)));
}
inline int32_t largest(Integers v) {
  const __m256i a = _mm256_max_epi32(v.low, v.high);
  const __m128i b = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  const __m128i c = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0x4e));
  return _mm_cvtsi128_si32(_mm_max_epi32(c, _mm_shuffle_epi32(c, 0xb1)));
}
inline int32_t sum(Integers v) {
  const __m256i a = _mm256_add_epi32(v.low, v.high);
  const __m128i b = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  const __m128i c = _mm_add_epi32(b, _mm_shuffle_epi32(b, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(c, _mm_shuffle_epi32(c, 0xb1)));
}

inline void fetch(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1); }
inline void fetch_near(const void* p) { _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0); }

}  // namespace
