// The C interface of Foreword's CPU kernels: raw pointers and plain structs, nothing of torch or Python.
//
// Layouts
//   Matrix   `outputs` x `inputs` weights in tiles of 16 outputs, each tile a run of groups of 32 inputs (the last one
//            padded with zeros). Formats, for output c of the tile and input k of the group:
//            int4  16 fp16 scales, 16 fp16 minima:  w = scale * q + minimum, q in 0..15;
//                  nibbles of 256 bytes: byte [j * 64 + c * 4 + i] = q(c, 4j + i) | q(c, 16 + 4j + i) << 4, j, i in
//                  0..3                                                                            (320 bytes)
//            int4 of 64 and of 128: scales and minima for 2 and 4 groups, then the nibbles of each   (576, 1088 bytes)
//                  The last block ends with the inputs: groups that are not there have no nibbles.
//            int8  512 bytes: byte [j * 64 + c * 4 + i] = q(c, 4j + i) + 128, j in 0..7, i in 0..3;
//                  16 fp16 scales:                  w = scale * q, q in -127..127                  (544 bytes)
//            int5  16 fp16 scales; nibbles as for int4, of inputs 0..15 the low four bits of q + 16, of 16..31 the
//                  high four; then 64 bytes: bits 2j, 2j + 1 of byte [c * 4 + i] are the low bit of
//                  q(c, 16 + 4j + i) + 16 and the high one of q(c, 4j + i) + 16:
//                                                   w = scale * q, q in -16..15                    (352 bytes)
//            Two formats have blocks of 8 groups (inputs a multiple of 256), as GGUF's Q4_K and Q6_K do:
//            int4k 16 fp16 d, 16 fp16 e; per group nibbles as for int4, 16 bytes s, 16 bytes m:
//                  w = d * s * q + e * m, q in 0..15, s and m in 0..255                            (2368 bytes)
//            int6  16 fp16 d, 32 bytes of nothing; per group nibbles (q + 32) >> 2 as for int4, then 128 bytes: bits
//                  2j, 2j + 1 of byte [h * 64 + c * 4 + i] are the low bits of q(c, 16h + 4j + i) + 32; then 16 signed
//                  bytes s for inputs 0..15 and 16 for 16..31: w = d * s * q, q in -32..31         (3392 bytes)
//            float32, bfloat16 and float16 matrices are not packed: [outputs][inputs], for foreword_float_matmul alone.
//   Rows     activations, float32, row after row.
//   Groups   activations quantized to int8, one scale per row and 32 values: blocks of up to 8 rows, in a block group
//            after group, in a group row after row (so that a kernel walks one pointer).
//   Page     keys and values of 256 positions. 64 bytes that begin with an int64, the bits of a value: 8, 4 or 2, else
//            16. Then for every layer and key/value head:
//            16    fp16 keys [16][head_size][16] (16 positions side by side), fp16 values [256][head_size].
//            Below, each position's head is quantized by itself in groups of 32 dimensions (16 where 32 do not divide
//            head_size), with bfloat16 scales:
//            8     x = scale * q, q in -127..127. int8 keys [16][head_size][16], scales [16][groups][16]; int8 values
//                  [256][head_size], scales [256][groups].
//            4, 2  x = scale * q + minimum. Keys without their key_offsets (what is the same in every key needs no
//                  bits) and with q in 0..31: for each 16 positions [head_size / 2][16] nibbles, the low four bits of
//                  dimensions i | head_size / 2 + i << 4, then [head_size / 8][16] bytes of the fifth bits, of
//                  dimensions 4b + i at 2i and head_size / 2 + 4b + i at 2i + 1; scales and minima [16][groups][2][16].
//            4     values q in 0..15: [256][ceil(head_size / 32)][16], nibbles of dimensions
//                  32b + j | 32b + 16 + j << 4, scales and minima [256][groups][2].
//            2     values times a Hadamard matrix, q in 0..3: [256][ceil(head_size / 64)][16], two bits of dimensions
//                  64b + j, 64b + 16 + j, 64b + 32 + j, 64b + 48 + j each, lowest first; scales and minima likewise.
//
// Promise: what a kernel computes for a row does not depend, in any bit, on the other rows, on how many there are, on
// the number of threads or on the instruction set.
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define FOREWORD_API extern "C" __declspec(dllexport)
#else
#define FOREWORD_API extern "C" __attribute__((visibility("default")))
#endif

