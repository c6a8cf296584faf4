// What is drawn from keeps to the filters, in the same bits from every instruction set; and what is said was in it.
#include <algorithm>
#include <limits>

#include "check.h"

namespace {

struct Case {
  ForewordSampling sampling{};
  int64_t rows = 1, size = 1;
  std::vector<float> logits;
  std::vector<int32_t> draft, seen;
  bool odd = false;  // with what is no number
};

Case any_case(Random& random) {
  Case c;
  const auto token = [&] { return static_cast<int32_t>(between(random, -1, c.size)); };  // sometimes beyond
  c.rows = between(random, 1, 4);
  c.size = between(random, 1, chance(random, 0.3) ? 3000 : 70);
  c.logits = gaussians(random, c.rows * c.size, chance(random, 0.3) ? 0.01f : 4.0f);
  c.sampling.temperature = chance(random, 0.2) ? 0.0f : static_cast<float>(between(random, 1, 30)) / 10.0f;
  c.sampling.top_k = chance(random, 0.4) ? between(random, 1, c.size + 3) : 0;
  c.sampling.top_p = chance(random, 0.4) ? static_cast<float>(between(random, 0, 99)) / 100.0f : 1.0f;
  c.sampling.min_p = chance(random, 0.3) ? static_cast<float>(between(random, 1, 99)) / 100.0f : 0.0f;
  c.sampling.repetition_penalty = chance(random, 0.3) ? static_cast<float>(between(random, 5, 30)) / 10.0f : 1.0f;
  for (int64_t i = 1; i < c.rows; ++i) c.draft.push_back(token());
  for (int64_t i = between(random, 0, 6); i > 0; --i) c.seen.push_back(token());
  for (float& logit : c.logits) {
    if (chance(random, 0.1)) logit = std::round(logit);  // ties
  }
  if (chance(random, 0.2)) {
    c.odd = true;
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; ++i) {
      c.logits[static_cast<size_t>(between(random, 0, c.rows * c.size - 1))] = odd[between(random, 0, 2)];
    }
  }
  return c;
}

std::vector<float> distribution(const Case& c) {
  std::vector<float> out(c.logits.size(), -1.0f);
  const int32_t status = foreword_distribution(&c.sampling, c.logits.data(), c.rows, c.size, c.draft.data(), c.rows - 1,
                                               c.seen.data(), static_cast<int64_t>(c.seen.size()), out.data());
  outcome.expect(status == FOREWORD_OK, "distribution: status");
  return out;
}

// The logits of a row after the penalty, as the paper has it.
std::vector<double> penalized(const Case& c, int64_t row) {
  const float* from = c.logits.data() + row * c.size;
  std::vector<double> values(from, from + c.size);
  const auto pay = [&](int32_t token) {
    if (token < 0 || token >= c.size) return;
    const double logit = static_cast<double>(from[token]), penalty = static_cast<double>(c.sampling.repetition_penalty);
    values[static_cast<size_t>(token)] = logit > 0 ? logit / penalty : logit * penalty;
  };
  for (int32_t token : c.seen) pay(token);
  for (int64_t i = 0; i < row; ++i) pay(c.draft[static_cast<size_t>(i)]);
  return values;
}

