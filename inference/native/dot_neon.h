// One tile times R rows with the NEON dot product: a register holds 4 outputs x 4 weights. Meaning: see dot_scalar.h.
#pragma once

#include "foreword.h"
#include "vector_neon.h"

namespace {

// A group of four outputs: 4 outputs x 4 inputs in each of eight registers, signed.
struct Unpacked {
  int8x16_t weights[8];
  float32x4_t scale, second, minimum;
};

inline float32x4_t four_halves(const uint8_t* p) { return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(p))); }
inline float32x4_t four_unsigned(const uint8_t* p) {
  const float values[4] = {float(p[0]), float(p[1]), float(p[2]), float(p[3])};
  return vld1q_f32(values);
}
inline float32x4_t four_signed(const uint8_t* p) {
  const float values[4] = {float(int8_t(p[0])), float(int8_t(p[1])), float(int8_t(p[2])), float(int8_t(p[3]))};
  return vld1q_f32(values);
}

inline void unpack_nibbles(const uint8_t* plane, int quarter, int8x16_t* weights) {
  for (int j = 0; j < 4; ++j) {
    const uint8x16_t pair = vld1q_u8(plane + 64 * j + 16 * quarter);
    weights[j] = vreinterpretq_s8_u8(vandq_u8(pair, vdupq_n_u8(15)));
    weights[j + 4] = vreinterpretq_s8_u8(vshrq_n_u8(pair, 4));
  }
}

// Shared: groups with one scale and minimum.
template <int Shared>
struct Int4 {
  static constexpr bool two_scales = false, with_minimum = true;
  static void read(const uint8_t* tile, int64_t g, int quarter, Unpacked& to) {
    const uint8_t* block = tile + g / Shared * (64 + 256 * Shared);
    unpack_nibbles(block + 64 + 256 * (g % Shared), quarter, to.weights);
    to.scale = four_halves(block + 8 * quarter);
    to.minimum = four_halves(block + 32 + 8 * quarter);
  }
};

struct Int8 {
  static constexpr bool two_scales = false, with_minimum = false;
  static void read(const uint8_t* tile, int64_t g, int quarter, Unpacked& to) {
    const uint8_t* at = tile + 544 * g;
    for (int j = 0; j < 8; ++j) {
      to.weights[j] = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(at + 64 * j + 16 * quarter), vdupq_n_u8(128)));
    }
    to.scale = four_halves(at + 512 + 8 * quarter);
  }
};

struct Int5 {
  static constexpr bool two_scales = false, with_minimum = false;
  static void read(const uint8_t* tile, int64_t g, int quarter, Unpacked& to) {
    const uint8_t* at = tile + 352 * g;
    unpack_nibbles(at + 32, quarter, to.weights);
    uint8x16_t bits = vld1q_u8(at + 288 + 16 * quarter);
    for (int j = 0; j < 4; ++j, bits = vshrq_n_u8(bits, 2)) {
      int8x16_t &first = to.weights[j], &last = to.weights[j + 4];
      const uint8x16_t high = vshlq_n_u8(vshrq_n_u8(bits, 1), 7), low = vshlq_n_u8(vandq_u8(bits, vdupq_n_u8(1)), 3);
      const uint8x16_t eights = vorrq_u8(vshlq_n_u8(vreinterpretq_u8_s8(first), 3), high);
      first = vreinterpretq_s8_u8(veorq_u8(eights, vdupq_n_u8(128)));
      const uint8x16_t more = vorrq_u8(vshlq_n_u8(vreinterpretq_u8_s8(last), 4), low);
      last = vreinterpretq_s8_u8(veorq_u8(more, vdupq_n_u8(128)));
    }
    to.scale = vmulq_f32(four_halves(at + 8 * quarter), vdupq_n_f32(0.125f));
  }
};

