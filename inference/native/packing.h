// From floats to int4: for every group of 32 the scale and minimum of least squared error among a few candidates. The
// same search as weights.py's, which says what is tried and is what runs where there is no native library.
#pragma once

#include "elementwise.h"
#include "half.h"
#include "kernels.h"

namespace {

// 32 weights, a short group filled up with its last one; real is 0 for what was filled in.
struct WeightGroup {
  WeightGroup(const float* from, int64_t count) : count(static_cast<float>(count)) {
    float weights[32], reals[32];
    for (int64_t k = 0; k < 32; ++k) {
      weights[k] = from[k < count ? k : count - 1];
      reals[k] = k < count ? 1.0f : 0.0f;
    }
    for (int i = 0; i < 2; ++i) {
      w[i] = load(weights + 16 * i);
      real[i] = load(reals + 16 * i);
    }
  }
  Floats w[2], real[2];
  float count;
};

inline float limited(float x) { return x > 65504.0f ? 65504.0f : x > -65504.0f ? x : -65504.0f; }

struct Choice {
  Choice(const WeightGroup& group, float wanted_scale, float wanted_minimum)
      : scale(half_of_float(limited(wanted_scale))), minimum(half_of_float(limited(wanted_minimum))) {
    const float step = float_of_half(scale);
    const Floats low = all(float_of_half(minimum));
    const Floats inverse = all(step == 0.0f ? 0.0f : 1.0f / step);
    Floats squares = zero();
    for (int i = 0; i < 2; ++i) {
      const Floats scaled = multiply(subtract(group.w[i], low), inverse);
      q[i] = floats(integers(smaller(larger(scaled, zero()), all(15.0f))));
      const Floats apart = multiply(subtract(multiply_add(q[i], all(step), low), group.w[i]), group.real[i]);
      squares = multiply_add(apart, apart, squares);
    }
    error = sum(squares);
  }

  // The scale and minimum that fit these integers best.
  Choice fitted(const WeightGroup& group) const {
    const float q_mean = mean(q, group);
    const float w_mean = mean(group.w, group);
    Floats spread = zero(), together = zero();
    for (int i = 0; i < 2; ++i) {
      const Floats apart = multiply(subtract(q[i], all(q_mean)), group.real[i]);
      spread = multiply_add(apart, apart, spread);
      together = multiply_add(apart, subtract(group.w[i], all(w_mean)), together);
    }
    const float width = sum(spread);
    const float slope = width > 0.0f ? sum(together) / width : float_of_half(scale);
    return Choice(group, slope, w_mean - slope * q_mean);
  }

  static float mean(const Floats (&x)[2], const WeightGroup& group) {
    return sum(multiply_add(x[1], group.real[1], multiply(x[0], group.real[0]))) / group.count;
  }

  uint16_t scale, minimum;
  float error;
  Floats q[2];
};

inline void offer(Choice& best, const Choice& other) {
  if (other.error < best.error) best = other;
}

inline Choice best_of(const WeightGroup& group) {
  const float high = largest(larger(group.w[0], group.w[1]));
  const float low = -largest(subtract(zero(), smaller(group.w[0], group.w[1])));
  Choice best(group, (high - low) / 15.0f, low);
  const uint16_t scale = best.scale;
  if (scale > 0) offer(best, Choice(group, float_of_half(static_cast<uint16_t>(scale - 1)), low));
  offer(best, Choice(group, float_of_half(static_cast<uint16_t>(scale + 1)), low));
  if (best.error <= 1e-6f * (high - low) * (high - low)) return best;  // int4 before
  constexpr float shrinks[] = {0.97f, 0.93f, 0.88f, 0.83f};
  for (const float shrink : shrinks) {
    const float reach = (high - low) / 2.0f * shrink;
    offer(best, Choice(group, reach / 7.5f, (low + high) / 2.0f - reach));
  }
  for (int i = 0; i < 2; ++i) offer(best, best.fitted(group));
  return best;
}

inline void put_half(uint8_t* to, uint16_t half) {
  to[0] = static_cast<uint8_t>(half);
  to[1] = static_cast<uint8_t>(half >> 8);
}

// Tiles begin..end of [outputs][inputs].
void pack_int4(const float* weights, int64_t outputs, int64_t inputs, int64_t begin, int64_t end, uint8_t* out) {
  const int64_t groups = groups_of(inputs);
  for (int64_t i = begin * groups * 320; i < end * groups * 320; ++i) out[i] = 0;
  for (int64_t output = begin * 16; output < end * 16 && output < outputs; ++output) {
    for (int64_t g = 0; g < groups; ++g) {
      const int64_t left = inputs - g * 32;
      const Choice best = best_of(WeightGroup(weights + output * inputs + g * 32, left < 32 ? left : 32));
      int8_t q[32];
      store_bytes(q, integers(best.q[0]));
      store_bytes(q + 16, integers(best.q[1]));
      uint8_t* group = out + (output / 16 * groups + g) * 320;
      const int64_t c = output % 16;
      for (int k = 0; k < 16; ++k) {
        const bool there = k + 16 < left;  // what pads a group is 0
        const int low = k < left ? q[k] : 0;
        group[k / 4 * 64 + c * 4 + k % 4] = static_cast<uint8_t>(low | (there ? q[k + 16] : 0) << 4);
      }
      put_half(group + 256 + 2 * c, best.scale);
      put_half(group + 288 + 2 * c, best.minimum);
    }
  }
}

}  // namespace
