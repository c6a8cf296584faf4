// A whole forward of small random models: the same bits however the text is cut, on any number of threads.
#include <algorithm>
#include <thread>

#include "random_model.h"

namespace {

// Logits, hidden states and features of all tokens, the text cut into the given calls.
std::vector<float> read(const RandomModel& model, const std::vector<int32_t>& tokens, const std::vector<int64_t>& calls,
                        int64_t bits) {
  const int64_t bytes = foreword_page_bytes(static_cast<int64_t>(model.layers.size()), model.kv_heads, model.head_size,
                                            static_cast<int32_t>(bits));
  std::vector<std::vector<uint16_t>> memory(2, std::vector<uint16_t>(static_cast<size_t>(bytes / 2), 0x7e00));
  uint16_t* pages[] = {memory[0].data(), memory[1].data()};
  for (uint16_t* page : pages) std::memcpy(page, &bits, sizeof bits);
  std::vector<float> logits(tokens.size() * RandomModel::vocabulary);
  std::vector<float> hidden(tokens.size() * static_cast<size_t>(model.hidden));
  const int64_t last = model.model.layer_count - 1;
  const int64_t depths[] = {last, 0};
  std::vector<float> features(tokens.size() * 2 * static_cast<size_t>(model.hidden));
  int64_t position = 0;
  for (int64_t call : calls) {
    foreword_observe(model.handle, depths, 2, features.data() + position * 2 * model.hidden);
    const int32_t error =
        foreword_forward(model.handle, tokens.data() + position, call, position, pages, call,
                         logits.data() + position * RandomModel::vocabulary, hidden.data() + position * model.hidden);
    outcome.expect(error == FOREWORD_OK, "forward runs");
    position += call;
  }
  foreword_observe(model.handle, nullptr, 0, nullptr);
  const int64_t at = position - 1;
  std::vector<float> normed(static_cast<size_t>(model.hidden));
  foreword_norm(features.data() + at * 2 * model.hidden, model.model.final_norm, model.model.epsilon, 1, model.hidden,
                normed.data());
  outcome.expect(same(normed.data(), hidden.data() + at * model.hidden, model.hidden), "features: of the last layer");
  logits.insert(logits.end(), hidden.begin(), hidden.end());
  logits.insert(logits.end(), features.begin(), features.end());
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
  const int64_t bits = std::vector<int64_t>{16, 8, 4, 2}[static_cast<size_t>(between(random, 0, 3))];
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));  // the same draw on every machine
  int64_t fetching = between(random, 0, 9);                             // says nothing in the result
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    foreword_fetch_from(fetching);
    const std::vector<float> whole = read(model, tokens, {length}, bits);
    if (first.empty()) first = whole;
    outcome.expect(same(whole, first), "forward: " + name + " agrees");
    outcome.expect(same(read(model, tokens, calls, bits), first), "forward: in parts, " + name);
    fetching = fetching > 0 ? 0 : 1;
  }
  foreword_fetch_from(0);
  outcome.record(first);
  for (float value : first) outcome.expect(std::isfinite(value), "forward: finite");

  // The last rows only are the last rows of all.
  foreword_use("");
  const int64_t missing = static_cast<int64_t>(model.layers.size());
  outcome.expect(foreword_observe(model.handle, &missing, 1, first.data()) == FOREWORD_BAD_ARGUMENT,
                 "features: of a layer that is not there");
  const int64_t rows = between(random, 1, std::min<int64_t>(length, 300));
  const int64_t bytes = foreword_page_bytes(static_cast<int64_t>(model.layers.size()), model.kv_heads, model.head_size,
                                            static_cast<int32_t>(bits));
  std::vector<std::vector<uint16_t>> memory(2, std::vector<uint16_t>(static_cast<size_t>(bytes / 2)));
  uint16_t* pages[] = {memory[0].data(), memory[1].data()};
  for (uint16_t* page : pages) std::memcpy(page, &bits, sizeof bits);
  std::vector<float> last(static_cast<size_t>(rows * RandomModel::vocabulary));
  foreword_forward(model.handle, tokens.data(), length, 0, pages, rows, last.data(), nullptr);
  outcome.expect(
      same(last.data(), first.data() + (length - rows) * RandomModel::vocabulary, static_cast<int64_t>(last.size())),
      "forward: last rows");
}

// Callers on several threads, while the number of workers changes under them and some are lent and taken back.
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
  const int64_t seed = between(random, 0, 1 << 30);
  std::thread lender([&] {
    Random own(static_cast<uint32_t>(seed));
    for (int i = 0; i < 30; ++i) foreword_lend(static_cast<int32_t>(between(own, 0, 3)));
  });
  for (int i = 0; i < 5; ++i) foreword_set_threads(static_cast<int32_t>(between(random, 1, 4)));
  first.join();
  second.join();
  lender.join();
  foreword_lend(0);
  outcome.expect(foreword_lend(-1) == FOREWORD_BAD_ARGUMENT, "pool: lends less than nothing");
  outcome.expect(one && two, "pool: concurrent callers");
}
