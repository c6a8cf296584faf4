// A trained head drafts the tokens that the single kernels give when they are called one after another.
#include <algorithm>

#include "random_model.h"

namespace {

struct RandomHead {
  explicit RandomHead(Random& random) : base(random), hidden(base.hidden) {
    const auto matrix = [&](int64_t outputs, int64_t inputs) {
      base.matrices.push_back(
          std::make_unique<RandomMatrix>(random, outputs, inputs, any_format(random, inputs), false, 5));
      return base.matrices.back()->matrix();
    };
    const auto norm = [&] {
      base.norms.push_back(gaussians(random, hidden));
      return base.norms.back().data();
    };
    head = {base.model.embedding,
            matrix(hidden, 3 * hidden),
            matrix(hidden, 2 * hidden),
            matrix(19, hidden),
            norm(),
            norm(),
            norm(),
            base.layers.data(),
            vocabulary,
            hidden,
            1e-5f,
            0};
    for (int32_t i = 0; i < 19; ++i) vocabulary[i] = 2 * i;  // < RandomModel::vocabulary
    handle = foreword_head_new(&head);
  }
  ~RandomHead() { foreword_head_free(handle); }
  RandomHead(const RandomHead&) = delete;
  RandomHead& operator=(const RandomHead&) = delete;

