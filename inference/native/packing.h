// From floats to int4: for every 32, 64 or 128 weights the scale and minimum of least squared error among a few
// candidates. The same search as weights.py's, which says what is tried and is what runs where there is no native
// library.
#pragma once

#include "elementwise.h"
#include "half.h"
#include "kernels.h"

namespace {

// The weights that share a scale, by sixteens; a short group filled up with its last one. real is 0 for what was filled
// in.
template <int Parts>
struct WeightGroup {
  WeightGroup(const float* from, int64_t count) : count(static_cast<float>(count)) {
    float weights[16 * Parts], reals[16 * Parts];
    for (int64_t k = 0; k < 16 * Parts; ++k) {
      weights[k] = from[k < count ? k : count - 1];
      reals[k] = k < count ? 1.0f : 0.0f;
    }
    for (int i = 0; i < Parts; ++i) {
      w[i] = load(weights + 16 * i);
      real[i] = load(reals + 16 * i);
    }
  }
  float high() const {
    Floats most = w[0];
    for (int i = 1; i < Parts; ++i) most = larger(most, w[i]);
    return largest(most);
  }
  float low() const {
    Floats least = w[0];
    for (int i = 1; i < Parts; ++i) least = smaller(least, w[i]);
    return -largest(subtract(zero(), least));
  }
  float mean(const Floats (&x)[Parts]) const {
    Floats total = multiply(x[0], real[0]);
    for (int i = 1; i < Parts; ++i) total = multiply_add(x[i], real[i], total);
    return sum(total) / count;
  }
  Floats w[Parts], real[Parts];
  float count;
};

inline float limited(float x) { return x > 65504.0f ? 65504.0f : x > -65504.0f ? x : -65504.0f; }

template <int Parts>
struct Choice {
  using Group = WeightGroup<Parts>;
  Choice(const Group& group, float wanted_scale, float wanted_minimum)
      : scale(half_of_float(limited(wanted_scale))), minimum(half_of_float(limited(wanted_minimum))) {
    const float step = float_of_half(scale);
    const Floats low = all(float_of_half(minimum));
    const Floats inverse = all(step == 0.0f ? 0.0f : 1.0f / step);
    Floats squares = zero();
    for (int i = 0; i < Parts; ++i) {
      const Floats scaled = multiply(subtract(group.w[i], low), inverse);
      q[i] = floats(integers(smaller(larger(scaled, zero()), all(15.0f))));
      const Floats apart = multiply(subtract(multiply_add(q[i], all(step), low), group.w[i]), group.real[i]);
      squares = multiply_add(apart, apart, squares);
    }
    error = sum(squares);
  }

  // The scale and minimum that fit these integers best.
  Choice fitted(const Group& group) const {
    const float q_mean = group.mean(q);
    const float w_mean = group.mean(group.w);
    Floats spread = zero(), together = zero();
    for (int i = 0; i < Parts; ++i) {
      const Floats apart = multiply(subtract(q[i], all(q_mean)), group.real[i]);
      spread = multiply_add(apart, apart, spread);
      together = multiply_add(apart, subtract(group.w[i], all(w_mean)), together);
    }
    const float width = sum(spread);
    const float slope = width > 0.0f ? sum(together) / width : float_of_half(scale);
    return Choice(group, slope, w_mean - slope * q_mean);
  }

  void offer(const Choice& other) {
    if (other.error < error) *this = other;
  }

  uint16_t scale, minimum;
  float error;
  Floats q[Parts];
};

template <int Parts>
inline Choice<Parts> best_of(const WeightGroup<Parts>& group) {
  using One = Choice<Parts>;
  const float high = group.high();
  const float low = group.low();
  One best(group, (high - low) / 15.0f, low);
  const uint16_t scale = best.scale;
  if (scale > 0) best.offer(One(group, float_of_half(static_cast<uint16_t>(scale - 1)), low));
  best.offer(One(group, float_of_half(static_cast<uint16_t>(scale + 1)), low));
  if (best.error <= 1e-6f * (high - low) * (high - low)) return best;  // int4 before
  constexpr float shrinks[] = {0.97f, 0.93f, 0.88f, 0.83f};
  for (const float shrink : shrinks) {
    const float reach = (high - low) / 2.0f * shrink;
    best.offer(One(group, reach / 7.5f, (low + high) / 2.0f - reach));
  }
  for (int i = 0; i < 2; ++i) best.offer(best.fitted(group));
  return best;
}

inline void put_half(uint8_t* to, uint16_t half) {
  to[0] = static_cast<uint8_t>(half);
  to[1] = static_cast<uint8_t>(half >> 8);
}

// Tiles begin..end of [outputs][inputs]; Shared: groups with one scale.
template <int Shared>
inline void pack_shared(const float* weights, int64_t outputs, int64_t inputs, int64_t begin, int64_t end,
                        uint8_t* out) {
  const int64_t groups = groups_of(inputs);
  const int64_t tile = groups * 256 + (groups + Shared - 1) / Shared * 64;
  for (int64_t i = begin * tile; i < end * tile; ++i) out[i] = 0;
  for (int64_t output = begin * 16; output < end * 16 && output < outputs; ++output) {
    const int64_t c = output % 16;
    for (int64_t first = 0; first < groups; first += Shared) {
      const int64_t count = least(32 * Shared, inputs - first * 32);
      const auto best = best_of(WeightGroup<2 * Shared>(weights + output * inputs + first * 32, count));
      int8_t q[32 * Shared];
      for (int i = 0; i < 2 * Shared; ++i) store_bytes(q + 16 * i, integers(best.q[i]));
      for (int64_t k = count; k < 32 * Shared; ++k) q[k] = 0;  // what pads a group
      uint8_t* block = out + output / 16 * tile + first / Shared * (64 + 256 * Shared);
      put_half(block + 2 * c, best.scale);
      put_half(block + 32 + 2 * c, best.minimum);
      for (int64_t g = 0; g * 32 < count; ++g) {
        uint8_t* plane = block + 64 + 256 * g;
        const int8_t* of = q + 32 * g;
        for (int k = 0; k < 16; ++k) plane[k / 4 * 64 + c * 4 + k % 4] = static_cast<uint8_t>(of[k] | of[k + 16] << 4);
      }
    }
  }
}

void pack_int4(const float* weights, int64_t outputs, int64_t inputs, int32_t format, int64_t begin, int64_t end,
               uint8_t* out) {
  switch (format) {
    case FOREWORD_INT4_64:
      return pack_shared<2>(weights, outputs, inputs, begin, end, out);
    case FOREWORD_INT4_128:
      return pack_shared<4>(weights, outputs, inputs, begin, end, out);
    default:
      return pack_shared<1>(weights, outputs, inputs, begin, end, out);
  }
}

}  // namespace
