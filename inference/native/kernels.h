// What every instruction set provides: parts of the work, cut so that threads can share it and nobody can see how.
#pragma once

#include "foreword.h"

constexpr int64_t kBlockRows = 8;      // rows of activations that stand together
constexpr int64_t kLargestHead = 256;  // head_size
constexpr int64_t kPairOutputs = 32;   // outputs of gate and up that make one group of activations

// See foreword_fetch_from.
int64_t fetch_from();

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t groups_of(int64_t inputs) { return (inputs + FOREWORD_GROUP - 1) / FOREWORD_GROUP; }
inline int64_t tiles_of(int64_t outputs) { return (outputs + FOREWORD_TILE - 1) / FOREWORD_TILE; }
// Groups that share a scale and a minimum, in a format of int4.
inline int64_t shared_groups(int32_t format) {
  return format == FOREWORD_INT4_128 ? 4 : format == FOREWORD_INT4_64 ? 2 : 1;
}
inline bool shared_format(int32_t format) {
  return format == FOREWORD_INT4 || format == FOREWORD_INT4_64 || format == FOREWORD_INT4_128;
}
inline int64_t tile_bytes(int64_t inputs, int32_t format) {
  const int64_t groups = groups_of(inputs);
  switch (format) {
    case FOREWORD_INT4:
    case FOREWORD_INT4_64:
    case FOREWORD_INT4_128:
      return groups * 256 + (groups + shared_groups(format) - 1) / shared_groups(format) * 64;
    case FOREWORD_INT8:
      return groups * 544;
    case FOREWORD_INT5:
      return groups * 352;
    case FOREWORD_INT4K:
      return (groups + 7) / 8 * 2368;
    default:
      return (groups + 7) / 8 * 3392;
  }
}
// Whether a matrix may have this format.
inline bool known_format(int64_t inputs, int32_t format) {
  return shared_format(format) || format == FOREWORD_INT8 || format == FOREWORD_INT5 ||
         ((format == FOREWORD_INT4K || format == FOREWORD_INT6) && inputs % 256 == 0);
}

inline bool float_format(int32_t format) { return format >= FOREWORD_FLOAT32 && format <= FOREWORD_FLOAT16; }

// Whether the kernels can compute it.
inline bool sound_attention(const ForewordAttention* a) {
  return a && a->heads > 0 && a->kv_heads > 0 && a->heads % a->kv_heads == 0 && a->head_size > 0 &&
         a->head_size % 16 == 0 && a->head_size <= kLargestHead && a->window >= 0 && (!a->cosines) == (!a->sines) &&
         (!a->key_offsets || (a->cosines && !a->key_norm));
}

// Where the groups of a row stand: the first one, and how far apart they are.
struct GroupRow {
  ForewordGroup* first;
  int64_t step;
};
inline GroupRow group_row(ForewordGroup* base, int64_t rows, int64_t groups, int64_t row) {
  const int64_t block = row / kBlockRows * kBlockRows;
  const int64_t step = rows - block < kBlockRows ? rows - block : kBlockRows;
  return {base + block * groups + (row - block), step};
}

// Keys and values of one layer and key/value head in one page. Scales are there below 16 bits.
struct HeadPage {
  uint8_t* keys;
  uint16_t* key_scales;
  uint8_t* values;
  uint16_t* value_scales;
  int64_t bits;
  int64_t start;         // position of the first
  const float* offsets;  // [head_size][16] or null: of ForewordAttention, this head's
};
constexpr int64_t kPageHeader = 64;  // bytes
// Dimensions of a head that share a scale.
inline int64_t scale_group(int64_t head_size) { return head_size % 32 == 0 ? 32 : 16; }
inline int64_t key_bits(int64_t bits) { return bits <= 4 ? 5 : bits; }
inline int64_t key_row_bytes(int64_t head_size, int64_t bits) { return head_size * key_bits(bits) / 8; }
// Sixteen bytes for 32 values of 4 bits or 64 of 2.
inline int64_t value_row_bytes(int64_t head_size, int64_t bits) {
  const int64_t together = 128 / bits;
  return bits > 4 ? head_size * bits / 8 : (head_size + together - 1) / together * 16;
}
// Of the scales of a key or a value at one position; up to 4 bits there are minima as well.
inline int64_t scale_bytes(int64_t head_size, int64_t bits) {
  return bits == 16 ? 0 : (bits == 8 ? 2 : 4) * (head_size / scale_group(head_size));
}
inline int64_t head_page_bytes(int64_t head_size, int64_t bits) {
  return FOREWORD_PAGE *
         (key_row_bytes(head_size, bits) + value_row_bytes(head_size, bits) + 2 * scale_bytes(head_size, bits));
}
inline int64_t page_bits(const uint16_t* memory) {
  const int64_t told = *reinterpret_cast<const int64_t*>(memory);
  return told == 8 || told == 4 || told == 2 ? told : 16;
}
// memory: page number `page` of a text.
inline HeadPage head_page(uint16_t* memory, int64_t page, const ForewordAttention& a, int64_t layer, int64_t kv_head) {
  const int64_t bits = page_bits(memory);
  uint8_t* keys = reinterpret_cast<uint8_t*>(memory) + kPageHeader +
                  (layer * a.kv_heads + kv_head) * head_page_bytes(a.head_size, bits);
  uint8_t* key_scales = keys + FOREWORD_PAGE * key_row_bytes(a.head_size, bits);
  uint8_t* values = key_scales + FOREWORD_PAGE * scale_bytes(a.head_size, bits);
  uint8_t* value_scales = values + FOREWORD_PAGE * value_row_bytes(a.head_size, bits);
  const float* offsets = a.key_offsets ? a.key_offsets + kv_head * a.head_size * 16 : nullptr;
  return {keys,   reinterpret_cast<uint16_t*>(key_scales),
          values, reinterpret_cast<uint16_t*>(value_scales),
          bits,   page * FOREWORD_PAGE,
          offsets};
}