struct Int4K {
  static constexpr bool two_scales = false, with_minimum = true;
  static void read(const uint8_t* tile, int64_t g, int quarter, Unpacked& to) {
    const uint8_t* block = tile + g / 8 * 2368;
    const uint8_t* at = block + 64 + 288 * (g % 8);
    unpack_nibbles(at, quarter, to.weights);
    const uint8_t* scales = at + 256 + 4 * quarter;
    to.scale = vmulq_f32(four_halves(block + 8 * quarter), four_unsigned(scales));
    to.minimum = vmulq_f32(four_halves(block + 32 + 8 * quarter), four_unsigned(scales + 16));
  }
};

struct Int6 {
  static constexpr bool two_scales = true, with_minimum = false;
  static void read(const uint8_t* tile, int64_t g, int quarter, Unpacked& to) {
    const uint8_t* block = tile + g / 8 * 3392;
    const uint8_t* plane = block + 64 + 416 * (g % 8);
    unpack_nibbles(plane, quarter, to.weights);
    for (int half = 0; half < 2; ++half) {
      uint8x16_t bits = vld1q_u8(plane + 256 + 64 * half + 16 * quarter);
      for (int j = 0; j < 4; ++j, bits = vshrq_n_u8(bits, 2)) {
        int8x16_t& weights = to.weights[4 * half + j];
        const uint8x16_t high = vshlq_n_u8(vreinterpretq_u8_s8(weights), 4);
        const uint8x16_t low = vshlq_n_u8(vandq_u8(bits, vdupq_n_u8(3)), 2);
        weights = vreinterpretq_s8_u8(veorq_u8(vorrq_u8(high, low), vdupq_n_u8(128)));
      }
    }
    const float32x4_t scale = vmulq_f32(four_halves(block + 8 * quarter), vdupq_n_f32(0.25f));
    const uint8_t* scales = plane + 384 + 4 * quarter;
    to.scale = vmulq_f32(scale, four_signed(scales));
    to.second = vmulq_f32(scale, four_signed(scales + 16));
  }
};

// Sixteen activations against every output's weights.
inline int32x4_t dot_of(const int8x16_t* weights, int8x16_t x) {
  int32x4_t dot = vdotq_laneq_s32(vdupq_n_s32(0), weights[0], x, 0);
  dot = vdotq_laneq_s32(dot, weights[1], x, 1);
  dot = vdotq_laneq_s32(dot, weights[2], x, 2);
  return vdotq_laneq_s32(dot, weights[3], x, 3);
}

template <typename Format, int R>
inline void multiply_quarter(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, int quarter,
                             float* out) {
  float32x4_t total[R];
  for (int r = 0; r < R; ++r) total[r] = vdupq_n_f32(0.0f);
  for (int64_t g = 0; g < groups; ++g, x += block) {
    Unpacked w;
    Format::read(tile, g, quarter, w);
    for (int r = 0; r < R; ++r) {
      const int32x4_t first = dot_of(w.weights, vld1q_s8(x[r].values));
      const int32x4_t last = dot_of(w.weights + 4, vld1q_s8(x[r].values + 16));
      const float32x4_t scale = vmulq_f32(w.scale, vdupq_n_f32(x[r].scale));
      if constexpr (Format::two_scales) {
        const float32x4_t second = vmulq_f32(w.second, vdupq_n_f32(x[r].scale));
        total[r] = vfmaq_f32(total[r], scale, vcvtq_f32_s32(first));
        total[r] = vfmaq_f32(total[r], second, vcvtq_f32_s32(last));
      } else {
        total[r] = vfmaq_f32(total[r], scale, vcvtq_f32_s32(vaddq_s32(first, last)));
      }
      if constexpr (Format::with_minimum) total[r] = vfmaq_f32(total[r], w.minimum, vdupq_n_f32(x[r].sum));
    }
  }
  for (int r = 0; r < R; ++r) vst1q_f32(out + 16 * r + 4 * quarter, total[r]);
}

template <typename Format, int R>
inline void multiply_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out,
                          int64_t) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    multiply_quarter<Format, R>(tile, groups, x, block, quarter, out);
  }
}

}  // namespace
