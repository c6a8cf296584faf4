// What the C interface offers for models that keep their weights, keys and values as floats.
#include <algorithm>
#include <new>
#include <vector>

#include "dispatch.h"
#include "pool.h"

namespace {

constexpr int64_t kQueriesTogether = 6;  // of one key/value head, where several rows share it

bool sound(const ForewordMatrix* m) {
  return m && m->data && m->outputs > 0 && m->inputs > 0 && float_format(m->format);
}

// One call of foreword_float_attention: qkv and the cache, row by row and head by head.
class FloatAttention {
 public:
  FloatAttention(const ForewordAttention& a, float* qkv, int64_t rows, int64_t position, void* keys, void* values,
                 int64_t capacity, int32_t format, float* out)
      : a_(a),
        qkv_(qkv),
        rows_(rows),
        position_(position),
        keys_(static_cast<uint8_t*>(keys)),
        values_(static_cast<uint8_t*>(values)),
        head_bytes_(capacity * a.head_size * bytes(format)),
        row_bytes_(a.head_size * bytes(format)),
        format_(format),
        out_(out),
        group_(a.heads / a.kv_heads),
        together_(std::max<int64_t>(1, kQueriesTogether / group_)),
        length_(position + rows) {
    const size_t threads = static_cast<size_t>(Pool::shared().size());
    const size_t queries = static_cast<size_t>(together_ * group_);
    scores_.resize(threads * queries * static_cast<size_t>(length_));
    queries_.resize(threads * queries * 2 * static_cast<size_t>(a.head_size));
    spans_.resize(threads * queries);
  }

  // Queries and keys get their norms and positions; keys and values go to the cache.
  void keep(Team& team) {
    const Kernels& run = kernels();
    const int64_t heads = a_.heads + a_.kv_heads;
    const int64_t count = rows_ * heads;
    team.each(count, std::max<int64_t>(1, count / (2 * team.size)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i / heads;
        const int64_t head = i % heads;
        float* at = this->row(row) + head * a_.head_size;
        const bool query = head < a_.heads;
        run.rotate(a_, query ? a_.query_norm : a_.key_norm, query ? a_.scale : 1.0f, position_ + row, at);
        if (query) continue;
        const int64_t to = (head - a_.heads) * head_bytes_ + (position_ + row) * row_bytes_;
        run.float_keep(format_, at, a_.head_size, keys_ + to);
        run.float_keep(format_, at + a_.kv_heads * a_.head_size, a_.head_size, values_ + to);
      }
    });
  }

  // A few rows of one key/value head at a time, the last rows first: they see most.
  void attend(Team& team) {
    const int64_t count = (rows_ + together_ - 1) / together_ * a_.kv_heads;
    team.each(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = (count - 1 - i) / a_.kv_heads * together_;
        attend_rows(team.index, first, std::min(rows_, first + together_), i % a_.kv_heads);
      }
    });
  }

 private:
  static int64_t bytes(int32_t format) { return format == FOREWORD_FLOAT32 ? 4 : 2; }
  float* row(int64_t row) { return qkv_ + row * (a_.heads + 2 * a_.kv_heads) * a_.head_size; }

  void attend_rows(int thread, int64_t first, int64_t last, int64_t kv_head) {
    const int64_t size = group_ * a_.head_size;
    const int64_t room = together_ * group_;
    float* q = queries_.data() + thread * 2 * room * a_.head_size;
    float* mixed = q + room * a_.head_size;
    Span* seen = spans_.data() + thread * room;
    for (int64_t row = first; row < last; ++row) {
      std::copy_n(this->row(row) + kv_head * size, size, q + (row - first) * size);
      const int64_t position = position_ + row;
      const Span span{a_.window > 0 ? std::max<int64_t>(0, position + 1 - a_.window) : 0, position + 1};
      std::fill_n(seen + (row - first) * group_, group_, span);
    }
    const FloatHeads heads{keys_ + kv_head * head_bytes_, values_ + kv_head * head_bytes_, format_};
    kernels().float_attend(heads, a_.head_size, q, seen, (last - first) * group_,
                           scores_.data() + thread * room * length_, length_, mixed);
    for (int64_t row = first; row < last; ++row) {
      std::copy_n(mixed + (row - first) * size, size, out_ + row * a_.heads * a_.head_size + kv_head * size);
    }
  }

  const ForewordAttention& a_;
  float* qkv_;
  int64_t rows_, position_;
  uint8_t *keys_, *values_;
  int64_t head_bytes_, row_bytes_;
  int32_t format_;
  float* out_;
  int64_t group_, together_, length_;
  std::vector<float> scores_;   // [threads][queries][length]
  std::vector<float> queries_;  // [threads][2][queries][head_size]
  std::vector<Span> spans_;     // [threads][queries]
};

}  // namespace

FOREWORD_API int32_t foreword_float_matmul(const ForewordMatrix* m, const float* x, int64_t rows, float* out) {
  if (!sound(m) || !x || !out || rows < 0) return FOREWORD_BAD_ARGUMENT;
  Pool::shared().run([=](Team& team) {
    team.each((m->outputs + FOREWORD_OUTPUTS - 1) / FOREWORD_OUTPUTS, Team::kHalving,
              [=](int64_t begin, int64_t end) { kernels().float_matmul(*m, x, rows, begin, end, out); });
  });
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_float_attention(const ForewordAttention* a, float* qkv, int64_t rows, int64_t position,
                                              void* keys, void* values, int64_t capacity, int32_t format, float* out) {
  if (!sound_attention(a) || !qkv || !keys || !values || !out || rows < 1 || position < 0 ||
      position + rows > capacity || !float_format(format)) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    FloatAttention attention(*a, qkv, rows, position, keys, values, capacity, format, out);
    Pool::shared().run([&](Team& team) {
      attention.keep(team);
      attention.attend(team);
    });
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_float_gate(const float* gate_up, int64_t rows, int64_t size, int32_t activation,
                                         float* out) {
  if (!gate_up || !out || rows < 0 || size < 1) return FOREWORD_BAD_ARGUMENT;
  Pool::shared().run([=](Team& team) {
    team.each(rows, Team::kHalving, [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float* gate = gate_up + row * 2 * size;
        kernels().float_gate(gate, gate + size, size, activation, out + row * size);
      }
    });
  });
  return FOREWORD_OK;
}
