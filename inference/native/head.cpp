// A trained head drafts: entries with the target's features, then its own guesses one after another, by one team from
// first to last. inference/heads/head.py is the same in plain arithmetic.
#include <algorithm>
#include <new>
#include <vector>

#include "dispatch.h"
#include "trunk.h"

namespace {

constexpr int64_t kChunk = 256;  // entries that go through the layer together
constexpr int64_t kDepths = 3;

class Head {
 public:
  explicit Head(const ForewordHead& head)
      : head_(head),
        layer_(*head.layer),
        trunk_(head.hidden, head.epsilon, FOREWORD_SILU),
        ones_(static_cast<size_t>(head.hidden), 1.0f),
        logits_(static_cast<size_t>(head.output.outputs)) {}

  // Returns the number of drafted tokens.
  int64_t draft(const int32_t* tokens, const float* features, int64_t count, int64_t position, uint16_t* const* pages,
                int64_t k, float least, int32_t* out) {
    const int64_t d = head_.hidden;
    drafted_ = 0;
    chance_ = 1.0f;
    goes_on_.assign(static_cast<size_t>(std::max<int64_t>(k, 1)), 0);
    for (int64_t done = 0; done < count; done += kChunk) {
      const int64_t rows = std::min(kChunk, count - done);
      const bool drafts = done + rows == count && k > 0;
      prepare(rows, position + done);
      for (int64_t step = 1; drafts && step < k; ++step) trunk_.prepare(layer_, 1, position + count + step - 1);
      Pool::shared().run([&](Team& team) {
        fuse(team, features + done * kDepths * d, rows);
        enter(team, tokens + done, fused_.data(), rows);
        trunk_.pass(team, layer_, 0, rows, {position + done, pages}, drafts ? rows - 1 : rows);
        if (!drafts) return;
        guess(team, trunk_.row(rows - 1), least, out, 0);
        for (int64_t step = 1; step < k && goes_on_[static_cast<size_t>(step - 1)]; ++step) {
          enter(team, out + step - 1, trunk_.row(step == 1 ? rows - 1 : 0), 1);
          trunk_.pass(team, layer_, 0, 1, {position + count + step - 1, pages}, 0);
          guess(team, trunk_.row(0), least, out + step, step);
        }
      });
    }
    return drafted_;
  }

 private:
  void prepare(int64_t rows, int64_t position) {
    const int64_t d = head_.hidden;
    trunk_.prepare(layer_, rows, position);
    grow(wide_, rows * kDepths * d);
    grow(fused_, rows * d);
    grow(groups_, rows * groups_of(kDepths * d));
  }

  // features [rows][3][hidden] -> fused_ [rows][hidden]
  void fuse(Team& team, const float* features, int64_t rows) {
    const int64_t d = head_.hidden;
    team.each(rows * kDepths, Team::kHalving, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        kernels().norm(features + i * d, ones_.data(), head_.epsilon, d, wide_.data() + i * d);
      }
    });
    product(team, head_.fuse, rows, fused_.data());
  }

  // Embeddings of `tokens` and g [rows][hidden] -> the residual stream. g may be part of that.
  void enter(Team& team, const int32_t* tokens, const float* g, int64_t rows) {
    const int64_t d = head_.hidden;
    team.each(rows, Team::kHalving, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        float* pair = wide_.data() + row * 2 * d;
        kernels().embed(head_.embedding, tokens[row], 1.0f, pair + d);
        kernels().norm(pair + d, head_.embedding_norm, head_.epsilon, d, pair);
        kernels().norm(g + row * d, head_.feature_norm, head_.epsilon, d, pair + d);
      }
    });
    product(team, head_.join, rows, trunk_.row(0));
  }

  // The likeliest next token, counted as drafted if it is likely enough.
  void guess(Team& team, const float* h, float least, int32_t* out, int64_t step) {
    norm_quantize_step(team, h, head_.output_norm, head_.epsilon, 1, head_.hidden, groups_.data());
    const Product product{&head_.output, logits_.data(), head_.output.outputs, false};
    matmul_step(team, &product, 1, groups_.data(), 1);
    team.each(1, 1, [&](int64_t, int64_t) {
      const int32_t best = std::max(kernels().argmax(logits_.data(), head_.output.outputs), 0);
      *out = head_.vocabulary[best];
      if (least > 0)
        chance_ *= kernels().share(logits_.data(), head_.output.outputs, logits_[static_cast<size_t>(best)]);
      if (chance_ < least) return;
      ++drafted_;
      goes_on_[static_cast<size_t>(step)] = 1;
    });
  }

  // out [rows][outputs] = matrix * wide_
  void product(Team& team, const ForewordMatrix& matrix, int64_t rows, float* out) {
    quantize_step(team, wide_.data(), rows, matrix.inputs, groups_.data());
    const Product product{&matrix, out, matrix.outputs, false};
    matmul_step(team, &product, 1, groups_.data(), rows);
  }

  ForewordHead head_;
  ForewordLayer layer_;
  Trunk trunk_;
  std::vector<float> ones_, logits_, wide_, fused_;
  std::vector<ForewordGroup> groups_;
  int64_t drafted_ = 0;
  std::vector<uint8_t> goes_on_;  // by step; a thread may come to read it when others are a step ahead
  float chance_ = 1.0f;           // that all of the draft is right
};

}  // namespace

FOREWORD_API void* foreword_head_new(const ForewordHead* head) {
  if (!head || !head->layer || !head->vocabulary) return nullptr;
  try {
    return new Head(*head);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

FOREWORD_API void foreword_head_free(void* head) { delete static_cast<Head*>(head); }

FOREWORD_API int32_t foreword_head_draft(void* head, const int32_t* tokens, const float* features, int64_t count,
                                         int64_t position, uint16_t* const* pages, int64_t k, float least,
                                         int32_t* draft, int64_t* drafted) {
  if (!head || !tokens || !features || !pages || count < 1 || position < 0 || k < 0 || (k > 0 && !draft) || !drafted) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    *drafted = static_cast<Head*>(head)->draft(tokens, features, count, position, pages, k, least, draft);
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}