// The attention of one query vector over some keys: largest score, sum of weights, weighted sum of values.
struct Partial {
  float largest;
  float weight;
  float* values;  // [head_size]
};

// Query vectors that meet the same page together.
struct Query {
  const float* q;  // [head_size]
  int64_t begin;   // positions in the page it sees
  int64_t end;
  Partial out;
};

// Keys and values of one key/value head, [positions][head_size] of a float format.
struct FloatHeads {
  const void* keys;
  const void* values;
  int32_t format;
};

// Positions that a query sees, never none.
struct Span {
  int64_t begin;
  int64_t end;
};

struct Kernels {
  const char* name;
  // Rows begin..end of the `rows` rows that `out` holds.
  void (*quantize)(const float* x, int64_t rows, int64_t inputs, int64_t begin, int64_t end, ForewordGroup* out);
  void (*norm)(const float* x, const float* weight, float epsilon, int64_t size, float* out);
  void (*norm_add)(const float* x, const float* weight, float epsilon, int64_t size, float* out);
  void (*norm_quantize)(const float* x, const float* weight, float epsilon, int64_t rows, int64_t size, int64_t begin,
                        int64_t end, ForewordGroup* out);
  // Tiles begin..end of the matrix, all rows.
  void (*matmul)(const ForewordMatrix& matrix, const ForewordGroup* x, int64_t rows, int64_t begin, int64_t end,
                 float* out, int64_t stride, bool accumulate);
  // The same with float weights and rows; outputs begin..end, counted by FOREWORD_OUTPUTS.
  void (*float_matmul)(const ForewordMatrix& matrix, const float* x, int64_t rows, int64_t begin, int64_t end,
                       float* out);
  // A key or a value of `size` floats into a cache of this format.
  void (*float_keep)(int32_t format, const float* head, int64_t size, void* to);
  // `count` query vectors of one key/value head, [count][head_size], meet the positions they see; out likewise.
  // scores: room for [count][stride], stride at least the last end less the first begin.
  void (*float_attend)(const FloatHeads& heads, int64_t head_size, const float* q, const Span* seen, int64_t count,
                       float* scores, int64_t stride, float* out);
  // out = activation(gate) * up
  void (*float_gate)(const float* gate, const float* up, int64_t size, int32_t activation, float* out);
  // Groups begin..end of the result, all rows.
  void (*gate_up)(const ForewordMatrix& gate, const ForewordMatrix& up, const ForewordGroup* x, int64_t rows,
                  int32_t activation, int64_t begin, int64_t end, ForewordGroup* out);
  void (*embed)(const ForewordMatrix& table, int32_t token, float scale, float* out);
  // One query head in place; one key and one value head into the page.
  void (*rotate)(const ForewordAttention& a, const float* norm, float scale, int64_t position, float* head);
  void (*keep)(const ForewordAttention& a, const float* key, const float* value, int64_t position, HeadPage page);
  void (*attend)(const ForewordAttention& a, HeadPage page, Query* queries, int64_t count);
  // total = total and next together, as if their keys had been seen in one go.
  void (*merge)(int64_t head_size, Partial& total, const Partial& next);
  // bits: of the pages.
  void (*finish)(int64_t head_size, int64_t bits, const Partial& total, float* out);
  int32_t (*argmax)(const float* x, int64_t size);
  // What softmax(x) gives to `largest`, the largest of x.
  float (*share)(const float* x, int64_t size, float largest);
  // Of a row that is sampled from (sampling.h).
  float (*most)(const float* x, int64_t size);
  void (*weigh)(const float* x, int64_t size, float largest, float steepness, float* out);
  float (*total)(const float* x, int64_t size);
  // Tiles begin..end.
  void (*pack_int4)(const float* weights, int64_t outputs, int64_t inputs, int32_t format, int64_t begin, int64_t end,
                    uint8_t* out);
};

extern const Kernels kernels_scalar;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512vnni;
extern const Kernels kernels_neon;
