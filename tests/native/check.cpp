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

namespace {

// Bytes after which a format's layout repeats (the last time it may end early), and which of them are halves.
struct Layout {
  int64_t size, halves_begin, halves_end;
};
constexpr Layout kLayouts[] = {{320, 0, 64}, {544, 512, 544}, {2368, 0, 64}, {3392, 0, 32},
                               {576, 0, 64}, {1088, 0, 64},   {352, 0, 32}};

}  // namespace

RandomMatrix::RandomMatrix(Random& random, int64_t outputs, int64_t inputs, int32_t format, bool with_bias, int largest)
    : data(static_cast<size_t>(foreword_matrix_bytes(outputs, inputs, format))),
      outputs(outputs),
      inputs(inputs),
      format(format) {
  const Layout layout = kLayouts[format];
  for (size_t i = 0; i < data.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i) % foreword_matrix_bytes(16, inputs, format) % layout.size;
    if (at < layout.halves_begin || at >= layout.halves_end) {
      data[i] = static_cast<uint8_t>(random());
      if (format == FOREWORD_INT8 && data[i] == 0) data[i] = 1;  // -128 is not a weight
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
  const uint8_t* tile = data.data() + output / 16 * foreword_matrix_bytes(16, inputs, format);
  const int64_t c = output % 16;
  const int64_t g = input / 32;
  const int64_t k = input % 32;
  const auto half = [&](const uint8_t* p) {
    return static_cast<double>(to_float(static_cast<uint16_t>(p[0] | p[1] << 8)));
  };
  const auto nibble = [&](const uint8_t* plane) {
    const uint8_t pair = plane[k % 16 / 4 * 64 + c * 4 + k % 4];
    return k < 16 ? pair & 15 : pair >> 4;
  };
  if (format == FOREWORD_INT4 || format == FOREWORD_INT4_64 || format == FOREWORD_INT4_128) {
    const int64_t shared = shared_inputs(format) / 32;
    const uint8_t* block = tile + g / shared * kLayouts[format].size;
    return half(block + 2 * c) * nibble(block + 64 + g % shared * 256) + half(block + 32 + 2 * c);
  }
  if (format == FOREWORD_INT8) {
    const uint8_t* group = tile + g * 544;
    return half(group + 512 + 2 * c) * (group[k / 4 * 64 + c * 4 + k % 4] - 128);
  }
  if (format == FOREWORD_INT5) {
    const uint8_t* group = tile + g * 352;
    const int bits = group[288 + c * 4 + k % 4] >> (k % 16 / 4 * 2) & 3;
    const int q = k < 16 ? nibble(group + 32) + bits / 2 * 16 : nibble(group + 32) * 2 + bits % 2;
    return half(group + 2 * c) * (q - 16);
  }
  if (format == FOREWORD_INT4K) {
    const uint8_t* block = tile + g / 8 * 2368;
    const uint8_t* group = block + 64 + g % 8 * 288;
    return half(block + 2 * c) * group[256 + c] * nibble(group) + half(block + 32 + 2 * c) * group[272 + c];
  }
  const uint8_t* block = tile + g / 8 * 3392;
  const uint8_t* plane = block + 64 + g % 8 * 416;
  const int s = static_cast<int8_t>(plane[384 + k / 16 * 16 + c]);
  const int bits = plane[256 + k / 16 * 64 + c * 4 + k % 4] >> (k % 16 / 4 * 2) & 3;
  return half(block + 2 * c) * s * (nibble(plane) * 4 + bits - 32);
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
