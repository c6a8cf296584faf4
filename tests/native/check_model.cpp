// A whole forward of small random models: the same bits however the text is cut, on any number of threads.
#include <algorithm>
#include <memory>
#include <thread>

#include "check.h"

namespace {

struct RandomModel {
  explicit RandomModel(Random& random) {
    kv_heads = between(random, 1, 2);
    heads = kv_heads * between(random, 1, 3);
    head_size = 16 * between(random, 1, 2);
    hidden = any_inputs(random, 80);
    const int64_t inner = any_inputs(random, 90);
    const bool gemma = chance(random, 0.3);
    for (int64_t i = 0; i < 512 * head_size / 2; ++i) {
      const float angle = static_cast<float>(i / (head_size / 2)) / static_cast<float>(1 + i % (head_size / 2));
      cosines.push_back(static_cast<float>(std::cos(static_cast<double>(angle))));
      sines.push_back(static_cast<float>(std::sin(static_cast<double>(angle))));
    }
    const auto matrix = [&](int64_t outputs, int64_t inputs, bool bias) {
      matrices.push_back(std::make_unique<RandomMatrix>(random, outputs, inputs, any_format(random, inputs), bias, 5));
      return matrices.back()->matrix();
    };
    const auto norm = [&](int64_t size) {
      norms.push_back(gaussians(random, size));
      return norms.back().data();
    };
    norms.reserve(100);
    for (int64_t i = 0, count = between(random, 1, 3); i < count; ++i) {
      ForewordLayer layer{};
      layer.attention_norm = norm(hidden);
      layer.query = matrix(heads * head_size, hidden, chance(random, 0.5));
      layer.key = matrix(kv_heads * head_size, hidden, chance(random, 0.5));
      layer.value = matrix(kv_heads * head_size, hidden, chance(random, 0.5));
      layer.output = matrix(hidden, heads * head_size, false);
      layer.attention = {heads,   kv_heads, head_size, chance(random, 0.3) ? 7 : 0, 0.25f, 1e-6f, nullptr,
                         nullptr, nullptr,  nullptr};
      if (chance(random, 0.5)) layer.attention.query_norm = norm(head_size), layer.attention.key_norm = norm(head_size);
      if (chance(random, 0.8)) layer.attention.cosines = cosines.data(), layer.attention.sines = sines.data();
      layer.feed_forward_norm = norm(hidden);
      layer.gate = matrix(inner, hidden, false);
      layer.up = matrix(inner, hidden, false);
      layer.down = matrix(hidden, inner, false);
      if (gemma) layer.post_attention_norm = norm(hidden), layer.post_feed_forward_norm = norm(hidden);
      layers.push_back(layer);
    }
    const ForewordMatrix embedding = matrix(vocabulary, hidden, false);
    const ForewordMatrix head = chance(random, 0.5) ? embedding : matrix(vocabulary, hidden, false);
    const ForewordModel model{embedding, head,  norm(hidden),        layers.data(), static_cast<int64_t>(layers.size()),
                              hidden,    1e-5f, gemma ? 3.0f : 1.0f, gemma ? 1 : 0, 0};
    handle = foreword_model_new(&model);
  }
  ~RandomModel() { foreword_model_free(handle); }
  RandomModel(const RandomModel&) = delete;
  RandomModel& operator=(const RandomModel&) = delete;

