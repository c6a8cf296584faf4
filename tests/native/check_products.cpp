// Quantization and products: against plain double arithmetic, between instruction sets, and row by row.
#include <algorithm>

#include "check.h"

namespace {

// Ordinary rows, and now and then something extreme in one of them.
std::vector<float> difficult_rows(Random& random, int64_t rows, int64_t inputs, int64_t* spoiled) {
  std::vector<float> x = gaussians(random, rows * inputs);
  *spoiled = -1;
  for (int64_t row = 0; row < rows; ++row) {
    float* values = x.data() + row * inputs;
    const double kind = static_cast<double>(between(random, 0, 99));
    if (kind < 5) std::fill(values, values + inputs, 0.0f);
    if (kind >= 5 && kind < 10) values[between(random, 0, inputs - 1)] = 1e30f;
    if (kind >= 10 && kind < 15) {
      for (int64_t k = 0; k < inputs; ++k) values[k] *= 1e-36f;
    }
    if (kind >= 15 && kind < 20) values[between(random, 0, inputs - 1)] = 3e-39f;
  }
  if (chance(random, 0.3)) {
    *spoiled = between(random, 0, rows - 1);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    x[static_cast<size_t>(*spoiled * inputs + between(random, 0, inputs - 1))] = bad[random() % 3];
  }
  return x;
}

std::vector<float> product(const RandomMatrix& weights, const std::vector<ForewordGroup>& groups, int64_t rows,
                           const std::vector<float>* onto = nullptr) {
  std::vector<float> out(static_cast<size_t>(rows * weights.outputs));
  if (onto) out = *onto;
  const ForewordMatrix matrix = weights.matrix();
  outcome.expect(foreword_matmul(&matrix, groups.data(), rows, out.data(), onto != nullptr) == FOREWORD_OK,
                 "matmul runs");
  return out;
}

}  // namespace

void check_quantize(Random& random) {
  const int64_t rows = between(random, 1, 20);
  const int64_t inputs = between(random, 1, 200);
  int64_t spoiled;
  const std::vector<float> x = difficult_rows(random, rows, inputs, &spoiled);
  std::vector<ForewordGroup> first;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    const std::vector<ForewordGroup> groups = quantized(x, rows, inputs);
    if (first.empty()) first = groups;
    bool equal = true;
    for (size_t i = 0; i < groups.size(); ++i) {
      equal = equal && std::memcmp(groups[i].values, first[i].values, 32) == 0 &&
              same(&groups[i].scale, &first[i].scale, 2) &&
              std::memcmp(groups[i].corrections, first[i].corrections, 8) == 0;
    }
    outcome.expect(equal, "quantize: " + name + " agrees");
  }
  const std::vector<double> back = dequantized(first, rows, inputs);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t k = 0; k < inputs; ++k) {
      const float* group = x.data() + row * inputs + k / 32 * 32;
      float most = 0;
      bool finite = true;
      for (int64_t i = 0; i < std::min<int64_t>(32, inputs - k / 32 * 32); ++i) {
        most = std::max(most, std::fabs(group[i]));
        finite = finite && std::isfinite(group[i]);
      }
      const double value = back[static_cast<size_t>(row * inputs + k)];
      const double wanted = static_cast<double>(x[static_cast<size_t>(row * inputs + k)]);
      const double allowed = most < 1e-30f ? 1e-30 : static_cast<double>(most) * 0.5001 / 127;
      outcome.expect(finite ? std::fabs(value - wanted) <= allowed : value != value, "quantize: error of a value");
    }
  }
}

