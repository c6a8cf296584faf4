// Attention over pages: against a plain softmax in double, and the same bits however the text is cut into calls.
#include <algorithm>

#include "check.h"

namespace {

struct Text {
  std::vector<float> q, k, v;
};

std::vector<double> normed(const float* head, const float* weight, float epsilon, int64_t size) {
  std::vector<double> out(head, head + size);
  if (!weight) return out;
  double squares = 0;
  for (double value : out) squares += value * value;
  for (int64_t i = 0; i < size; ++i) {
    out[static_cast<size_t>(i)] *=
        static_cast<double>(weight[i]) / std::sqrt(squares / static_cast<double>(size) + static_cast<double>(epsilon));
  }
  return out;
}

std::vector<double> rotated(std::vector<double> head, const ForewordAttention& a, int64_t position) {
  const size_t half = head.size() / 2;
  if (!a.cosines) return head;
  for (size_t i = 0; i < half; ++i) {
    const double c = static_cast<double>(a.cosines[static_cast<size_t>(position) * half + i]);
    const double s = static_cast<double>(a.sines[static_cast<size_t>(position) * half + i]);
    const double low = head[i], high = head[half + i];
    head[i] = low * c - high * s;
    head[half + i] = high * c + low * s;
  }
  return head;
}

double brain(double value) {  // to the nearest bfloat16
  uint32_t bits;
  const float single = static_cast<float>(value);
  std::memcpy(&bits, &single, sizeof bits);
  bits = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  float rounded;
  std::memcpy(&rounded, &bits, sizeof rounded);
  return static_cast<double>(rounded);
}

// A head as a cache of so many bits gives it back, straight from the layout's description.
std::vector<double> kept(std::vector<double> head, int bits) {
  if (bits == 16) return head;
  const size_t group = head.size() % 32 == 0 ? 32 : 16;
  for (size_t start = 0; start < head.size(); start += group) {
    double low = head[start], high = head[start];
    for (size_t i = start; i < start + group; ++i) low = std::min(low, head[i]), high = std::max(high, head[i]);
    const double most = bits == 8 ? 127 : (1 << bits) - 1;
    const double least = bits == 8 ? -most : 0;
    std::vector<double> best;
    double smallest = INFINITY;
    for (double part : bits == 2 ? std::vector<double>{1, 0.9, 0.8, 0.7} : std::vector<double>{1}) {
      const double scale = brain((bits == 8 ? std::max(-low, high) : (high - low) * part) / most);
      const double minimum = bits == 8 ? 0 : brain(low + (high - low) * (1 - part) / 2);
      std::vector<double> back;
      double missed = 0;
      for (size_t i = start; i < start + group; ++i) {
        const double q = scale > 0 ? std::nearbyint((head[i] - minimum) / scale) : 0;
        back.push_back(scale * std::max(least, std::min(most, q)) + minimum);
        missed += (back.back() - head[i]) * (back.back() - head[i]);
      }
      if (missed < smallest) smallest = missed, best = back;
    }
    std::copy(best.begin(), best.end(), head.begin() + static_cast<int64_t>(start));
  }
  return head;
}

// Times the Hadamard matrix of the largest power of two that divides the size, one run of so many after the other.
std::vector<double> mixed(const std::vector<double>& head) {
  size_t run = 1;
  while (head.size() % (2 * run) == 0) run *= 2;
  std::vector<double> out(head.size());
  for (size_t i = 0; i < head.size(); ++i) {
    for (size_t j = 0; j < run; ++j) {
      size_t shared = i % run & j, ones = 0;
      for (; shared; shared >>= 1) ones += shared & 1;
      out[i] += (ones % 2 ? -1 : 1) * head[i / run * run + j];
    }
    out[i] /= std::sqrt(static_cast<double>(run));
  }
  return out;
}

std::vector<double> reference(const ForewordAttention& a, const Text& text, int64_t length, int bits) {
  const int64_t size = a.head_size;
  std::vector<double> out(static_cast<size_t>(length * a.heads * size));
  std::vector<std::vector<double>> keys, values;
  for (int64_t i = 0; i < length * a.kv_heads; ++i) {
    const float* value = text.v.data() + i * size;
    std::vector<double> key = normed(text.k.data() + i * size, a.key_norm, a.epsilon, size);
    std::vector<double> same(key.size());  // in every key, and not kept
    for (size_t d = 0; d < key.size() && a.key_offsets && bits <= 4; ++d) {
      same[d] = static_cast<double>(a.key_offsets[(static_cast<size_t>(i % a.kv_heads * size) + d) * 16]);
      key[d] -= same[d];
    }
    key = kept(rotated(key, a, i / a.kv_heads), bits <= 4 ? 5 : bits);
    same = rotated(same, a, i / a.kv_heads);
    for (size_t d = 0; d < key.size(); ++d) key[d] += same[d];
    keys.push_back(key);
    std::vector<double> row(value, value + size);
    if (bits == 2) row = mixed(row);
    row = kept(row, bits);
    values.push_back(bits == 2 ? mixed(row) : row);
  }
  for (int64_t row = 0; row < length; ++row) {
    for (int64_t head = 0; head < a.heads; ++head) {
      const int64_t kv = head / (a.heads / a.kv_heads);
      const auto q =
          rotated(normed(text.q.data() + (row * a.heads + head) * size, a.query_norm, a.epsilon, size), a, row);
      const int64_t oldest = a.window > 0 ? std::max<int64_t>(0, row - a.window + 1) : 0;
      std::vector<double> scores;
      for (int64_t k = oldest; k <= row; ++k) {
        double score = 0;
        for (int64_t d = 0; d < size; ++d) {
          score += q[static_cast<size_t>(d)] * keys[static_cast<size_t>(k * a.kv_heads + kv)][static_cast<size_t>(d)];
        }
        scores.push_back(score * static_cast<double>(a.scale));
      }
      const double most = *std::max_element(scores.begin(), scores.end());
      double weight = 0;
      for (double& score : scores) weight += score = std::exp(score - most);
      for (int64_t d = 0; d < size; ++d) {
        double total = 0;
        for (int64_t k = oldest; k <= row; ++k) {
          total += scores[static_cast<size_t>(k - oldest)] *
                   values[static_cast<size_t>(k * a.kv_heads + kv)][static_cast<size_t>(d)];
        }
        out[static_cast<size_t>((row * a.heads + head) * size + d)] = total / weight;
      }
    }
  }
  return out;
}

// The text in calls of the given lengths, over pages full of NaN.
std::vector<float> attended(const ForewordAttention& a, const Text& text, const std::vector<int64_t>& calls, int bits) {
  int64_t length = 0;
  for (int64_t call : calls) length += call;
  const int64_t page_size = foreword_page_bytes(2, a.kv_heads, a.head_size, bits) / 2;
  std::vector<std::vector<uint16_t>> memory(static_cast<size_t>(length + 255) / 256,
                                            std::vector<uint16_t>(static_cast<size_t>(page_size), 0x7e00));
  std::vector<uint16_t*> pages;
  for (auto& page : memory) {
    const int64_t told = bits;
    std::memcpy(page.data(), &told, sizeof told);
    pages.push_back(page.data());
  }
  std::vector<float> out(text.q.size());
  int64_t position = 0;
  for (int64_t call : calls) {
    const int64_t q_row = a.heads * a.head_size;
    const int64_t kv_row = a.kv_heads * a.head_size;
    std::vector<float> q(text.q.begin() + position * q_row, text.q.begin() + (position + call) * q_row);
    std::vector<float> k(text.k.begin() + position * kv_row, text.k.begin() + (position + call) * kv_row);
    const int32_t error = foreword_attention(&a, q.data(), k.data(), text.v.data() + position * kv_row, call, position,
                                             pages.data(), 1, out.data() + position * q_row);
    outcome.expect(error == FOREWORD_OK, "attention runs");
    position += call;
  }
  return out;
}

}  // namespace

