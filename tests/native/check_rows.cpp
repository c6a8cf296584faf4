// Norms, embedding rows, argmax and top-k.
#include <algorithm>
#include <numeric>

#include "check.h"

void check_norm(Random& random) {
  const int64_t rows = between(random, 1, 12);
  const int64_t size = between(random, 1, 150);
  const float epsilon = 1e-5f;
  std::vector<float> x = gaussians(random, rows * size, chance(random, 0.2) ? 1e-3f : 1.0f);
  const std::vector<float> weight = gaussians(random, size);
  const int64_t spoiled = chance(random, 0.3) ? between(random, 0, rows - 1) : -1;
  if (spoiled >= 0) x[static_cast<size_t>(spoiled * size + between(random, 0, size - 1))] = NAN;
  std::vector<float> first;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    std::vector<float> y(x.size());
    foreword_norm(x.data(), weight.data(), epsilon, rows, size, y.data());
    if (first.empty()) first = y;
    outcome.expect(same(y, first), "norm: " + name + " agrees");
    std::vector<ForewordGroup> fused(static_cast<size_t>(foreword_groups_bytes(rows, size)) / sizeof(ForewordGroup));
    foreword_norm_quantize(x.data(), weight.data(), epsilon, rows, size, fused.data());
    const std::vector<double> a = dequantized(fused, rows, size);
    const std::vector<double> b = dequantized(quantized(y, rows, size), rows, size);
    for (size_t i = 0; i < a.size(); ++i) {
      outcome.expect(a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]), "norm_quantize is quantize of norm, " + name);
    }
  }
  outcome.record(first);
  for (int64_t row = 0; row < rows; ++row) {
    double squares = 0;
    for (int64_t k = 0; k < size; ++k)
      squares += std::pow(static_cast<double>(x[static_cast<size_t>(row * size + k)]), 2);
    for (int64_t k = 0; k < size; ++k) {
      const size_t at = static_cast<size_t>(row * size + k);
      const double wanted = static_cast<double>(x[at]) / std::sqrt(squares / static_cast<double>(size) + 1e-5) *
                            static_cast<double>(weight[static_cast<size_t>(k)]);
      outcome.expect(close(static_cast<double>(first[at]), wanted, 1e-6), "norm: value");
    }
  }
}

void check_embed(Random& random) {
  const int64_t inputs = any_inputs(random, 100);
  const RandomMatrix table{random, between(random, 1, 50), inputs, any_format(random, inputs), false};
  const ForewordMatrix matrix = table.matrix();
  const int64_t rows = between(random, 1, 5);
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < rows; ++i) tokens.push_back(static_cast<int32_t>(between(random, 0, table.outputs - 1)));
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    std::vector<float> out(static_cast<size_t>(rows * table.inputs));
    foreword_embed(&matrix, tokens.data(), rows, 2.5f, out.data());
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t k = 0; k < table.inputs; ++k) {
        const double wanted = 2.5 * table.weight(tokens[static_cast<size_t>(i)], k);
        outcome.expect(close(static_cast<double>(out[static_cast<size_t>(i * table.inputs + k)]), wanted, 1e-6),
                       "embed: value, " + name);
      }
    }
  }
  tokens[0] = static_cast<int32_t>(table.outputs);
  std::vector<float> out(static_cast<size_t>(rows * table.inputs));
  outcome.expect(foreword_embed(&matrix, tokens.data(), rows, 1.0f, out.data()) == FOREWORD_BAD_ARGUMENT,
                 "embed: bounds");
}

void check_search(Random& random) {
  const int64_t size = between(random, 1, chance(random, 0.2) ? 9000 : 60);
  std::vector<float> x = gaussians(random, size);
  for (float& value : x) {
    if (chance(random, 0.3)) value = std::round(value);  // ties
    if (chance(random, 0.05)) value = NAN;
    if (chance(random, 0.02)) value = INFINITY;
    if (chance(random, 0.05)) value = -INFINITY;
  }
  if (chance(random, 0.1)) std::fill(x.begin(), x.end(), NAN);
  std::vector<int32_t> order;
  for (int64_t i = 0; i < size; ++i) {
    if (x[static_cast<size_t>(i)] == x[static_cast<size_t>(i)]) order.push_back(static_cast<int32_t>(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return x[static_cast<size_t>(a)] > x[static_cast<size_t>(b)]; });
  const int64_t k = between(random, 1, std::min<int64_t>(size, 40));
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    int32_t best = -2;
    foreword_argmax(x.data(), 1, size, &best);
    outcome.expect(best == (order.empty() ? -1 : order[0]), "argmax, " + name);
  }
  std::vector<float> values(static_cast<size_t>(k));
  std::vector<int32_t> indices(static_cast<size_t>(k));
  foreword_top_k(x.data(), 1, size, k, values.data(), indices.data());
  for (size_t i = 0; i < static_cast<size_t>(k); ++i) {
    const bool there = i < order.size();
    outcome.expect(indices[i] == (there ? order[i] : -1), "top_k: index");
    outcome.expect(values[i] == (there ? x[static_cast<size_t>(order[i])] : -INFINITY), "top_k: value");
  }
}
