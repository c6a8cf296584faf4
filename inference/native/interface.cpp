// The single kernels behind the C interface.
#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "dispatch.h"
#include "steps.h"

namespace {

// Runs `function(team)` on all threads and turns what can go wrong into an error.
template <typename Function>
int32_t together(bool sound, Function function) {
  if (!sound) return FOREWORD_BAD_ARGUMENT;
  try {
    Pool::shared().run(function);
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

bool sound(const ForewordMatrix* m) {
  return m && m->data && m->outputs > 0 && m->inputs > 0 && known_format(m->inputs, m->format);
}

// Larger first; of equals the first; NaN behind everything.
bool before(const float* x, int32_t a, int32_t b) { return x[a] > x[b] || (x[a] == x[b] && a < b); }

void top_k(const float* x, int64_t size, int64_t k, float* values, int32_t* indices) {
  // A heap of the k best so far, the worst of them on top: nearly every value is turned away by one comparison.
  const auto order = [x](int32_t a, int32_t b) { return before(x, a, b); };
  int32_t* end = indices;
  for (int64_t i = 0; i < size; ++i) {
    if (x[i] != x[i]) continue;
    const int32_t index = static_cast<int32_t>(i);
    if (end - indices < k) {
      *end++ = index;
      std::push_heap(indices, end, order);
    } else if (order(index, indices[0])) {
      std::pop_heap(indices, end, order);
      end[-1] = index;
      std::push_heap(indices, end, order);
    }
  }
  std::sort_heap(indices, end, order);
  for (int64_t i = 0; i < k; ++i) {
    const bool found = i < end - indices;
    if (!found) indices[i] = -1;
    values[i] = found ? x[indices[i]] : -INFINITY;
  }
}

}  // namespace

FOREWORD_API int32_t foreword_threads(void) { return Pool::shared().size(); }

FOREWORD_API int32_t foreword_set_threads(int32_t count) {
  if (count < 1 || count > 1024) return FOREWORD_BAD_ARGUMENT;
  Pool::shared().resize(count);
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_lend(int32_t threads) {
  if (threads < 0) return FOREWORD_BAD_ARGUMENT;
  Pool::shared().lend(threads);
  return FOREWORD_OK;
}

FOREWORD_API int64_t foreword_matrix_bytes(int64_t outputs, int64_t inputs, int32_t format) {
  return tiles_of(outputs) * tile_bytes(inputs, format);
}

FOREWORD_API int64_t foreword_groups_bytes(int64_t rows, int64_t inputs) {
  return rows * groups_of(inputs) * static_cast<int64_t>(sizeof(ForewordGroup));
}

FOREWORD_API int64_t foreword_page_bytes(int64_t layers, int64_t kv_heads, int64_t head_size, int32_t bits) {
  return kPageHeader + layers * kv_heads * head_page_bytes(head_size, bits);
}

FOREWORD_API int32_t foreword_pack_int4(const float* weights, int64_t outputs, int64_t inputs, int32_t format,
                                        uint8_t* out) {
  return together(weights && out && outputs > 0 && inputs > 0 && shared_format(format), [=](Team& team) {
    team.each(tiles_of(outputs), 4, [=](int64_t begin, int64_t end) {
      kernels().pack_int4(weights, outputs, inputs, format, begin, end, out);
    });
  });
}

FOREWORD_API int32_t foreword_quantize(const float* x, int64_t rows, int64_t inputs, ForewordGroup* out) {
  return together(x && out && rows >= 0 && inputs > 0, [=](Team& team) { quantize_step(team, x, rows, inputs, out); });
}

FOREWORD_API int32_t foreword_norm(const float* x, const float* weight, float epsilon, int64_t rows, int64_t size,
                                   float* out) {
  return together(x && weight && out && rows >= 0 && size > 0, [=](Team& team) {
    team.each(rows, 1, [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        kernels().norm(x + row * size, weight, epsilon, size, out + row * size);
    });
  });
}

FOREWORD_API int32_t foreword_norm_quantize(const float* x, const float* weight, float epsilon, int64_t rows,
                                            int64_t size, ForewordGroup* out) {
  return together(x && weight && out && rows >= 0 && size > 0,
                  [=](Team& team) { norm_quantize_step(team, x, weight, epsilon, rows, size, out); });
}

FOREWORD_API int32_t foreword_matmul(const ForewordMatrix* matrix, const ForewordGroup* x, int64_t rows, float* out,
                                     int32_t accumulate) {
  return together(sound(matrix) && x && out && rows >= 0, [=](Team& team) {
    const Product product{matrix, out, matrix->outputs, accumulate != 0};
    matmul_step(team, &product, 1, x, rows);
  });
}

FOREWORD_API int32_t foreword_gate_up(const ForewordMatrix* gate, const ForewordMatrix* up, const ForewordGroup* x,
                                      int64_t rows, int32_t activation, ForewordGroup* out) {
  const bool fits = sound(gate) && sound(up) && gate->inputs == up->inputs && gate->outputs == up->outputs &&
                    !gate->bias && !up->bias;
  return together(fits && x && out && rows >= 0,
                  [=](Team& team) { gate_up_step(team, *gate, *up, x, rows, activation, out); });
}

FOREWORD_API int32_t foreword_embed(const ForewordMatrix* table, const int32_t* tokens, int64_t rows, float scale,
                                    float* out) {
  if (!sound(table) || !tokens || !out || rows < 0) return FOREWORD_BAD_ARGUMENT;
  for (int64_t i = 0; i < rows; ++i) {
    if (tokens[i] < 0 || tokens[i] >= table->outputs) return FOREWORD_BAD_ARGUMENT;
  }
  for (int64_t i = 0; i < rows; ++i) kernels().embed(*table, tokens[i], scale, out + i * table->inputs);
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_attention(const ForewordAttention* a, float* q, float* k, const float* v, int64_t rows,
                                        int64_t position, uint16_t* const* pages, int64_t layer, float* out) {
  if (!sound_attention(a) || !q || !k || !v || !pages || !out || rows < 1 || position < 0 || layer < 0) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    AttentionScratch scratch;
    scratch.prepare(*a, rows, position, Pool::shared().size());
    const AttentionRows heads{q,     k,     v,  a->heads * a->head_size, a->kv_heads * a->head_size, rows, position,
                              pages, layer, out};
    Pool::shared().run([&](Team& team) {
      keep_step(team, *a, heads);
      attend_step(team, *a, heads, scratch);
    });
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_argmax(const float* x, int64_t rows, int64_t size, int32_t* out) {
  if (!x || !out || rows < 0 || size < 1) return FOREWORD_BAD_ARGUMENT;
  for (int64_t row = 0; row < rows; ++row) out[row] = kernels().argmax(x + row * size, size);
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_top_k(const float* x, int64_t rows, int64_t size, int64_t k, float* values,
                                    int32_t* indices) {
  if (!x || !values || !indices || rows < 0 || k < 1 || k > size) return FOREWORD_BAD_ARGUMENT;
  for (int64_t row = 0; row < rows; ++row) top_k(x + row * size, size, k, values + row * k, indices + row * k);
  return FOREWORD_OK;
}
