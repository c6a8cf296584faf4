// Products of float matrices: against plain double arithmetic, between instruction sets, and row by row.
#include <algorithm>

#include "check.h"

namespace {

const int32_t kFormats[] = {FOREWORD_FLOAT32, FOREWORD_BFLOAT16, FOREWORD_FLOAT16};

// Weights of one type, exactly as they are stored: any bits, but of moderate size, and now and then something special.
struct FloatWeights {
  FloatWeights(Random& random, int64_t count, int32_t format) : format(format) {
    for (int64_t i = 0; i < count; ++i) {
      const float value = gaussian(random);
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      full.push_back(value);
      halves.push_back(static_cast<uint16_t>(format == FOREWORD_BFLOAT16 ? bits >> 16 : random() % 0x4000));
    }
  }
  const uint8_t* data() const {
    return format == FOREWORD_FLOAT32 ? reinterpret_cast<const uint8_t*>(full.data())
                                      : reinterpret_cast<const uint8_t*>(halves.data());
  }
  uint8_t* write() { return const_cast<uint8_t*>(data()); }
  void spoil(int64_t at) {
    full[static_cast<size_t>(at)] = NAN;
    halves[static_cast<size_t>(at)] = format == FOREWORD_BFLOAT16 ? 0x7fc1 : 0x7e01;
  }
  double at(int64_t i) const {
    if (format == FOREWORD_FLOAT32) return static_cast<double>(full[static_cast<size_t>(i)]);
    if (format == FOREWORD_FLOAT16) return static_cast<double>(to_float(halves[static_cast<size_t>(i)]));
    const uint32_t bits = static_cast<uint32_t>(halves[static_cast<size_t>(i)]) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }

  int32_t format;
  std::vector<float> full;
  std::vector<uint16_t> halves;
};

// What cannot be multiplied is refused.
void check_refusals() {
  const float weight = 1, x = 1;
  float out = 0;
  ForewordMatrix matrix{reinterpret_cast<const uint8_t*>(&weight), nullptr, 1, 1, FOREWORD_FLOAT32, 0};
  outcome.expect(foreword_float_matmul(&matrix, &x, 1, &out) == FOREWORD_OK && out == 1, "floats: the smallest");
  outcome.expect(foreword_float_matmul(&matrix, nullptr, 1, &out) == FOREWORD_BAD_ARGUMENT, "floats: no rows");
  matrix.format = FOREWORD_INT8;
  outcome.expect(foreword_float_matmul(&matrix, &x, 1, &out) == FOREWORD_BAD_ARGUMENT, "floats: a packed matrix");
  matrix.format = FOREWORD_FLOAT16 + 1;
  outcome.expect(foreword_float_matmul(&matrix, &x, 1, &out) == FOREWORD_BAD_ARGUMENT, "floats: an unknown type");
}

}  // namespace

void check_floats(Random& random) {
  check_refusals();
  const int64_t rows = chance(random, 0.1) ? between(random, 90, 110) : between(random, 1, 19);
  const int64_t inputs = between(random, 1, 140);
  const int64_t outputs = between(random, 1, 40);
  FloatWeights weights(random, outputs * inputs, kFormats[random() % 3]);
  const std::vector<float> bias = chance(random, 0.5) ? gaussians(random, outputs) : std::vector<float>();
  std::vector<float> x = gaussians(random, rows * inputs);
  int64_t spoiled_row = -1, spoiled_output = -1;
  if (chance(random, 0.3)) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    spoiled_row = between(random, 0, rows - 1);
    x[static_cast<size_t>(spoiled_row * inputs + between(random, 0, inputs - 1))] = bad[random() % 3];
  }
  if (chance(random, 0.3)) {
    spoiled_output = between(random, 0, outputs - 1);
    weights.spoil(spoiled_output * inputs + between(random, 0, inputs - 1));
  }
  const ForewordMatrix matrix{weights.data(), bias.empty() ? nullptr : bias.data(), outputs, inputs, weights.format, 0};

  std::vector<float> first;
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));  // the same draws on every machine
  const int64_t piece = between(random, 1, 9);
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    std::vector<float> y(static_cast<size_t>(rows * outputs));
    outcome.expect(foreword_float_matmul(&matrix, x.data(), rows, y.data()) == FOREWORD_OK, "floats: it runs");
    if (first.empty()) first = y;
    outcome.expect(same(y, first), "floats: " + name + " agrees");
    for (int64_t begin = 0; begin < rows; begin += piece) {
      const int64_t count = std::min(rows - begin, piece);
      std::vector<float> part(static_cast<size_t>(count * outputs));
      foreword_float_matmul(&matrix, x.data() + begin * inputs, count, part.data());
      outcome.expect(same(part.data(), y.data() + begin * outputs, count * outputs), "floats: rows alone, " + name);
    }
  }
  outcome.record(first);

  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < outputs; ++c) {
      const double got = static_cast<double>(first[static_cast<size_t>(row * outputs + c)]);
      double wanted = bias.empty() ? 0.0 : static_cast<double>(bias[static_cast<size_t>(c)]);
      double size = std::fabs(wanted);
      for (int64_t k = 0; k < inputs; ++k) {
        const double part = weights.at(c * inputs + k) * static_cast<double>(x[static_cast<size_t>(row * inputs + k)]);
        wanted += part;
        size += std::fabs(part);
      }
      const bool spoiled = row == spoiled_row || c == spoiled_output;
      const bool good = spoiled ? !std::isfinite(got) : std::fabs(got - wanted) <= 1e-6 * size + 1e-30;
      outcome.expect(good, "floats: value");
    }
  }
}

