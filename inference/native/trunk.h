// Rows on their way through decoder layers: the residual stream and what a layer leaves between its steps.
#pragma once

#include <cstdint>
#include <vector>

#include "steps.h"

// Where the rows of a pass stand: one after another from `position` on in the text of `pages`, or each in a text of its
// own where `texts` is given.
struct Place {
  int64_t position;
  uint16_t* const* pages;
  const int64_t* positions = nullptr;
  uint16_t* const* const* texts = nullptr;
};

class Trunk {
 public:
  Trunk(int64_t hidden, float epsilon, int32_t activation)
      : hidden_(hidden), epsilon_(epsilon), activation_(activation) {}

  // Room for `rows` rows, the last of them at `position` + rows - 1. Before the team starts.
  void prepare(const ForewordLayer& layer, int64_t rows, int64_t position);

  // All rows go through `layer`, number `index` of its text's cache. Of the result only the rows from `first` on are
  // wanted, and the keys and values of all.
  void pass(Team& team, const ForewordLayer& layer, int64_t index, int64_t rows, const Place& place, int64_t first);

  float* row(int64_t row) { return x_.data() + row * hidden_; }  // of the residual stream

 private:
  void attend(Team& team, const ForewordLayer& layer, int64_t index, int64_t rows, const Place& place, int64_t from);
  void feed_forward(Team& team, const ForewordLayer& layer, int64_t from, int64_t rows);
  void join(Team& team, const ForewordMatrix& matrix, const ForewordGroup* groups, int64_t from, int64_t rows,
            const float* norm);

  int64_t hidden_;
  float epsilon_;
  int32_t activation_;
  std::vector<float> x_, q_, k_, v_, attended_;
  std::vector<ForewordGroup> groups_, inner_;
  AttentionScratch attention_;
};

// Makes a buffer at least so large.
template <typename Buffer>
void grow(Buffer& buffer, int64_t size) {
  if (static_cast<int64_t>(buffer.size()) < size) buffer.resize(static_cast<size_t>(size));
}
