#include "check.h"

#include <algorithm>

Outcome outcome;

const std::vector<std::string>& instruction_sets() {
  static const std::vector<std::string> found = [] {
    std::vector<std::string> names;
    for (const char* name : {"avx512vnni", "avx2", "neon", "scalar"}) {
      if (foreword_use(name) == FOREWORD_OK) names.push_back(name);
    }
    return names;
  }();
  return found;
}

RandomMatrix::RandomMatrix(Random& random, int64_t outputs, int64_t inputs, int32_t format, bool with_bias, int largest)
    : data(static_cast<size_t>(foreword_matrix_bytes(outputs, inputs, format))),
      outputs(outputs),
      inputs(inputs),
      format(format) {
  const bool int4 = format == FOREWORD_INT4;
  const int64_t split = int4 ? 256 : 512;
  const int64_t size = split + (int4 ? 64 : 32);
  for (size_t i = 0; i < data.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i) % size;
    if (at < split) {
      data[i] = static_cast<uint8_t>(random());
      if (!int4 && data[i] == 0) data[i] = 1;  // -128 is not a weight
    } else if (at % 2 == 1) {
      const int exponent = static_cast<int>(between(random, chance(random, 0.1) ? 0 : largest - 4, largest));
      const int sign = chance(random, 0.5) ? 0x8000 : 0;
      const int half = sign | exponent << 10 | static_cast<int>(random() & 1023);
      data[i - 1] = static_cast<uint8_t>(half);
      data[i] = static_cast<uint8_t>(half >> 8);
    }
  }
  if (with_bias) bias = gaussians(random, outputs);
}

double RandomMatrix::weight(int64_t output, int64_t input) const {
  const int64_t groups = (inputs + 31) / 32;
  const int64_t size = format == FOREWORD_INT4 ? 320 : 544;
  const uint8_t* group = data.data() + (output / 16 * groups + input / 32) * size;
  const int64_t c = output % 16;
  const int64_t k = input % 32;
  const auto half = [&](int64_t at) { return to_float(static_cast<uint16_t>(group[at] | group[at + 1] << 8)); };
  if (format == FOREWORD_INT4) {
    const uint8_t pair = group[k % 16 / 4 * 64 + c * 4 + k % 4];
    const double q = k < 16 ? pair & 15 : pair >> 4;
    return static_cast<double>(half(256 + 2 * c)) * q + static_cast<double>(half(288 + 2 * c));
  }
  return static_cast<double>(half(512 + 2 * c)) * (group[k / 4 * 64 + c * 4 + k % 4] - 128);
}

std::vector<ForewordGroup> quantized(const std::vector<float>& x, int64_t rows, int64_t inputs) {
  const size_t bytes = static_cast<size_t>(foreword_groups_bytes(rows, inputs));
  std::vector<ForewordGroup> groups(bytes / sizeof(ForewordGroup));
  outcome.expect(foreword_quantize(x.data(), rows, inputs, groups.data()) == FOREWORD_OK, "quantize runs");
  return groups;
}

std::vector<double> dequantized(const std::vector<ForewordGroup>& groups, int64_t rows, int64_t inputs) {
  const int64_t count = (inputs + 31) / 32;
  std::vector<double> x(static_cast<size_t>(rows * inputs));
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t block = row / 8 * 8;
    const int64_t height = std::min<int64_t>(8, rows - block);
    for (int64_t k = 0; k < inputs; ++k) {
      const ForewordGroup& group = groups[static_cast<size_t>(block * count + k / 32 * height + row - block)];
      x[static_cast<size_t>(row * inputs + k)] = static_cast<double>(group.scale) * group.values[k % 32];
    }
  }
  return x;
}
