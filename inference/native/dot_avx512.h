// One tile times R rows with AVX-512 VNNI: vpdpbusd multiplies 16 outputs x 4 unsigned weights by 4 signed activations,
// which it broadcasts from memory itself. Weights are unpacked once for all R rows. Meaning: see dot_scalar.h.
#pragma once

#include "foreword.h"
#include "vector_avx512.h"

namespace {

// A group as the loop wants it: 16 outputs x 4 inputs in each of eight registers, unsigned; the first four may be
// smaller by 2^first_shift.
struct Unpacked {
  __m512i weights[8];
  __m512 scale;
  __m512 second;   // scale of inputs 16..31, where they have their own
  __m512 minimum;  // where there is one
};

inline __m512 halves(const uint8_t* p) { return load_half(reinterpret_cast<const uint16_t*>(p)); }
inline __m512 unsigned_bytes(const uint8_t* p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
inline __m512 signed_bytes(const uint8_t* p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}

inline void unpack_nibbles(const uint8_t* p, __m512i* weights) {
  const __m512i nibble = _mm512_set1_epi8(15);
  for (int j = 0; j < 4; ++j) {
    const __m512i pair = _mm512_loadu_si512(p + 64 * j);
    weights[j] = _mm512_and_si512(pair, nibble);
    weights[j + 4] = _mm512_and_si512(_mm512_srli_epi16(pair, 4), nibble);
  }
}

// Shared: groups with one scale and minimum.
template <int Shared>
struct Int4 {
  static constexpr int bytes = 320, rows_to_fetch = 5;
  static void fetch_line(const uint8_t* p) { fetch_near(p + 6144); }
  static constexpr bool centred = false, two_scales = false, with_minimum = true;
  static constexpr int first_shift = 0;
  explicit Int4(const uint8_t* tile) : at(tile) {}
  void read(int64_t g, Unpacked& to) {
    if (g % Shared == 0) {
      scale = halves(at);
      minimum = halves(at + 32);
      at += 64;
    }
    unpack_nibbles(at, to.weights);
    to.scale = scale;
    to.minimum = minimum;
    at += 256;
  }
  const uint8_t* at;
  __m512 scale, minimum;
};

struct Int8 {
  static constexpr int bytes = 544, rows_to_fetch = 3;
  static void fetch_line(const uint8_t* p) { fetch(p + 12288); }
  static constexpr bool centred = true, two_scales = false, with_minimum = false;
  static constexpr int first_shift = 0;
  explicit Int8(const uint8_t* tile) : at(tile) {}
  void read(int64_t, Unpacked& to) {
    for (int j = 0; j < 8; ++j) to.weights[j] = _mm512_loadu_si512(at + 64 * j);
    to.scale = halves(at + 512);
    at += 544;
  }
  const uint8_t* at;
};

struct Int5 {
  static constexpr int bytes = 352, rows_to_fetch = 5;
  static void fetch_line(const uint8_t* p) { fetch_near(p + 6144); }
  static constexpr bool centred = true, two_scales = false, with_minimum = false;
  static constexpr int first_shift = 3;
  explicit Int5(const uint8_t* tile) : at(tile) {}
  void read(int64_t, Unpacked& to) {
    const __m512i fifth = _mm512_set1_epi8(24), four = _mm512_set1_epi8(15);
    const __m512i bits = _mm512_loadu_si512(at + 288);
    const __m512i shifted[4] = {_mm512_slli_epi16(bits, 3), _mm512_slli_epi16(bits, 1), _mm512_srli_epi16(bits, 1),
                                _mm512_srli_epi16(bits, 3)};
    for (int j = 0; j < 4; ++j) {
      const __m512i pair = _mm512_loadu_si512(at + 32 + 64 * j), both = _mm512_and_si512(shifted[j], fifth);
      to.weights[j] = _mm512_ternarylogic_epi32(four, pair, both, 0xca);      // four ? pair : both
      to.weights[j + 4] = _mm512_ternarylogic_epi32(four, both, pair, 0xca);  // four ? both : pair
    }
    to.scale = _mm512_mul_ps(halves(at), _mm512_set1_ps(0.125f));
    at += 352;
  }
  const uint8_t* at;
};

struct Int4K {
  static constexpr int bytes = 288, rows_to_fetch = 5;
  static void fetch_line(const uint8_t* p) { fetch_near(p + 6144); }
  static constexpr bool centred = false, two_scales = false, with_minimum = true;
  static constexpr int first_shift = 0;
  explicit Int4K(const uint8_t* tile) : block(tile - 2368) {}
  void read(int64_t g, Unpacked& to) {
    const int64_t i = g % 8;
    if (i == 0) {
      block += 2368;
      scale = halves(block);
      minimum = halves(block + 32);
    }
    at = block + 64 + 288 * i;
    unpack_nibbles(at, to.weights);
    to.scale = _mm512_mul_ps(scale, unsigned_bytes(at + 256));
    to.minimum = _mm512_mul_ps(minimum, unsigned_bytes(at + 272));
  }
  const uint8_t *block, *at = nullptr;
  __m512 scale, minimum;
};

struct Int6 {
  static constexpr int bytes = 416, rows_to_fetch = 5;
  static void fetch_line(const uint8_t* p) { fetch_near(p + 6144); }
  static constexpr bool centred = true, two_scales = true, with_minimum = false;
  static constexpr int first_shift = 0;
  explicit Int6(const uint8_t* tile) : block(tile - 3392) {}
  void read(int64_t g, Unpacked& to) {
    const __m512i high = _mm512_set1_epi8(static_cast<char>(0xf0));
    const __m512i low = _mm512_set1_epi8(12);
    const int64_t i = g % 8;
    if (i == 0) {
      block += 3392;
      scale = _mm512_mul_ps(halves(block), _mm512_set1_ps(0.25f));
    }
    at = block + 64 + 416 * i;
    for (int j = 0; j < 4; ++j) {
      const __m512i pair = _mm512_loadu_si512(at + 64 * j);
      to.weights[j] = _mm512_and_si512(_mm512_slli_epi16(pair, 4), high);
      to.weights[j + 4] = _mm512_and_si512(pair, high);
    }
    for (int half = 0; half < 2; ++half) {
      const __m512i bits = _mm512_loadu_si512(at + 256 + 64 * half);
      const __m512i shifted[4] = {_mm512_slli_epi16(bits, 2), bits, _mm512_srli_epi16(bits, 2),
                                  _mm512_srli_epi16(bits, 4)};
      for (int j = 0; j < 4; ++j) {  // weights | (shifted & low)
        __m512i& weights = to.weights[4 * half + j];
        weights = _mm512_ternarylogic_epi32(weights, shifted[j], low, 0xf8);
      }
    }
    to.scale = _mm512_mul_ps(scale, signed_bytes(at + 384));
    to.second = _mm512_mul_ps(scale, signed_bytes(at + 400));
  }
  const uint8_t *block, *at = nullptr;
  __m512 scale;
};

inline __m512i quad(const ForewordGroup& x, int j) {
  int32_t four;
  __builtin_memcpy(&four, x.values + 4 * j, 4);
  return _mm512_set1_epi32(four);
}

template <typename Format, int R>
inline void multiply_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out,
                          int64_t fetching) {
  // On a Zen 4 one row reads as fast as memory gives, and fetching by hand only disturbs the hardware; where many rows
  // keep the multipliers busy, the hardware falls behind (up to 1.6 times faster). A Xeon's falls behind with one row,
  // too, so whoever has a model asks the machine.
  const bool fetches = R >= (fetching > 0 ? fetching : Format::rows_to_fetch);
  Format format(tile);
  __m512 total[R];
  for (int r = 0; r < R; ++r) total[r] = _mm512_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, x += block) {
    Unpacked w;
    format.read(g, w);
    if (fetches) {
      for (int i = 0; i < Format::bytes; i += 64) Format::fetch_line(format.at + i);
    }
    for (int r = 0; r < R; ++r) {
      const bool centred = Format::centred;
      const __m512i correction = centred ? _mm512_set1_epi32(x[r].corrections[0]) : _mm512_setzero_si512();
      __m512i first = Format::first_shift > 0 ? _mm512_setzero_si512() : correction;
      __m512i last = centred ? _mm512_set1_epi32(x[r].corrections[1]) : _mm512_setzero_si512();
      for (int j = 0; j < 4; ++j) {
        first = _mm512_dpbusd_epi32(first, w.weights[j], quad(x[r], j));
        last = _mm512_dpbusd_epi32(last, w.weights[j + 4], quad(x[r], j + 4));
      }
      if constexpr (Format::first_shift > 0) {
        first = _mm512_add_epi32(_mm512_slli_epi32(first, Format::first_shift), correction);
      }
      const __m512 scale = _mm512_mul_ps(w.scale, _mm512_set1_ps(x[r].scale));
      if constexpr (Format::two_scales) {
        const __m512 second = _mm512_mul_ps(w.second, _mm512_set1_ps(x[r].scale));
        total[r] = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(first), total[r]);
        total[r] = _mm512_fmadd_ps(second, _mm512_cvtepi32_ps(last), total[r]);
      } else {
        const __m512i dot = _mm512_add_epi32(first, last);
        total[r] = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(dot), total[r]);
      }
      if constexpr (Format::with_minimum) total[r] = _mm512_fmadd_ps(w.minimum, _mm512_set1_ps(x[r].sum), total[r]);
    }
  }
  for (int r = 0; r < R; ++r) _mm512_storeu_ps(out + 16 * r, total[r]);
}

}  // namespace
