// A whole forward pass: the steps in the order in which the papers draw them, taken by one team from first to last.
#include <algorithm>
#include <new>
#include <vector>

#include "dispatch.h"
#include "steps.h"

namespace {

constexpr int64_t kChunk = 256;  // rows that go through the layers together, so that what they leave stays in cache

// Where the rows of a pass stand: one after another from `position` on in the text of `pages`, or each in a text of its
// own where `texts` is given.
struct Place {
  int64_t position;
  uint16_t* const* pages;
  const int64_t* positions = nullptr;
  uint16_t* const* const* texts = nullptr;
};

class Model {
 public:
  explicit Model(const ForewordModel& model) : model_(model), layers_(model.layers, model.layers + model.layer_count) {}

  void forward(const int32_t* tokens, int64_t count, int64_t position, uint16_t* const* pages, int64_t rows,
               float* logits, float* hidden) {
    for (int64_t done = 0; done < count; done += kChunk) {
      const int64_t part = std::min(kChunk, count - done);
      const int64_t from = std::max(done, count - rows);  // the first row that is asked for, in this chunk or after it
      const int64_t wanted = std::max<int64_t>(0, done + part - from);
      const int64_t before = from - (count - rows);
      prepare(part, position + done);
      Pool::shared().run([&](Team& team) {
        run_layers(team, tokens + done, part, {position + done, pages}, part - wanted);
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
      run_layers(team, tokens, count, {0, nullptr, positions, texts}, 0);
      run_head(team, 0, count, logits, hidden);
    });
  }

 private:
  // What a forward leaves between its steps, for `rows` rows.
  void prepare(int64_t rows, int64_t position) {
    int64_t heads = 0, kv = 0, attended = 0, inner = 0;
    for (const ForewordLayer& layer : layers_) {
      heads = std::max(heads, layer.query.outputs);
      kv = std::max(kv, layer.key.outputs);
      attended = std::max(attended, layer.output.inputs);
      inner = std::max(inner, layer.gate.outputs);
      attention_.prepare(layer.attention, rows, position, Pool::shared().size());
    }
    const auto grow = [](auto& buffer, int64_t size) {
      if (static_cast<int64_t>(buffer.size()) < size) buffer.resize(static_cast<size_t>(size));
    };
    grow(x_, rows * model_.hidden);
    grow(q_, rows * heads);
    grow(k_, rows * kv);
    grow(v_, rows * kv);
    grow(attended_, rows * std::max(attended, model_.hidden));
    grow(groups_, rows * groups_of(std::max(attended, model_.hidden)));
    grow(inner_, rows * groups_of(inner));
  }

  // Of the last layer only the rows from `first` on are wanted, and the keys and values of all.
  void run_layers(Team& team, const int32_t* tokens, int64_t rows, const Place& place, int64_t first) {
    team.each(rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        kernels().embed(model_.embedding, tokens[row], model_.embedding_scale, x_.data() + row * model_.hidden);
      }
    });
    for (size_t i = 0; i < layers_.size(); ++i) {
      const int64_t from = i + 1 < layers_.size() ? 0 : first;
      attend(team, layers_[i], static_cast<int64_t>(i), rows, place, from);
      if (from < rows) feed_forward(team, layers_[i], from, rows - from);
    }
  }

  void attend(Team& team, const ForewordLayer& layer, int64_t index, int64_t rows, const Place& place, int64_t from) {
    const int64_t q_size = layer.query.outputs;
    const int64_t kv_size = layer.key.outputs;
    norm_quantize_step(team, x_.data(), layer.attention_norm, model_.epsilon, rows, model_.hidden, groups_.data());
    const Product products[] = {{&layer.query, q_.data(), q_size, false},
                                {&layer.key, k_.data(), kv_size, false},
                                {&layer.value, v_.data(), kv_size, false}};
    matmul_step(team, products, 3, groups_.data(), rows);
    AttentionRows heads{q_.data(), k_.data(),      v_.data(),   q_size, kv_size,          rows,
                        place.position, place.pages, index, attended_.data(), place.positions, place.texts};
    keep_step(team, layer.attention, heads);
    if (from == rows) return;
    heads.q += from * q_size;
    heads.rows -= from;
    heads.position += from;
    attend_step(team, layer.attention, heads, attention_);
    quantize_step(team, attended_.data(), heads.rows, layer.output.inputs, groups_.data());
    join(team, layer.output, groups_.data(), from, heads.rows, layer.post_attention_norm);
  }

  void feed_forward(Team& team, const ForewordLayer& layer, int64_t from, int64_t rows) {
    const float* x = x_.data() + from * model_.hidden;
    norm_quantize_step(team, x, layer.feed_forward_norm, model_.epsilon, rows, model_.hidden, groups_.data());
    gate_up_step(team, layer.gate, layer.up, groups_.data(), rows, model_.activation, inner_.data());
    join(team, layer.down, inner_.data(), from, rows, layer.post_feed_forward_norm);
  }

  // x += matrix * groups, or x += norm(matrix * groups), for `rows` rows from `from` on.
  void join(Team& team, const ForewordMatrix& matrix, const ForewordGroup* groups, int64_t from, int64_t rows,
            const float* norm) {
    float* x = x_.data() + from * model_.hidden;
    float* apart = attended_.data();
    const Product product{&matrix, norm ? apart : x, model_.hidden, norm == nullptr};
    matmul_step(team, &product, 1, groups, rows);
    if (!norm) return;
    team.each(rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t at = row * model_.hidden;
        kernels().norm_add(apart + at, norm, model_.epsilon, model_.hidden, x + at);
      }
    });
  }

  void run_head(Team& team, int64_t first, int64_t rows, float* logits, float* hidden) {
    const float* x = x_.data() + first * model_.hidden;
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
  std::vector<float> x_, q_, k_, v_, attended_;
  std::vector<ForewordGroup> groups_, inner_;
  AttentionScratch attention_;
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