void check_packing(Random& random) {
  const int64_t outputs = between(random, 1, 40);
  const int64_t inputs = between(random, 1, 300);
  const int32_t formats[] = {FOREWORD_INT4, FOREWORD_INT4_64, FOREWORD_INT4_128};
  const int32_t format = formats[random() % 3];
  const int64_t shared = shared_inputs(format);
  const std::vector<float> weights = gaussians(random, outputs * inputs, chance(random, 0.2) ? 1e-4f : 1.0f);
  std::vector<uint8_t> first;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    std::vector<uint8_t> packed(static_cast<size_t>(foreword_matrix_bytes(outputs, inputs, format)), 255);
    foreword_pack_int4(weights.data(), outputs, inputs, format, packed.data());
    if (first.empty()) first = packed;
    outcome.expect(packed == first, "packing: " + name + " agrees");
  }
  RandomMatrix matrix{random, outputs, inputs, format, false};
  matrix.data = first;
  for (int64_t c = 0; c < outputs; ++c) {
    for (int64_t start = 0; start < inputs; start += shared) {
      const float* group = weights.data() + c * inputs + start;
      const int64_t count = std::min<int64_t>(shared, inputs - start);
      const double low = static_cast<double>(*std::min_element(group, group + count));
      const double high = static_cast<double>(*std::max_element(group, group + count));
      double error = 0;
      for (int64_t k = 0; k < count; ++k) {
        error += std::pow(matrix.weight(c, start + k) - static_cast<double>(group[k]), 2);
      }
      // plain rounding errs by half a step at most; the fp16 minimum and scale add to that
      const double step = (high - low) / 15 + 2e-3 * std::max(std::fabs(low), std::fabs(high)) + 1e-6;
      outcome.expect(error <= static_cast<double>(count) * step * step / 4 * 1.01, "packing: error of a group");
    }
  }
}

void check_matmul(Random& random) {
  const int64_t rows = between(random, 1, 19);
  const int64_t inputs = any_inputs(random, 300);
  const int64_t outputs = between(random, 1, 70);
  const RandomMatrix weights{random, outputs, inputs, any_format(random, inputs), chance(random, 0.5)};
  int64_t spoiled;
  const std::vector<float> x = difficult_rows(random, rows, inputs, &spoiled);
  const std::vector<float> onto = gaussians(random, rows * outputs);
  const bool add = chance(random, 0.5);

  std::vector<float> first;
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));  // the same draw on every machine
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    const std::vector<float> y = product(weights, quantized(x, rows, inputs), rows, add ? &onto : nullptr);
    if (first.empty()) first = y;
    outcome.expect(same(y, first), "matmul: " + name + " agrees");
    for (int64_t row = 0; row < rows; ++row) {
      const auto from = x.begin() + row * inputs;
      const std::vector<float> alone(from, from + inputs);
      const std::vector<float> under(onto.begin() + row * outputs, onto.begin() + (row + 1) * outputs);
      const std::vector<float> own = product(weights, quantized(alone, 1, inputs), 1, add ? &under : nullptr);
      outcome.expect(same(own.data(), y.data() + row * outputs, outputs), "matmul: a row alone, " + name);
    }
  }
  outcome.record(first);

  const std::vector<double> seen = dequantized(quantized(x, rows, inputs), rows, inputs);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < outputs; ++c) {
      const float got = first[static_cast<size_t>(row * outputs + c)];
      if (row == spoiled) {
        outcome.expect(got != got, "matmul: a spoiled row says so");
        continue;
      }
      double wanted = weights.bias.empty() ? 0.0 : static_cast<double>(weights.bias[static_cast<size_t>(c)]);
      double size = std::fabs(wanted);
      for (int64_t k = 0; k < inputs; ++k) {
        const double part = weights.weight(c, k) * seen[static_cast<size_t>(row * inputs + k)];
        wanted += part;
        size += std::fabs(part);
      }
      if (add) wanted += static_cast<double>(onto[static_cast<size_t>(row * outputs + c)]);
      // float32 rounds once per group and term; scale and minimum may cancel, so the bound is on their sizes
      const double allowed = 1e-5 * (size * 20 + 1) + 1e-6 * std::fabs(wanted);
      outcome.expect(std::fabs(static_cast<double>(got) - wanted) <= allowed, "matmul: value");
    }
  }
}