enum ForewordFormat : int32_t {
  FOREWORD_INT4 = 0,
  FOREWORD_INT8 = 1,
  FOREWORD_INT4K = 2,
  FOREWORD_INT6 = 3,
  FOREWORD_INT4_64 = 4,
  FOREWORD_INT4_128 = 5,
  FOREWORD_INT5 = 6,
  FOREWORD_FLOAT32 = 16,
  FOREWORD_BFLOAT16 = 17,
  FOREWORD_FLOAT16 = 18
};
enum ForewordActivation : int32_t { FOREWORD_SILU = 0, FOREWORD_GELU_TANH = 1 };
enum ForewordError : int32_t { FOREWORD_OK = 0, FOREWORD_BAD_ARGUMENT = 1, FOREWORD_NO_MEMORY = 2 };

// FOREWORD_OUTPUTS: of a float matrix, taken together
enum : int64_t { FOREWORD_TILE = 16, FOREWORD_GROUP = 32, FOREWORD_PAGE = 256, FOREWORD_OUTPUTS = 4 };

struct ForewordMatrix {
  const uint8_t* data;
  const float* bias;  // [outputs] or null
  int64_t outputs;
  int64_t inputs;
  int32_t format;  // ForewordFormat
  int32_t unused;
};

// 32 activations of one row: x = scale * values. A group with a NaN or an infinity has scale NaN, so its row becomes
// NaN.
struct ForewordGroup {
  int8_t values[32];
  float scale;
  float sum;               // scale * sum of values, for the weights' minima
  int32_t corrections[2];  // -128 * sum of values 0..15 and 16..31, for weights multiplied with an offset of 128
};

// How queries meet keys. Shared by all layers of a model but for window and the rotary table.
struct ForewordAttention {
  int64_t heads;
  int64_t kv_heads;
  int64_t head_size;        // a multiple of 16, at most 256
  int64_t window;           // a query sees itself and window - 1 keys before; 0: all
  float scale;              // of the scores
  float epsilon;            // of query_norm and key_norm
  const float* query_norm;  // [head_size] or null
  const float* key_norm;    // [head_size] or null
  const float* cosines;     // [positions][head_size / 2] or null: no rotation
  const float* sines;       // [positions][head_size / 2]
  // [kv_heads][head_size][16] or null: the bias of the key projection, turned for positions 0 to 15. Pages of 4 and 2
  // bits hold keys without it. Only with a rotation and without key_norm.
  const float* key_offsets;
};

struct ForewordLayer {
  const float* attention_norm;  // [hidden]
  struct ForewordMatrix query, key, value, output;
  struct ForewordAttention attention;
  const float* post_attention_norm;  // [hidden] or null (Gemma 3 has it)
  const float* feed_forward_norm;    // [hidden]
  struct ForewordMatrix gate, up, down;
  const float* post_feed_forward_norm;  // [hidden] or null
};

struct ForewordModel {
  struct ForewordMatrix embedding;
  struct ForewordMatrix head;
  const float* final_norm;  // [hidden]
  const struct ForewordLayer* layers;
  int64_t layer_count;
  int64_t hidden;
  float epsilon;
  float embedding_scale;
  int32_t activation;  // ForewordActivation
  int32_t unused;
};

// Name of the instruction set in use: "avx512vnni", "avx2", "neon" or "scalar". foreword_use chooses one by name, or
// the best for an empty name, and says FOREWORD_BAD_ARGUMENT when this processor does not have it. Not while kernels
// run.
FOREWORD_API const char* foreword_instruction_set(void);
FOREWORD_API int32_t foreword_use(const char* name);

// Threads that kernels run on, the caller among them.
FOREWORD_API int32_t foreword_threads(void);
FOREWORD_API int32_t foreword_set_threads(int32_t count);
// How many of them sleep until the next such call, while kernels run or not, so that what else works on this machine
// has their cores for itself. The caller of a kernel always works. Any thread may say so at any time.
FOREWORD_API int32_t foreword_lend(int32_t threads);
// From how many rows on products fetch their weights ahead by hand, instead of leaving it to the processor; 0: from as
// many as was found best where the kernels were written. Which is faster depends on the machine; the result does not.
FOREWORD_API int32_t foreword_fetch_from(int64_t rows);