void check_float_attention(Random& random) {
  const int64_t kv_heads = between(random, 1, 3);
  const int64_t group = between(random, 1, 8);
  const int64_t heads = kv_heads * group;
  const int64_t size = 16 * between(random, 1, 6);
  const int64_t rows = between(random, 1, 12);
  const int64_t position = between(random, 0, 40);
  const int64_t capacity = position + rows + between(random, 0, 5);
  const int64_t window = chance(random, 0.4) ? between(random, 1, 20) : 0;
  const int32_t format = kFormats[random() % 3];
  const std::vector<float> norm = gaussians(random, size), table = gaussians(random, capacity * size / 2);
  const bool with_norm = chance(random, 0.5), with_rotary = chance(random, 0.7);
  const ForewordAttention attention{heads,
                                    kv_heads,
                                    size,
                                    window,
                                    0.2f,
                                    1e-5f,
                                    with_norm ? norm.data() : nullptr,
                                    with_norm ? norm.data() : nullptr,
                                    with_rotary ? table.data() : nullptr,
                                    with_rotary ? table.data() : nullptr,
                                    nullptr};
  const FloatWeights old_keys(random, kv_heads * capacity * size, format);
  const FloatWeights old_values(random, kv_heads * capacity * size, format);
  const int64_t width = (heads + 2 * kv_heads) * size;
  std::vector<float> qkv = gaussians(random, rows * width);
  const int64_t spoiled = chance(random, 0.2) ? between(random, 0, rows - 1) : rows;  // and all that see it
  if (spoiled < rows) qkv[static_cast<size_t>((spoiled + 1) * width - 1)] = NAN;      // in the last value head
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));                // the same draws on every machine
  const int64_t piece = between(random, 1, 9);

  std::vector<float> first;
  FloatWeights keys = old_keys, values = old_values;
  std::vector<float> turned;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    keys = old_keys;
    values = old_values;
    turned = qkv;
    std::vector<float> y(static_cast<size_t>(rows * heads * size));
    outcome.expect(foreword_float_attention(&attention, turned.data(), rows, position, keys.write(), values.write(),
                                            capacity, format, y.data()) == FOREWORD_OK,
                   "float attention: it runs");
    if (first.empty()) first = y;
    outcome.expect(same(y, first), "float attention: " + name + " agrees");
    FloatWeights own_keys = old_keys, own_values = old_values;
    std::vector<float> again = qkv, part(static_cast<size_t>(rows * heads * size));
    for (int64_t begin = 0; begin < rows; begin += piece) {
      foreword_float_attention(&attention, again.data() + begin * width, std::min(piece, rows - begin),
                               position + begin, own_keys.write(), own_values.write(), capacity, format,
                               part.data() + begin * heads * size);
    }
    outcome.expect(same(part, y), "float attention: rows alone, " + name);
  }
  outcome.record(first);

  for (int64_t row = 0; row < rows; ++row) {
    const int64_t end = position + row + 1;
    const int64_t begin = window > 0 ? std::max<int64_t>(0, end - window) : 0;
    for (int64_t head = 0; head < heads; ++head) {
      const float* q = turned.data() + row * width + head * size;
      const int64_t cache = head / group * capacity * size;
      std::vector<double> scores;
      for (int64_t j = begin; j < end; ++j) {
        double score = 0;
        for (int64_t d = 0; d < size; ++d) score += static_cast<double>(q[d]) * keys.at(cache + j * size + d);
        scores.push_back(score);
      }
      const double most = *std::max_element(scores.begin(), scores.end());
      double total = 0;
      for (double& score : scores) total += score = std::exp(score - most);
      for (int64_t d = 0; d < size; ++d) {
        double wanted = 0;
        for (int64_t j = begin; j < end; ++j) {
          wanted += scores[static_cast<size_t>(j - begin)] / total * values.at(cache + j * size + d);
        }
        const double got = static_cast<double>(first[static_cast<size_t>((row * heads + head) * size + d)]);
        outcome.expect(wanted != wanted ? got != got : std::fabs(got - wanted) <= 2e-4, "float attention: value");
      }
    }
  }
}

void check_float_gate(Random& random) {
  const int64_t rows = between(random, 1, 9);
  const int64_t size = between(random, 1, 70);
  const int32_t activation = static_cast<int32_t>(random() % 2);
  const std::vector<float> x = gaussians(random, rows * 2 * size, 3.0f);
  std::vector<float> first;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    std::vector<float> y(static_cast<size_t>(rows * size));
    outcome.expect(foreword_float_gate(x.data(), rows, size, activation, y.data()) == FOREWORD_OK, "float gate: runs");
    if (first.empty()) first = y;
    outcome.expect(same(y, first), "float gate: " + name + " agrees");
  }
  outcome.record(first);
  for (int64_t i = 0; i < rows * size; ++i) {
    const float* row = x.data() + i / size * 2 * size;
    const double gate = static_cast<double>(row[i % size]), up = static_cast<double>(row[size + i % size]);
    const double cube = 0.7978845608028654 * (gate + 0.044715 * gate * gate * gate);
    const double active =
        activation == FOREWORD_SILU ? gate / (1 + std::exp(-gate)) : 0.5 * gate * (1 + std::tanh(cube));
    outcome.expect(close(static_cast<double>(first[static_cast<size_t>(i)]), active * up, 1e-5), "float gate: value");
  }
}