void check_row(const Case& c, int64_t row, const float* p) {
  const std::vector<double> logits = penalized(c, row);
  const double best = *std::max_element(logits.begin(), logits.end());
  std::vector<double> weights;
  double all = 0, kept = 0, least = 2, most_dropped = 0, sum = 0;
  int64_t count = 0;
  for (double logit : logits) weights.push_back(std::exp((logit - best) / static_cast<double>(c.sampling.temperature)));
  std::vector<double> sorted = weights;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const int64_t k = c.sampling.top_k > 0 ? std::min(c.sampling.top_k, c.size) : c.size;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= sorted[static_cast<size_t>(k - 1)]) all += weights[i];
    sum += static_cast<double>(p[i]);
    if (p[i] > 0) {
      ++count;
      kept += weights[i];
      least = std::min(least, weights[i]);
    } else {
      most_dropped = std::max(most_dropped, weights[i]);
    }
  }
  outcome.expect(std::fabs(sum - 1) < 1e-4, "distribution: sum");
  outcome.expect(most_dropped <= least * (1 + 1e-4) || most_dropped < 1e-30, "distribution: the likeliest are kept");
  for (size_t i = 0; i < weights.size(); ++i) {
    if (p[i] > 0) outcome.expect(close(static_cast<double>(p[i]), weights[i] / kept, 1e-4), "distribution: share");
  }
  const double min_p = static_cast<double>(c.sampling.min_p), top_p = static_cast<double>(c.sampling.top_p);
  outcome.expect(least >= min_p * (1 - 1e-4), "distribution: min_p");
  outcome.expect(least >= sorted[static_cast<size_t>(k - 1)] * (1 - 1e-4), "distribution: top_k");
  if (min_p == 0 && count < c.size && sorted[static_cast<size_t>(count)] > 1e-30) {
    outcome.expect(kept >= top_p * all - 1e-3 * all || count >= k, "distribution: the nucleus has enough");
  }
  int64_t above = 0;  // strictly likelier than the least that is kept
  double before = 0;
  for (double weight : weights) {
    if (weight > least * (1 + 1e-4)) {
      ++above;
      before += weight;
    }
  }
  outcome.expect(above == 0 || before < top_p * all + 1e-3 * all, "distribution: the nucleus has no more");
}

void check_saying(const Case& c, const std::vector<float>& p, Random& random) {
  std::vector<double> chances;
  for (int64_t i = 0; i < c.rows; ++i) chances.push_back(static_cast<double>(random() >> 11) * 0x1p-53);
  std::vector<int32_t> first;
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    std::vector<int32_t> said(static_cast<size_t>(c.rows), -7);
    ForewordSaying saying{c.sampling,     c.logits.data(),
                          c.rows,         c.size,
                          c.draft.data(), chances.data(),
                          c.seen.data(),  static_cast<int64_t>(c.seen.size()),
                          said.data(),    0};
    outcome.expect(foreword_say(&saying) == FOREWORD_OK, "say: status");
    if (!outcome.expect(saying.count >= 1 && saying.count <= c.rows, "say: count")) return;
    said.resize(static_cast<size_t>(saying.count));
    if (first.empty()) first = said;
    outcome.expect(said == first, "say: " + name + " agrees");
    for (size_t i = 0; i < said.size(); ++i) {
      if (!outcome.expect(said[i] >= 0 && said[i] < c.size, "say: a token")) return;
      outcome.expect(i + 1 == said.size() || said[i] == c.draft[i], "say: up to what differs from the draft");
      if (c.sampling.temperature == 0.0f || c.odd) continue;
      const float* row = p.data() + static_cast<int64_t>(i) * c.size;
      double reached = 0;
      for (int32_t token = 0; token < said[i]; ++token) reached += static_cast<double>(row[token]);
      outcome.expect(row[said[i]] > 0, "say: of what is kept");
      outcome.expect(reached <= chances[i] + 1e-4 && reached + static_cast<double>(row[said[i]]) >= chances[i] - 1e-4,
                     "say: where the chance falls");
    }
  }
}

}  // namespace

void check_sampling(Random& random) {
  const Case c = any_case(random);
  std::vector<float> first;
  if (c.sampling.temperature > 0) {
    for (const std::string& name : instruction_sets()) {
      foreword_use(name.c_str());
      const std::vector<float> p = distribution(c);
      if (first.empty()) first = p;
      outcome.expect(same(p, first), "distribution: " + name + " agrees");
    }
    outcome.record(first);
    for (int64_t row = 0; row < c.rows && !c.odd; ++row) check_row(c, row, first.data() + row * c.size);
  }
  check_saying(c, first, random);
}