FOREWORD_API int64_t foreword_matrix_bytes(int64_t outputs, int64_t inputs, int32_t format);
FOREWORD_API int64_t foreword_groups_bytes(int64_t rows, int64_t inputs);
FOREWORD_API int64_t foreword_page_bytes(int64_t layers, int64_t kv_heads, int64_t head_size, int32_t bits);

// float32 [outputs][inputs] to one of the int4 formats (but int4k), foreword_matrix_bytes of them; NaN and infinities
// are not weights.
FOREWORD_API int32_t foreword_pack_int4(const float* weights, int64_t outputs, int64_t inputs, int32_t format,
                                        uint8_t* out);

// Single kernels. Rows are contiguous.
FOREWORD_API int32_t foreword_quantize(const float* x, int64_t rows, int64_t inputs, struct ForewordGroup* out);
FOREWORD_API int32_t foreword_norm(const float* x, const float* weight, float epsilon, int64_t rows, int64_t size,
                                   float* out);
FOREWORD_API int32_t foreword_norm_quantize(const float* x, const float* weight, float epsilon, int64_t rows,
                                            int64_t size, struct ForewordGroup* out);
// out [rows][outputs] (+)= x W^T + bias
FOREWORD_API int32_t foreword_matmul(const struct ForewordMatrix* matrix, const struct ForewordGroup* x, int64_t rows,
                                     float* out, int32_t accumulate);
// The same for a float matrix and float32 rows, [rows][inputs].
FOREWORD_API int32_t foreword_float_matmul(const struct ForewordMatrix* matrix, const float* x, int64_t rows,
                                           float* out);
// Attention over keys and values of a float format, [kv_heads][capacity][head_size] each. qkv [rows][heads + 2
// kv_heads] [head_size] holds what stands at positions position..: queries and keys are normalized and rotated in
// place, keys and values written to the cache; out [rows][heads][head_size].
FOREWORD_API int32_t foreword_float_attention(const struct ForewordAttention* attention, float* qkv, int64_t rows,
                                              int64_t position, void* keys, void* values, int64_t capacity,
                                              int32_t format, float* out);
// out = activation(gate) * up of gate_up [rows][2][size], [rows][size]
FOREWORD_API int32_t foreword_float_gate(const float* gate_up, int64_t rows, int64_t size, int32_t activation,
                                         float* out);
// out = quantized activation(gate x) * (up x), [rows][gate->outputs]
FOREWORD_API int32_t foreword_gate_up(const struct ForewordMatrix* gate, const struct ForewordMatrix* up,
                                      const struct ForewordGroup* x, int64_t rows, int32_t activation,
                                      struct ForewordGroup* out);
FOREWORD_API int32_t foreword_embed(const struct ForewordMatrix* table, const int32_t* tokens, int64_t rows,
                                    float scale, float* out);
// Normalizes and rotates q [rows][heads][head_size] in place (times scale), writes k and v [rows][kv_heads][head_size]
// to `pages` at positions position.., then attends; out [rows][heads][head_size].
FOREWORD_API int32_t foreword_attention(const struct ForewordAttention* attention, float* q, float* k, const float* v,
                                        int64_t rows, int64_t position, uint16_t* const* pages, int64_t layer,
                                        float* out);
// The largest value's index, row by row; the first of equals; -1 for a row of NaN alone.
FOREWORD_API int32_t foreword_argmax(const float* x, int64_t rows, int64_t size, int32_t* out);
// The k largest values of each row and their indices, in falling order, the first of equals first. NaN is left out
// (index -1, value -infinity where fewer than k remain).
FOREWORD_API int32_t foreword_top_k(const float* x, int64_t rows, int64_t size, int64_t k, float* values,
                                    int32_t* indices);

