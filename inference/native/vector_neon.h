// Sixteen floats and sixteen integers in four NEON registers each. See vector_scalar.h for what each function means.
#pragma once

#include <arm_neon.h>
#include <stdint.h>

namespace {

struct Floats {
  float32x4_t part[4];
};
struct Integers {
  int32x4_t part[4];
};

inline Floats load(const float* p) { return {{vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)}}; }
inline void store(float* p, Floats v) {
  for (int i = 0; i < 4; ++i) vst1q_f32(p + 4 * i, v.part[i]);
}
inline Floats load_part(const float* p, int64_t count) {
  float lanes[16] = {0};
  for (int64_t i = 0; i < count; ++i) lanes[i] = p[i];
  return load(lanes);
}
inline void store_part(float* p, Floats v, int64_t count) {
  float lanes[16];
  store(lanes, v);
  for (int64_t i = 0; i < count; ++i) p[i] = lanes[i];
}
inline Floats load_half(const uint16_t* p) {
  Floats v;
  for (int i = 0; i < 4; ++i) v.part[i] = vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p + 4 * i)));
  return v;
}
inline Floats load_brain(const uint16_t* p) {
  Floats v;
  for (int i = 0; i < 4; ++i) v.part[i] = vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p + 4 * i), 16));
  return v;
}
inline void store_half(uint16_t* p, Floats v) {
  for (int i = 0; i < 4; ++i) vst1_u16(p + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32(v.part[i])));
}

inline Floats all(float x) { return {{vdupq_n_f32(x), vdupq_n_f32(x), vdupq_n_f32(x), vdupq_n_f32(x)}}; }
inline Floats zero() { return all(0.0f); }
inline Floats add(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vaddq_f32(a.part[i], b.part[i]);
  return a;
}
inline Floats subtract(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vsubq_f32(a.part[i], b.part[i]);
  return a;
}
inline Floats multiply(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vmulq_f32(a.part[i], b.part[i]);
  return a;
}
inline Floats divide(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vdivq_f32(a.part[i], b.part[i]);
  return a;
}
inline Floats multiply_add(Floats a, Floats b, Floats c) {
  for (int i = 0; i < 4; ++i) c.part[i] = vfmaq_f32(c.part[i], a.part[i], b.part[i]);
  return c;
}
// Not vmaxq: with a NaN it must answer b, as x86 does.
inline Floats larger(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vbslq_f32(vcgtq_f32(a.part[i], b.part[i]), a.part[i], b.part[i]);
  return a;
}
inline Floats smaller(Floats a, Floats b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vbslq_f32(vcltq_f32(a.part[i], b.part[i]), a.part[i], b.part[i]);
  return a;
}

inline Integers integers(Floats v) {
  Integers r;
  for (int i = 0; i < 4; ++i) r.part[i] = vcvtnq_s32_f32(v.part[i]);
  return r;
}
inline Floats floats(Integers v) {
  Floats r;
  for (int i = 0; i < 4; ++i) r.part[i] = vcvtq_f32_s32(v.part[i]);
  return r;
}
inline Integers magnitude_bits(Floats v) {
  Integers r;
  for (int i = 0; i < 4; ++i) r.part[i] = vandq_s32(vreinterpretq_s32_f32(v.part[i]), vdupq_n_s32(0x7fffffff));
  return r;
}
inline Integers add(Integers a, Integers b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vaddq_s32(a.part[i], b.part[i]);
  return a;
}
inline Integers larger(Integers a, Integers b) {
  for (int i = 0; i < 4; ++i) a.part[i] = vmaxq_s32(a.part[i], b.part[i]);
  return a;
}
inline Floats power_of_two(Integers v) {
  Floats r;
  for (int i = 0; i < 4; ++i)
    r.part[i] = vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(v.part[i], vdupq_n_s32(127)), 23));
  return r;
}
inline Integers widen(int8x16_t bytes) {
  const int16x8_t low = vmovl_s8(vget_low_s8(bytes));
  const int16x8_t high = vmovl_s8(vget_high_s8(bytes));
  return {{vmovl_s16(vget_low_s16(low)), vmovl_s16(vget_high_s16(low)), vmovl_s16(vget_low_s16(high)),
           vmovl_s16(vget_high_s16(high))}};
}
inline Integers load_bytes(const uint8_t* p) { return widen(vreinterpretq_s8_u8(vld1q_u8(p))); }
template <bool high>
inline Integers load_nibbles(const uint8_t* p) {
  const uint8x16_t bytes = vld1q_u8(p);
  return widen(vreinterpretq_s8_u8(high ? vshrq_n_u8(bytes, 4) : vandq_u8(bytes, vdupq_n_u8(15))));
}
inline Integers load_quarters(const uint8_t* p, int64_t part) {
  const uint8x16_t moved = vshlq_u8(vld1q_u8(p), vdupq_n_s8(static_cast<int8_t>(-2 * part)));
  return widen(vreinterpretq_s8_u8(vandq_u8(moved, vdupq_n_u8(3))));
}
inline Integers load_fifth(const uint8_t* p, int64_t bit) {
  const uint8x16_t moved = vshlq_u8(vld1q_u8(p), vdupq_n_s8(static_cast<int8_t>(4 - bit)));
  return widen(vreinterpretq_s8_u8(vandq_u8(moved, vdupq_n_u8(16))));
}
inline void store_bytes(int8_t* p, Integers v) {
  const int16x8_t low = vcombine_s16(vqmovn_s32(v.part[0]), vqmovn_s32(v.part[1]));
  const int16x8_t high = vcombine_s16(vqmovn_s32(v.part[2]), vqmovn_s32(v.part[3]));
  vst1q_s8(p, vcombine_s8(vqmovn_s16(low), vqmovn_s16(high)));
}

inline float sum(Floats v) {
  const float32x4_t a = vaddq_f32(v.part[0], v.part[2]);
  const float32x4_t b = vaddq_f32(v.part[1], v.part[3]);
  const float32x4_t c = vaddq_f32(a, b);
  const float32x2_t d = vadd_f32(vget_low_f32(c), vget_high_f32(c));
  return vget_lane_f32(d, 0) + vget_lane_f32(d, 1);
}
inline float largest(Floats v) {
  const Floats half = {{v.part[0], v.part[1], v.part[0], v.part[1]}};
  const Floats other = {{v.part[2], v.part[3], v.part[2], v.part[3]}};
  float lanes[16];
  store(lanes, larger(half, other));
  float result = lanes[0];
  for (int i = 1; i < 8; ++i) result = lanes[i] > result ? lanes[i] : result;
  return result;
}
inline int32_t largest(Integers v) {
  return vmaxvq_s32(vmaxq_s32(vmaxq_s32(v.part[0], v.part[1]), vmaxq_s32(v.part[2], v.part[3])));
}
inline int32_t sum(Integers v) {
  return vaddvq_s32(vaddq_s32(vaddq_s32(v.part[0], v.part[1]), vaddq_s32(v.part[2], v.part[3])));
}

inline void fetch(const void* p) { __builtin_prefetch(p); }

}  // namespace
