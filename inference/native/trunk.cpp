#include "trunk.h"

#include <algorithm>

#include "dispatch.h"

void Trunk::prepare(const ForewordLayer& layer, int64_t rows, int64_t position) {
  const int64_t widest = std::max(layer.output.inputs, hidden_);
  attention_.prepare(layer.attention, rows, position, Pool::shared().size());
  grow(x_, rows * hidden_);
  grow(q_, rows * layer.query.outputs);
  grow(k_, rows * layer.key.outputs);
  grow(v_, rows * layer.key.outputs);
  grow(attended_, rows * widest);
  grow(groups_, rows * groups_of(widest));
  grow(inner_, rows * groups_of(layer.gate.outputs));
}

void Trunk::pass(Team& team, const ForewordLayer& layer, int64_t index, int64_t rows, const Place& place,
                 int64_t first) {
  attend(team, layer, index, rows, place, first);
  if (first < rows) feed_forward(team, layer, first, rows - first);
}

void Trunk::attend(Team& team, const ForewordLayer& layer, int64_t index, int64_t rows, const Place& place,
                   int64_t from) {
  const int64_t q_size = layer.query.outputs;
  const int64_t kv_size = layer.key.outputs;
  norm_quantize_step(team, x_.data(), layer.attention_norm, epsilon_, rows, hidden_, groups_.data());
  const Product products[] = {{&layer.query, q_.data(), q_size, false},
                              {&layer.key, k_.data(), kv_size, false},
                              {&layer.value, v_.data(), kv_size, false}};
  matmul_step(team, products, 3, groups_.data(), rows);
  AttentionRows heads{q_.data(),      k_.data(),   v_.data(), q_size,           kv_size,         rows,
                      place.position, place.pages, index,     attended_.data(), place.positions, place.texts};
  keep_step(team, layer.attention, heads);
  if (from == rows) return;
  heads.q += from * q_size;
  heads.rows -= from;
  heads.position += from;
  attend_step(team, layer.attention, heads, attention_);
  quantize_step(team, attended_.data(), heads.rows, layer.output.inputs, groups_.data());
  join(team, layer.output, groups_.data(), from, heads.rows, layer.post_attention_norm);
}

void Trunk::feed_forward(Team& team, const ForewordLayer& layer, int64_t from, int64_t rows) {
  norm_quantize_step(team, row(from), layer.feed_forward_norm, epsilon_, rows, hidden_, groups_.data());
  gate_up_step(team, layer.gate, layer.up, groups_.data(), rows, activation_, inner_.data());
  join(team, layer.down, inner_.data(), from, rows, layer.post_feed_forward_norm);
}

// x += matrix * groups, or x += norm(matrix * groups), for `rows` rows from `from` on.
void Trunk::join(Team& team, const ForewordMatrix& matrix, const ForewordGroup* groups, int64_t from, int64_t rows,
                 const float* norm) {
  float* x = row(from);
  float* apart = attended_.data();
  const Product product{&matrix, norm ? apart : x, hidden_, norm == nullptr};
  matmul_step(team, &product, 1, groups, rows);
  if (!norm) return;
  team.each(rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * hidden_;
      kernels().norm_add(apart + at, norm, epsilon_, hidden_, x + at);
    }
  });
}