// A whole model. foreword_model_new copies the description, but not the weights it points to.
FOREWORD_API void* foreword_model_new(const struct ForewordModel* model);
FOREWORD_API void foreword_model_free(void* model);
// Appends `count` tokens at `position` of the text in `pages` (enough of them for position + count) and writes the
// logits of the last `rows`, [rows][head.outputs], and, unless hidden is null, what the head reads, [rows][hidden].
FOREWORD_API int32_t foreword_forward(void* model, const int32_t* tokens, int64_t count, int64_t position,
                                      uint16_t* const* pages, int64_t rows, float* logits, float* hidden);
// Appends one token to each of `count` texts, tokens[i] at positions[i] of the text whose pages are texts[i], and
// writes the logits of them all, [count][head.outputs], and, unless hidden is null, what the head reads. Each row's
// bits are those of foreword_forward.
FOREWORD_API int32_t foreword_forward_texts(void* model, const int32_t* tokens, int64_t count, const int64_t* positions,
                                            uint16_t* const* const* texts, float* logits, float* hidden);
// From now on every pass of the model also writes what each of its rows leaves behind after each of `count` layers
// (indices in `depths`, any order), [rows of the pass][count][hidden], in place of what the pass before wrote: the
// caller makes room. count 0: no more of it.
FOREWORD_API int32_t foreword_observe(void* model, const int64_t* depths, int64_t count, float* features);

// How tokens are drawn (inference/sampling.py). temperature 0: the likeliest; top_k 0, top_p 1, min_p 0 and
// repetition_penalty 1: off.
struct ForewordSampling {
  float temperature;
  float top_p;
  float min_p;
  float repetition_penalty;
  int64_t top_k;
};
// What the target says: for each of `rows` rows of logits [rows][size] in turn a token, drawn where chances[i] (0..1)
// of the row's weight is reached, until it differs from draft [rows - 1]. Row i is penalized for the `seen_count`
// tokens of `seen` and the first i of the draft. foreword_say writes the tokens to said [rows], and how many there are
// to `count`.
struct ForewordSaying {
  struct ForewordSampling sampling;
  const float* logits;
  int64_t rows;
  int64_t size;
  const int32_t* draft;
  const double* chances;
  const int32_t* seen;
  int64_t seen_count;
  int32_t* said;
  int64_t count;
};
FOREWORD_API int32_t foreword_say(struct ForewordSaying* saying);
// What it draws from, [rows][size]. The last row stands behind all of the draft, each row before it behind one less.
FOREWORD_API int32_t foreword_distribution(const struct ForewordSampling* sampling, const float* logits, int64_t rows,
                                           int64_t size, const int32_t* draft, int64_t draft_count, const int32_t* seen,
                                           int64_t seen_count, float* out);

// A trained head: one layer over the features of another model, which writes ahead over a reduced vocabulary
// (inference/heads/head.py draws it). hidden is the same for both.
struct ForewordHead {
  struct ForewordMatrix embedding;  // the target's own
  struct ForewordMatrix fuse;       // [hidden][3 * hidden]
  struct ForewordMatrix join;       // [hidden][2 * hidden]: embedding, then fused features
  struct ForewordMatrix output;     // [reduced vocabulary][hidden]
  const float* embedding_norm;      // [hidden]
  const float* feature_norm;        // [hidden]
  const float* output_norm;         // [hidden]
  const struct ForewordLayer* layer;
  const int32_t* vocabulary;  // [output.outputs]: the target's tokens
  int64_t hidden;
  float epsilon;
  int32_t unused;
};
// Copies the description and the layer's, but not the weights they point to.
FOREWORD_API void* foreword_head_new(const struct ForewordHead* head);
FOREWORD_API void foreword_head_free(void* head);
// Appends `count` entries at `position` of the head's own cache `pages`: tokens and the target's features of the
// positions before them, [count][3][hidden]. Then writes up to `k` tokens that may follow into `draft`, the likeliest
// of each step, and their number into `drafted`; every step but the last leaves an entry of its own behind those (so
// pages for position + count + k - 1). It ends before a token with which the chance of all that it has drafted, as the
// head sees it, would be below `least`. k 0: nothing is drafted.
FOREWORD_API int32_t foreword_head_draft(void* head, const int32_t* tokens, const float* features, int64_t count,
                                         int64_t position, uint16_t* const* pages, int64_t k, float least,
                                         int32_t* draft, int64_t* drafted);
