// One tile times R rows with the NEON dot product: a register holds 4 outputs x 4 weights. Meaning: see dot_scalar.h.
#pragma once

#include "foreword.h"
#include "vector_neon.h"

namespace {

inline float32x4_t four_halves(const uint8_t* p) { return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(p))); }
// values[4 * lane .. 4 * lane + 3] of x against every output's four weights.
template <int Lane>
inline int32x4_t dot_lane(int32x4_t total, int8x16_t weights, int8x16_t x) {
  return vdotq_laneq_s32(total, weights, x, Lane);
}

// Four outputs (a quarter of the tile) times R rows.
template <int R, bool Int8>
inline void quarter_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, int quarter,
                         float* out) {
  const uint8x16_t nibble = vdupq_n_u8(15);
  const uint8x16_t offset = vdupq_n_u8(128);
  float32x4_t total[R];
  for (int r = 0; r < R; ++r) total[r] = vdupq_n_f32(0.0f);
  for (int64_t g = 0; g < groups; ++g, tile += Int8 ? 544 : 320, x += block) {
    int8x16_t weights[8];
    for (int j = 0; j < (Int8 ? 8 : 4); ++j) {
      const uint8x16_t stored = vld1q_u8(tile + 64 * j + 16 * quarter);
      if (Int8) {
        weights[j] = vreinterpretq_s8_u8(veorq_u8(stored, offset));
      } else {
        weights[j] = vreinterpretq_s8_u8(vandq_u8(stored, nibble));
        weights[j + 4] = vreinterpretq_s8_u8(vshrq_n_u8(stored, 4));
      }
    }
    const float32x4_t scale = four_halves(tile + (Int8 ? 512 : 256) + 8 * quarter);
    for (int r = 0; r < R; ++r) {
      const int8x16_t low = vld1q_s8(x[r].values);
      const int8x16_t high = vld1q_s8(x[r].values + 16);
      int32x4_t dot = vdupq_n_s32(0);
      dot = dot_lane<0>(dot, weights[0], low);
      dot = dot_lane<1>(dot, weights[1], low);
      dot = dot_lane<2>(dot, weights[2], low);
      dot = dot_lane<3>(dot, weights[3], low);
      dot = dot_lane<0>(dot, weights[4], high);
      dot = dot_lane<1>(dot, weights[5], high);
      dot = dot_lane<2>(dot, weights[6], high);
      dot = dot_lane<3>(dot, weights[7], high);
      const float32x4_t both = vmulq_f32(scale, vdupq_n_f32(x[r].scale));
      total[r] = vfmaq_f32(total[r], both, vcvtq_f32_s32(dot));
      if (!Int8) {
        total[r] = vfmaq_f32(total[r], four_halves(tile + 288 + 8 * quarter), vdupq_n_f32(x[r].sum));
      }
    }
  }
  for (int r = 0; r < R; ++r) vst1q_f32(out + 16 * r + 4 * quarter, total[r]);
}

template <int R>
inline void int4_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  for (int quarter = 0; quarter < 4; ++quarter) quarter_tile<R, false>(tile, groups, x, block, quarter, out);
}

template <int R>
inline void int8_tile(const uint8_t* tile, int64_t groups, const ForewordGroup* x, int64_t block, float* out) {
  for (int quarter = 0; quarter < 4; ++quarter) quarter_tile<R, true>(tile, groups, x, block, quarter, out);
}

}  // namespace