// The same weights in int8 give the same bits.
void check_int5(Random& random) {
  const int64_t rows = between(random, 1, 19);
  const int64_t inputs = between(random, 1, 300);
  const int64_t outputs = between(random, 1, 70);
  const RandomMatrix five{random, outputs, inputs, FOREWORD_INT5, chance(random, 0.5)};
  RandomMatrix eight = five;
  eight.format = FOREWORD_INT8;
  eight.data.assign(static_cast<size_t>(foreword_matrix_bytes(outputs, inputs, FOREWORD_INT8)), 0);
  for (size_t group = 0; group < five.data.size() / 352; ++group) {
    const uint8_t* from = five.data.data() + 352 * group;
    uint8_t* to = eight.data.data() + 544 * group;
    std::memcpy(to + 512, from, 32);
    for (size_t at = 0; at < 256; ++at) {
      const int bits = from[288 + at % 64] >> at / 64 * 2 & 3;
      to[at] = static_cast<uint8_t>((from[32 + at] & 15) + bits / 2 * 16 - 16 + 128);
      to[at + 256] = static_cast<uint8_t>((from[32 + at] >> 4) * 2 + bits % 2 - 16 + 128);
    }
  }
  int64_t spoiled;
  const std::vector<float> x = difficult_rows(random, rows, inputs, &spoiled);
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    const std::vector<ForewordGroup> groups = quantized(x, rows, inputs);
    outcome.expect(same(product(five, groups, rows), product(eight, groups, rows)), "int5: as int8, " + name);
  }
}

void check_gate_up(Random& random) {
  const int64_t rows = between(random, 1, 19);
  const int64_t inputs = any_inputs(random, 130);
  const int64_t outputs = between(random, 1, 100);
  const RandomMatrix gate{random, outputs, inputs, any_format(random, inputs), false, 7};
  const RandomMatrix up{random, outputs, inputs, any_format(random, inputs), false, 7};
  const int32_t activation = static_cast<int32_t>(random() % 2);
  int64_t spoiled;
  const std::vector<float> x = difficult_rows(random, rows, inputs, &spoiled);
  const ForewordMatrix gate_matrix = gate.matrix();
  const ForewordMatrix up_matrix = up.matrix();
  std::vector<double> first;
  const int32_t threads = static_cast<int32_t>(between(random, 1, 3));  // the same draw on every machine
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    const std::vector<ForewordGroup> groups = quantized(x, rows, inputs);
    std::vector<ForewordGroup> out(static_cast<size_t>(foreword_groups_bytes(rows, outputs)) / sizeof(ForewordGroup));
    foreword_gate_up(&gate_matrix, &up_matrix, groups.data(), rows, activation, out.data());
    const std::vector<double> y = dequantized(out, rows, outputs);
    const std::vector<float> gates = product(gate, groups, rows);
    const std::vector<float> ups = product(up, groups, rows);
    if (first.empty()) first = y;
    for (size_t i = 0; i < y.size(); ++i) {
      outcome.expect(y[i] == first[i] || (y[i] != y[i] && first[i] != first[i]), "gate_up: " + name + " agrees");
    }
    for (int64_t row = 0; row < rows; ++row) {
      double most = 0;
      std::vector<double> wanted(static_cast<size_t>(outputs));
      for (int64_t c = 0; c < outputs; ++c) {
        const double g = static_cast<double>(gates[static_cast<size_t>(row * outputs + c)]);
        const double cube = 0.7978845608028654 * (g + 0.044715 * g * g * g);
        const double active = activation == FOREWORD_SILU ? g / (1 + std::exp(-g)) : 0.5 * g * (1 + std::tanh(cube));
        wanted[static_cast<size_t>(c)] = active * static_cast<double>(ups[static_cast<size_t>(row * outputs + c)]);
        most = std::max(most, std::fabs(wanted[static_cast<size_t>(c)]));
      }
      if (!(most < 1e18)) continue;  // cubes and products leave float32
      for (int64_t c = 0; c < outputs; ++c) {
        const double got = y[static_cast<size_t>(row * outputs + c)];
        const double up_value = static_cast<double>(ups[static_cast<size_t>(row * outputs + c)]);
        const double allowed = most / 250 + 1e-30 + 1e-36 * std::fabs(up_value);  // the exponential's floor
        const bool good = row == spoiled ? got != got : std::fabs(got - wanted[static_cast<size_t>(c)]) <= allowed;
        outcome.expect(good, "gate_up: value");
      }
    }
  }
}
