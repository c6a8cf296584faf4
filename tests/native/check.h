// What all checks share: random numbers, comparison, and the list of failures.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "foreword.h"

using Random = std::mt19937_64;

inline int64_t between(Random& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}
// Nearly normal, and the same on every machine: a sum of twelve uniform numbers.
inline float gaussian(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
  return static_cast<float>(sum);
}
inline bool chance(Random& random, double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; }

inline std::vector<float> gaussians(Random& random, int64_t count, float scale = 1.0f) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = scale * gaussian(random);
  return values;
}

// Failures are counted, said once each up to ten, and make the program's result.
struct Outcome {
  int checks = 0;
  int failures = 0;
  uint64_t digest = 1469598103934665603u;  // of every result, to compare machines

  bool expect(bool good, const std::string& what) {
    ++checks;
    if (!good && ++failures <= 10) std::printf("FAILED %s\n", what.c_str());
    return good;
  }
  void record(const std::vector<float>& values) {
    for (float value : values) {
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      if (value != value) bits = 0x7fc00000u;
      digest = (digest ^ bits) * 1099511628211u;
    }
  }
};
extern Outcome outcome;

// Equal bits; any NaN equals any other.
inline bool same(const float* a, const float* b, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (a[i] != a[i] && b[i] != b[i]) continue;
    if (std::memcmp(a + i, b + i, sizeof(float)) != 0) return false;
  }
  return true;
}
inline bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && same(a.data(), b.data(), static_cast<int64_t>(a.size()));
}
inline bool close(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b)) || (a != a && b != b);
}

// Every instruction set that this processor has; the scalar one last.
const std::vector<std::string>& instruction_sets();

inline float to_float(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double fraction = half & 1023;
  const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                           : exponent == 31 ? (half & 1023 ? NAN : INFINITY)
                                            : std::ldexp(1024 + fraction, exponent - 25);
  return static_cast<float>(half & 0x8000 ? -magnitude : magnitude);
}

// A format that a matrix with so many inputs may have.
inline int32_t any_format(Random& random, int64_t inputs) {
  const int32_t formats[] = {FOREWORD_INT4, FOREWORD_INT8,  FOREWORD_INT4_64, FOREWORD_INT4_128,
                             FOREWORD_INT5, FOREWORD_INT4K, FOREWORD_INT6};
  return formats[random() % (inputs % 256 == 0 ? 7u : 5u)];
}
// Inputs that share a scale, in a format of int4.
inline int64_t shared_inputs(int32_t format) {
  return format == FOREWORD_INT4_128 ? 128 : format == FOREWORD_INT4_64 ? 64 : 32;
}
// Mostly any width, sometimes one that all formats take.
inline int64_t any_inputs(Random& random, int64_t most) {
  return chance(random, 0.4) ? 256 * between(random, 1, 2) : between(random, 1, most);
}

// A packed matrix of random contents: any bytes are weights, the scales are finite halves.
struct RandomMatrix {
  RandomMatrix(Random& random, int64_t outputs, int64_t inputs, int32_t format, bool with_bias, int largest = 12);
  ForewordMatrix matrix() const {
    return {data.data(), bias.empty() ? nullptr : bias.data(), outputs, inputs, format, 0};
  }
  double weight(int64_t output, int64_t input) const;  // straight from the layout's description

  std::vector<uint8_t> data;
  std::vector<float> bias;
  int64_t outputs, inputs;
  int32_t format;
};

std::vector<ForewordGroup> quantized(const std::vector<float>& x, int64_t rows, int64_t inputs);
// x as the kernels see it, read back from its groups.
std::vector<double> dequantized(const std::vector<ForewordGroup>& groups, int64_t rows, int64_t inputs);

void check_packing(Random& random);
void check_quantize(Random& random);
void check_matmul(Random& random);
void check_int5(Random& random);
void check_floats(Random& random);
void check_float_attention(Random& random);
void check_float_gate(Random& random);
void check_gate_up(Random& random);
void check_norm(Random& random);
void check_embed(Random& random);
void check_search(Random& random);
void check_sampling(Random& random);
void check_attention(Random& random);
void check_model(Random& random);
void check_head(Random& random);
void check_pool(Random& random);