void check_attention(Random& random) {
  ForewordAttention a{};
  a.kv_heads = between(random, 1, 3);
  a.heads = a.kv_heads * between(random, 1, 5);
  a.head_size = 16 * between(random, 1, 6);
  a.window = chance(random, 0.4) ? between(random, 1, 300) : 0;
  a.scale = 1.0f / std::sqrt(static_cast<float>(a.head_size));
  a.epsilon = 1e-6f;
  const int64_t length = chance(random, 0.3) ? between(random, 250, 560) : between(random, 1, 60);
  const std::vector<float> query_norm = gaussians(random, a.head_size);
  const std::vector<float> key_norm = gaussians(random, a.head_size);
  const int64_t half = a.head_size / 2;
  const std::vector<float> turns = gaussians(random, half);  // of a pair from one position to the next
  std::vector<float> cosines, sines;
  for (int64_t i = 0; i < std::max<int64_t>(length, 16) * half; ++i) {
    const double angle = static_cast<double>(i / half) * static_cast<double>(turns[static_cast<size_t>(i % half)]);
    cosines.push_back(static_cast<float>(std::cos(angle)));
    sines.push_back(static_cast<float>(std::sin(angle)));
  }
  if (chance(random, 0.5)) a.query_norm = query_norm.data(), a.key_norm = key_norm.data();
  if (chance(random, 0.7)) a.cosines = cosines.data(), a.sines = sines.data();
  Text text{gaussians(random, length * a.heads * a.head_size), gaussians(random, length * a.kv_heads * a.head_size),
            gaussians(random, length * a.kv_heads * a.head_size)};
  std::vector<float> bias = gaussians(random, a.kv_heads * a.head_size), offsets;
  if (a.cosines && !a.key_norm && chance(random, 0.7)) {
    for (size_t i = 0; i < bias.size(); ++i) {
      const size_t d = i % static_cast<size_t>(a.head_size), pair = d % static_cast<size_t>(half);
      const size_t other =
          d < static_cast<size_t>(half) ? i + static_cast<size_t>(half) : i - static_cast<size_t>(half);
      for (size_t j = 0; j < 16; ++j) {
        const float sine = sines[j * static_cast<size_t>(half) + pair];
        offsets.push_back(20.0f * (bias[i] * cosines[j * static_cast<size_t>(half) + pair] +
                                   bias[other] * (d < static_cast<size_t>(half) ? -sine : sine)));
      }
    }
    for (size_t i = 0; i < text.k.size(); ++i) text.k[i] += 20.0f * bias[i % bias.size()];
    a.key_offsets = offsets.data();
  }

  std::vector<int64_t> calls;
  for (int64_t left = length; left > 0; left -= calls.back()) {
    calls.push_back(std::min(left, between(random, 1, chance(random, 0.5) ? 8 : 100)));
  }
  std::vector<float> first;
  const int bits = std::vector<int>{16, 8, 4, 2}[static_cast<size_t>(between(random, 0, 3))];
  const int32_t threads = static_cast<int32_t>(between(random, 1, 3));  // the same draw on every machine
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    const std::vector<float> whole = attended(a, text, {length}, bits);
    if (first.empty()) first = whole;
    outcome.expect(same(whole, first), "attention: " + name + " agrees");
    outcome.expect(same(attended(a, text, calls, bits), first), "attention: in parts, " + name);
  }
  outcome.record(first);
  const std::vector<double> wanted = reference(a, text, length, bits);
  // keys and values are halves: 2^-11 of each, more where weights are spread over few keys; of few bits, one that lies
  // between two steps may go either way, which is seldom, so that the mean tells
  const double tolerance = bits == 2 ? 0.5 : bits == 4 ? 0.1 : 0.02;
  double difference = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!outcome.expect(close(static_cast<double>(first[i]), wanted[i], tolerance), "attention: value")) break;
    difference += std::fabs(static_cast<double>(first[i]) - wanted[i]);
  }
  outcome.expect(difference < 0.005 * static_cast<double>(wanted.size()), "attention: values in the mean");

  // A NaN at one position is seen from there on only, and a later query's never.
  const int64_t bad = between(random, 0, length - 1);
  Text spoiled = text;
  spoiled.v[static_cast<size_t>(bad * a.kv_heads * a.head_size)] = NAN;
  spoiled.q[static_cast<size_t>(bad * a.heads * a.head_size)] = NAN;
  foreword_use("");
  const std::vector<float> around = attended(a, spoiled, {length}, bits);
  outcome.expect(same(around.data(), first.data(), bad * a.heads * a.head_size), "attention: rows before a NaN");
  outcome.expect(around[static_cast<size_t>(bad * a.heads * a.head_size)] !=
                     around[static_cast<size_t>(bad * a.heads * a.head_size)],
                 "attention: a NaN stays one");
  if (a.window > 0 && bad + a.window < length) {
    const int64_t after = (bad + a.window) * a.heads * a.head_size;
    outcome.expect(same(around.data() + after, first.data() + after, static_cast<int64_t>(first.size()) - after),
                   "attention: rows past the window of a NaN");
  }
}
