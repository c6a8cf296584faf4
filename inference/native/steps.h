// Steps that a whole team takes together. Every one ends with all threads past it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels.h"
#include "pool.h"

// Where a step leaves what the next one reads. Grows, and is kept between forwards.
class AttentionScratch {
 public:
  // Room for any of `rows` rows at `position` with `threads` threads. Before the team starts.
  void prepare(const ForewordAttention& a, int64_t rows, int64_t position, int threads);

  std::vector<float> partials;  // [rows][heads][pages][head_size + 2]
  std::vector<float> values;    // [threads][2][queries][head_size]
  std::vector<Query> queries;   // [threads][queries]
  std::vector<int64_t> owners;  // [threads][queries]
  std::vector<Partial> totals;  // [threads][queries]
};

// One product of several that read the same rows.
struct Product {
  const ForewordMatrix* matrix;
  float* out;
  int64_t stride;
  bool accumulate;
};

// Heads of `rows` rows; the strides are those between rows.
struct AttentionRows {
  float* q;
  float* k;
  const float* v;
  int64_t q_stride;
  int64_t kv_stride;
  int64_t rows;
  int64_t position;  // of the first row
  uint16_t* const* pages;
  int64_t layer;
  float* out;  // [rows][heads][head_size]
  // Rows of as many texts, one of each, where `texts` is given: row r stands at positions[r] of the text in texts[r].
  const int64_t* positions = nullptr;
  uint16_t* const* const* texts = nullptr;
};

void quantize_step(Team& team, const float* x, int64_t rows, int64_t inputs, ForewordGroup* out);
void norm_quantize_step(Team& team, const float* x, const float* weight, float epsilon, int64_t rows, int64_t size,
                        ForewordGroup* out);
void matmul_step(Team& team, const Product* products, int count, const ForewordGroup* x, int64_t rows);
void gate_up_step(Team& team, const ForewordMatrix& gate, const ForewordMatrix& up, const ForewordGroup* x,
                  int64_t rows, int32_t activation, ForewordGroup* out);
// Queries and keys get their norms and positions; keys and values go to the cache.
void keep_step(Team& team, const ForewordAttention& a, const AttentionRows& rows);
// What keep_step has prepared, these rows and those before them, becomes attention.
void attend_step(Team& team, const ForewordAttention& a, const AttentionRows& rows, AttentionScratch& scratch);
