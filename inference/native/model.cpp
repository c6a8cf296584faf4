// A whole forward pass: the steps in the order in which the papers draw them, taken by one team from first to last.
#include <algorithm>
#include <new>
#include <vector>

#include "dispatch.h"
#include "trunk.h"

namespace {

constexpr int64_t kChunk = 256;  // rows that go through the layers together, so that what they leave stays in cache

class Model {
 public:
  explicit Model(const ForewordModel& model)
      : model_(model),
        layers_(model.layers, model.layers + model.layer_count),
        trunk_(model.hidden, model.epsilon, model.activation) {}

  void forward(const int32_t* tokens, int64_t count, int64_t position, uint16_t* const* pages, int64_t rows,
               float* logits, float* hidden) {
    for (int64_t done = 0; done < count; done += kChunk) {
      const int64_t part = std::min(kChunk, count - done);
      const int64_t from = std::max(done, count - rows);  // the first row that is asked for, in this chunk or after it
      const int64_t wanted = std::max<int64_t>(0, done + part - from);
      const int64_t before = from - (count - rows);
      prepare(part, position + done);
      Pool::shared().run([&](Team& team) {
        run_layers(team, tokens + done, part, {position + done, pages}, part - wanted, done);
        if (wanted > 0) {
          float* to_hidden = hidden ? hidden + before * model_.hidden : nullptr;
          run_head(team, part - wanted, wanted, logits + before * model_.head.outputs, to_hidden);
        }
      });
    }
  }

  // One token for each of `count` texts.
  void forward_texts(const int32_t* tokens, int64_t count, const int64_t* positions, uint16_t* const* const* texts,
                     float* logits, float* hidden) {
    prepare(count, *std::max_element(positions, positions + count));
    Pool::shared().run([&](Team& team) {
      run_layers(team, tokens, count, {0, nullptr, positions, texts}, 0, 0);
      run_head(team, 0, count, logits, hidden);
    });
  }

  bool observe(const int64_t* depths, int64_t count, float* features) {
    for (int64_t i = 0; i < count; ++i) {
      if (depths[i] < 0 || depths[i] >= model_.layer_count) return false;
    }
    depths_.assign(depths, depths + count);
    features_ = features;
    return true;
  }

 private:
  void prepare(int64_t rows, int64_t position) {
    for (const ForewordLayer& layer : layers_) trunk_.prepare(layer, rows, position);
    grow(groups_, rows * groups_of(model_.hidden));
  }

  // Of the last layer only the rows from `first` on are wanted, unless it is observed. `before`: rows of this forward
  // that went before these.
  void run_layers(Team& team, const int32_t* tokens, int64_t rows, const Place& place, int64_t first, int64_t before) {
    team.each(rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        kernels().embed(model_.embedding, tokens[row], model_.embedding_scale, trunk_.row(row));
      }
    });
    const int64_t last = model_.layer_count - 1;
    if (std::find(depths_.begin(), depths_.end(), last) != depths_.end()) first = 0;
    for (int64_t i = 0; i <= last; ++i) {
      trunk_.pass(team, layers_[static_cast<size_t>(i)], i, rows, place, i < last ? 0 : first);
      for (size_t depth = 0; depth < depths_.size(); ++depth) {
        if (depths_[depth] == i) copy_features(team, static_cast<int64_t>(depth), rows, before);
      }
    }
  }

  // features [rows][depths][hidden]
  void copy_features(Team& team, int64_t depth, int64_t rows, int64_t before) {
    const int64_t depths = static_cast<int64_t>(depths_.size());
    team.each(rows, Team::kHalving, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        float* out = features_ + ((before + row) * depths + depth) * model_.hidden;
        std::copy_n(trunk_.row(row), model_.hidden, out);
      }
    });
  }

  void run_head(Team& team, int64_t first, int64_t rows, float* logits, float* hidden) {
    const float* x = trunk_.row(first);
    if (hidden) {
      team.each(rows, 1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const int64_t at = row * model_.hidden;
          kernels().norm(x + at, model_.final_norm, model_.epsilon, model_.hidden, hidden + at);
        }
      });
    }
    norm_quantize_step(team, x, model_.final_norm, model_.epsilon, rows, model_.hidden, groups_.data());
    const Product product{&model_.head, logits, model_.head.outputs, false};
    matmul_step(team, &product, 1, groups_.data(), rows);
  }

  ForewordModel model_;
  std::vector<ForewordLayer> layers_;
  std::vector<int64_t> depths_;  // layers whose output is copied
  float* features_ = nullptr;    // where to
  Trunk trunk_;
  std::vector<ForewordGroup> groups_;
};

}  // namespace

FOREWORD_API void* foreword_model_new(const ForewordModel* model) {
  return model ? new (std::nothrow) Model(*model) : nullptr;
}

FOREWORD_API void foreword_model_free(void* model) { delete static_cast<Model*>(model); }

FOREWORD_API int32_t foreword_forward(void* model, const int32_t* tokens, int64_t count, int64_t position,
                                      uint16_t* const* pages, int64_t rows, float* logits, float* hidden) {
  if (!model || !tokens || !pages || count < 1 || position < 0 || rows < 0 || rows > count || (rows > 0 && !logits)) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    static_cast<Model*>(model)->forward(tokens, count, position, pages, rows, logits, hidden);
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_forward_texts(void* model, const int32_t* tokens, int64_t count, const int64_t* positions,
                                            uint16_t* const* const* texts, float* logits, float* hidden) {
  if (!model || !tokens || count < 1 || !positions || !texts || !logits) return FOREWORD_BAD_ARGUMENT;
  for (int64_t i = 0; i < count; ++i) {
    if (positions[i] < 0 || !texts[i]) return FOREWORD_BAD_ARGUMENT;
  }
  try {
    static_cast<Model*>(model)->forward_texts(tokens, count, positions, texts, logits, hidden);
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_observe(void* model, const int64_t* depths, int64_t count, float* features) {
  if (!model || count < 0 || (count > 0 && (!depths || !features))) return FOREWORD_BAD_ARGUMENT;
  try {
    return static_cast<Model*>(model)->observe(depths, count, features) ? FOREWORD_OK : FOREWORD_BAD_ARGUMENT;
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
}