  static constexpr int64_t vocabulary = 37;
  int64_t heads, kv_heads, head_size, hidden;
  std::vector<float> cosines, sines;
  std::vector<std::unique_ptr<RandomMatrix>> matrices;
  std::vector<std::vector<float>> norms;
  std::vector<ForewordLayer> layers;
  void* handle;
};

// Logits and hidden states of all tokens, the text cut into the given calls.
std::vector<float> read(const RandomModel& model, const std::vector<int32_t>& tokens,
                        const std::vector<int64_t>& calls) {
  const int64_t bytes = foreword_page_bytes(static_cast<int64_t>(model.layers.size()), model.kv_heads, model.head_size);
  std::vector<std::vector<uint16_t>> memory(2, std::vector<uint16_t>(static_cast<size_t>(bytes / 2), 0x7e00));
  uint16_t* pages[] = {memory[0].data(), memory[1].data()};
  std::vector<float> logits(tokens.size() * RandomModel::vocabulary);
  std::vector<float> hidden(tokens.size() * static_cast<size_t>(model.hidden));
  int64_t position = 0;
  for (int64_t call : calls) {
    const int32_t error =
        foreword_forward(model.handle, tokens.data() + position, call, position, pages, call,
                         logits.data() + position * RandomModel::vocabulary, hidden.data() + position * model.hidden);
    outcome.expect(error == FOREWORD_OK, "forward runs");
    position += call;
  }
  logits.insert(logits.end(), hidden.begin(), hidden.end());
  return logits;
}

}  // namespace

void check_model(Random& random) {
  const RandomModel model(random);
  const int64_t length = chance(random, 0.2) ? between(random, 257, 400) : between(random, 1, 40);
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < length; ++i)
    tokens.push_back(static_cast<int32_t>(between(random, 0, RandomModel::vocabulary - 1)));
  std::vector<int64_t> calls;
  for (int64_t left = length; left > 0; left -= calls.back()) calls.push_back(std::min(left, between(random, 1, 30)));
  std::vector<float> first;
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));  // the same draw on every machine
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    const std::vector<float> whole = read(model, tokens, {length});
    if (first.empty()) first = whole;
    outcome.expect(same(whole, first), "forward: " + name + " agrees");
    outcome.expect(same(read(model, tokens, calls), first), "forward: in parts, " + name);
  }
  outcome.record(first);
  for (float value : first) outcome.expect(std::isfinite(value), "forward: finite");

  // The last rows only are the last rows of all.
  foreword_use("");
  const int64_t rows = between(random, 1, std::min<int64_t>(length, 300));
  const int64_t bytes = foreword_page_bytes(static_cast<int64_t>(model.layers.size()), model.kv_heads, model.head_size);
  std::vector<std::vector<uint16_t>> memory(2, std::vector<uint16_t>(static_cast<size_t>(bytes / 2)));
  uint16_t* pages[] = {memory[0].data(), memory[1].data()};
  std::vector<float> last(static_cast<size_t>(rows * RandomModel::vocabulary));
  foreword_forward(model.handle, tokens.data(), length, 0, pages, rows, last.data(), nullptr);
  outcome.expect(
      same(last.data(), first.data() + (length - rows) * RandomModel::vocabulary, static_cast<int64_t>(last.size())),
      "forward: last rows");
}

// Callers on several threads, while the number of workers changes under them.
void check_pool(Random& random) {
  foreword_use("");
  const RandomMatrix weights{random, 64, 64, FOREWORD_INT4, false};
  const std::vector<float> x = gaussians(random, 64);
  const ForewordMatrix matrix = weights.matrix();
  const std::vector<ForewordGroup> groups = quantized(x, 1, 64);
  std::vector<float> wanted(64);
  foreword_matmul(&matrix, groups.data(), 1, wanted.data(), 0);
  const auto work = [&] {
    std::vector<float> y(64);
    bool good = true;
    for (int i = 0; i < 30; ++i) {
      foreword_matmul(&matrix, groups.data(), 1, y.data(), 0);
      good = good && same(y, wanted);
    }
    return good;
  };
  bool one = false, two = false;
  std::thread first([&] { one = work(); });
  std::thread second([&] { two = work(); });
  for (int i = 0; i < 5; ++i) foreword_set_threads(static_cast<int32_t>(between(random, 1, 4)));
  first.join();
  second.join();
  outcome.expect(one && two, "pool: concurrent callers");
}