  RandomModel base;
  int64_t hidden;
  int32_t vocabulary[19];
  ForewordHead head;
  void* handle;
};

struct Text {
  explicit Text(const RandomHead& head)
      : memory(2, std::vector<uint16_t>(
                      static_cast<size_t>(foreword_page_bytes(1, head.base.kv_heads, head.base.head_size, 16) / 2),
                      0x7e00)),
        pages{memory[0].data(), memory[1].data()} {}
  std::vector<std::vector<uint16_t>> memory;
  uint16_t* pages[2];
};

std::vector<float> product(const ForewordMatrix& matrix, const std::vector<float>& x) {
  std::vector<float> y(static_cast<size_t>(matrix.outputs));
  foreword_matmul(&matrix, quantized(x, 1, matrix.inputs).data(), 1, y.data(), 0);
  return y;
}
std::vector<float> normed(const std::vector<float>& x, const float* weight, float epsilon) {
  std::vector<float> y(x.size());
  foreword_norm(x.data(), weight, epsilon, 1, static_cast<int64_t>(x.size()), y.data());
  return y;
}
void add(std::vector<float>& x, std::vector<float> y, const float* post_norm, float epsilon) {
  if (post_norm) y = normed(y, post_norm, epsilon);
  for (size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

// One entry, step by step: what it reads in, its layer, its output.
std::vector<float> entry(const RandomHead& head, int32_t token, const std::vector<float>& g, int64_t position,
                         Text& text) {
  const ForewordLayer& layer = *head.head.layer;
  const float epsilon = head.head.epsilon;
  std::vector<float> embedded(static_cast<size_t>(head.hidden));
  foreword_embed(&head.head.embedding, &token, 1, 1.0f, embedded.data());
  std::vector<float> pair = normed(embedded, head.head.embedding_norm, epsilon);
  const std::vector<float> features = normed(g, head.head.feature_norm, epsilon);
  pair.insert(pair.end(), features.begin(), features.end());
  std::vector<float> x = product(head.head.join, pair);
  const std::vector<float> y = normed(x, layer.attention_norm, epsilon);
  std::vector<float> q = product(layer.query, y), k = product(layer.key, y), v = product(layer.value, y);
  std::vector<float> mixed(q.size());
  foreword_attention(&layer.attention, q.data(), k.data(), v.data(), 1, position, text.pages, 0, mixed.data());
  add(x, product(layer.output, mixed), layer.post_attention_norm, epsilon);
  const std::vector<ForewordGroup> groups = quantized(normed(x, layer.feed_forward_norm, epsilon), 1, head.hidden);
  std::vector<ForewordGroup> inner(static_cast<size_t>(foreword_groups_bytes(1, layer.gate.outputs)) /
                                   sizeof(ForewordGroup));
  foreword_gate_up(&layer.gate, &layer.up, groups.data(), 1, FOREWORD_SILU, inner.data());
  std::vector<float> down(x.size());
  foreword_matmul(&layer.down, inner.data(), 1, down.data(), 0);
  add(x, down, layer.post_feed_forward_norm, epsilon);
  return x;
}

// The likeliest token, and what the head gives it.
int32_t likeliest(const RandomHead& head, const std::vector<float>& h, double& share) {
  const std::vector<float> logits = product(head.head.output, normed(h, head.head.output_norm, head.head.epsilon));
  int32_t best = 0;
  foreword_argmax(logits.data(), 1, static_cast<int64_t>(logits.size()), &best);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - logits[static_cast<size_t>(best)]);
  share = 1 / sum;
  return head.vocabulary[best];
}

// `k` tokens after all of `tokens`; chances: of the draft so far, token by token.
std::vector<int32_t> one_by_one(const RandomHead& head, const std::vector<int32_t>& tokens,
                                const std::vector<float>& features, int64_t k, std::vector<double>& chances) {
  Text text(head);
  const std::vector<float> ones(static_cast<size_t>(head.hidden), 1.0f);
  std::vector<float> h;
  int64_t position = 0;
  for (const int32_t token : tokens) {
    std::vector<float> wide;
    for (int64_t depth = 0; depth < 3; ++depth) {
      const float* feature = features.data() + (position * 3 + depth) * head.hidden;
      const std::vector<float> even = normed({feature, feature + head.hidden}, ones.data(), head.head.epsilon);
      wide.insert(wide.end(), even.begin(), even.end());
    }
    h = entry(head, token, product(head.head.fuse, wide), position++, text);
  }
  double share = 1;
  std::vector<int32_t> draft{likeliest(head, h, share)};
  chances = {share};
  while (static_cast<int64_t>(draft.size()) < k) {
    h = entry(head, draft.back(), h, position++, text);
    draft.push_back(likeliest(head, h, share));
    chances.push_back(chances.back() * share);
  }
  return draft;
}

// The same, the text read in two calls.
std::vector<int32_t> drafted(const RandomHead& head, const std::vector<int32_t>& tokens,
                             const std::vector<float>& features, int64_t first, int64_t k, float least) {
  Text text(head);
  const int64_t count = static_cast<int64_t>(tokens.size());
  std::vector<int32_t> draft(static_cast<size_t>(k));
  int64_t made = 0;
  if (first > 0) {
    // What this one drafts is forgotten: its entries are written over.
    const int32_t error = foreword_head_draft(head.handle, tokens.data(), features.data(), first, 0, text.pages, k,
                                              0.0f, draft.data(), &made);
    outcome.expect(error == FOREWORD_OK && made == k, "head: first call");
  }
  const int32_t error =
      foreword_head_draft(head.handle, tokens.data() + first, features.data() + first * 3 * head.hidden, count - first,
                          first, text.pages, k, least, draft.data(), &made);
  outcome.expect(error == FOREWORD_OK, "head: second call");
  draft.resize(static_cast<size_t>(made));
  return draft;
}

}  // namespace

void check_head(Random& random) {
  const RandomHead head(random);
  const int64_t length = chance(random, 0.1) ? between(random, 257, 300) : between(random, 1, 40);
  const int64_t k = between(random, 1, 8);
  const int64_t first = between(random, 0, length - 1);
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < length; ++i)
    tokens.push_back(static_cast<int32_t>(between(random, 0, RandomModel::vocabulary - 1)));
  const std::vector<float> features = gaussians(random, length * 3 * head.hidden, 7.0f);
  foreword_use("");
  std::vector<double> chances;
  std::vector<int32_t> wanted = one_by_one(head, tokens, features, k, chances);
  // A chance between those with and without the token at `end`, where they differ clearly.
  const size_t end = static_cast<size_t>(between(random, 0, k - 1));
  const double before = end > 0 ? chances[end - 1] : 1.0;
  const bool clear = chances[end] < 0.98 * before;
  const float least = clear ? static_cast<float>(std::sqrt(before * chances[end])) : 0.0f;
  if (clear) wanted.resize(end);
  const int32_t threads = static_cast<int32_t>(between(random, 1, 4));
  for (const std::string& name : instruction_sets()) {
    foreword_use(name.c_str());
    foreword_set_threads(threads);
    outcome.expect(drafted(head, tokens, features, 0, k, least) == wanted, "head: at once, " + name);
    outcome.expect(drafted(head, tokens, features, first, k, least) == wanted, "head: in two calls, " + name);
  }
  std::vector<float> recorded(wanted.begin(), wanted.end());
  outcome.record(recorded);
  Text text(head);
  int32_t draft = 0;
  int64_t made = 0;
  outcome.expect(foreword_head_draft(head.handle, tokens.data(), features.data(), 1, 0, text.pages, 0, 0.0f, nullptr,
                                     &made) == 0 &&
                     made == 0 &&
                     foreword_head_draft(head.handle, tokens.data(), features.data(), 0, 0, text.pages, 1, 0.0f, &draft,
                                         &made) != 0,
                 "head: reads alone, and never nothing");
}
