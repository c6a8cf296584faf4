// From a row of logits to a token: the filters of inference/sampling.py in one go, and only over the rows that matter.
#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "dispatch.h"

namespace {

constexpr int64_t kBlock = 256;          // weights that are added up, or passed over, at once
constexpr int64_t kFew = 32;             // candidates that are simply sorted
constexpr float kFurther = 1.0f / 1024;  // how much lower the next look for the nucleus begins

float penalized(float logit, float penalty) { return logit > 0 ? logit / penalty : logit * penalty; }

// The weights of one row at a time. Kept between calls, since memory that is new costs more than all the sums.
class Row {
 public:
  // What is drawn from after `logits`, with the tokens of `seen` and `draft` penalized.
  void read(const ForewordSampling& s, const float* logits, int64_t size, const int32_t* seen, int64_t seen_count,
            const int32_t* draft, int64_t draft_count) {
    weights.resize(static_cast<size_t>(size));
    if (s.repetition_penalty != 1.0f) {  // from the logits as they came, so that a token seen twice pays once
      logits_.assign(logits, logits + size);
      penalize(s, logits, size, seen, seen_count);
      penalize(s, logits, size, draft, draft_count);
      logits = logits_.data();
    }
    best = std::max(kernels().argmax(logits, size), 0);
    if (s.temperature == 0.0f) return;
    kernels().weigh(logits, size, logits[best], 1.0f / s.temperature, weights.data());
    if (s.top_k > 0 && s.top_k < size) keep_likeliest(logits, s.top_k);
    add_up();
    float floor = s.min_p;  // the likeliest token weighs 1
    if (s.top_p < 1.0f) floor = std::max(floor, nucleus(static_cast<double>(s.top_p) * mass));
    if (floor > 0.0f) {
      for (float& weight : weights) weight = weight < floor ? 0.0f : weight;
      add_up();
    }
  }

  // Where `chance` of all weight is reached; the likeliest token where there is none, as in a row of NaN.
  int32_t drawn(double chance) const {
    if (sums_.empty() || !(mass > 0)) return best;
    const double wanted = chance * mass;
    double reached = 0;
    size_t block = 0, last = 0;
    for (; block < sums_.size(); ++block) {
      if (sums_[block] > 0) last = block;
      if (reached + static_cast<double>(sums_[block]) > wanted) break;
      reached += static_cast<double>(sums_[block]);
    }
    if (block == sums_.size()) {  // rounding has left none
      block = last;
      reached = -INFINITY;
    }
    const size_t begin = block * kBlock, end = std::min(begin + kBlock, weights.size());
    size_t token = begin;
    for (size_t i = begin; i < end; ++i) {
      if (weights[i] > 0) token = i;
      reached += static_cast<double>(weights[i]);
      if (reached > wanted) break;
    }
    return static_cast<int32_t>(token);
  }

  void add_up() {
    sums_.clear();
    mass = 0;
    const int64_t size = static_cast<int64_t>(weights.size());
    for (int64_t k = 0; k < size; k += kBlock) {
      sums_.push_back(kernels().total(weights.data() + k, std::min(kBlock, size - k)));
      mass += static_cast<double>(sums_.back());
    }
  }

  std::vector<float> weights;
  double mass = 0;
  int32_t best = 0;

 private:
  void penalize(const ForewordSampling& s, const float* logits, int64_t size, const int32_t* tokens, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (tokens[i] >= 0 && tokens[i] < size)
        logits_[static_cast<size_t>(tokens[i])] = penalized(logits[tokens[i]], s.repetition_penalty);
    }
  }

  // Zero for all tokens below the k-th.
  void keep_likeliest(const float* logits, int64_t k) {
    const auto order = [](float a, float b) { return a > b; };  // the least of those kept is on top
    const int64_t size = static_cast<int64_t>(weights.size());
    candidates_.clear();
    for (int64_t begin = 0; begin < size; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, size);
      const bool full = static_cast<int64_t>(candidates_.size()) == k;
      if (full && !(kernels().most(logits + begin, end - begin) > candidates_[0])) continue;
      for (int64_t i = begin; i < end; ++i) {
        if (static_cast<int64_t>(candidates_.size()) < k) {
          if (logits[i] != logits[i]) continue;
          candidates_.push_back(logits[i]);
          std::push_heap(candidates_.begin(), candidates_.end(), order);
        } else if (logits[i] > candidates_[0]) {
          std::pop_heap(candidates_.begin(), candidates_.end(), order);
          candidates_.back() = logits[i];
          std::push_heap(candidates_.begin(), candidates_.end(), order);
        }
      }
    }
    const float floor = static_cast<int64_t>(candidates_.size()) == k ? candidates_[0] : -INFINITY;
    for (int64_t i = 0; i < size; ++i) {
      float& weight = weights[static_cast<size_t>(i)];
      weight = logits[i] >= floor ? weight : 0.0f;
    }
  }

  // The smallest weight among the likeliest tokens that only together have as much as `wanted`.
  float nucleus(double wanted) {
    const auto order = [](float a, float b) { return a > b; };
    const int64_t size = static_cast<int64_t>(weights.size());
    if (!(wanted > 0)) return 1.0f;
    double found = 0;
    for (float floor = kFurther; found < wanted; floor *= kFurther) {
      if (floor < 1e-30f) floor = 0.0f;
      candidates_.clear();
      found = 0;
      for (int64_t begin = 0; begin < size; begin += kBlock) {
        const int64_t end = std::min(begin + kBlock, size);
        if (kernels().most(weights.data() + begin, end - begin) < floor) continue;
        for (int64_t i = begin; i < end; ++i) {
          const float weight = weights[static_cast<size_t>(i)];
          if (weight < floor || weight == 0.0f) continue;
          candidates_.push_back(weight);
          found += static_cast<double>(weight);
        }
      }
      if (floor == 0.0f) break;
    }
    auto first = candidates_.begin(), last = candidates_.end();
    double before = 0;  // of all that are likelier than those left
    while (last - first > kFew) {
      const auto middle = first + (last - first) / 2;
      std::nth_element(first, middle, last, order);
      double half = 0;
      for (auto i = first; i < middle; ++i) half += static_cast<double>(*i);
      if (before + half >= wanted) {
        last = middle;
      } else {
        before += half;
        first = middle;
      }
    }
    std::sort(first, last, order);
    for (; first + 1 < last; ++first) {
      before += static_cast<double>(*first);
      if (before >= wanted) break;
    }
    return *first;
  }

  std::vector<float> logits_, candidates_;
  std::vector<float> sums_;  // of each block
};

Row& row_of_this_thread() {
  static thread_local Row row;
  return row;
}

bool sound(const ForewordSampling* s) {
  return s && s->temperature >= 0 && s->repetition_penalty > 0 && s->top_p >= 0 && s->min_p >= 0;
}

}  // namespace

FOREWORD_API int32_t foreword_say(ForewordSaying* s) {
  if (!s || !sound(&s->sampling) || !s->logits || s->rows < 1 || s->size < 1 || (s->rows > 1 && !s->draft) ||
      !s->said || (s->sampling.temperature > 0 && !s->chances) || s->seen_count < 0 ||
      (s->seen_count > 0 && !s->seen)) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    Row& row = row_of_this_thread();
    s->count = 0;
    for (int64_t i = 0; i < s->rows; ++i) {
      row.read(s->sampling, s->logits + i * s->size, s->size, s->seen, s->seen_count, s->draft, i);
      s->said[i] = s->sampling.temperature > 0 ? row.drawn(s->chances[i]) : row.best;
      s->count = i + 1;
      if (i + 1 < s->rows && s->said[i] != s->draft[i]) break;
    }
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}

FOREWORD_API int32_t foreword_distribution(const ForewordSampling* sampling, const float* logits, int64_t rows,
                                           int64_t size, const int32_t* draft, int64_t draft_count, const int32_t* seen,
                                           int64_t seen_count, float* out) {
  if (!sound(sampling) || sampling->temperature == 0 || !logits || !out || rows < 1 || size < 1 || draft_count < 0 ||
      (draft_count > 0 && !draft) || seen_count < 0 || (seen_count > 0 && !seen)) {
    return FOREWORD_BAD_ARGUMENT;
  }
  try {
    Row& row = row_of_this_thread();
    for (int64_t i = 0; i < rows; ++i) {
      row.read(*sampling, logits + i * size, size, seen, seen_count, draft,
               std::max<int64_t>(0, draft_count + 1 - rows + i));
      const float share = row.mass > 0 ? static_cast<float>(1.0 / row.mass) : 0.0f;
      float* to = out + i * size;
      for (int64_t k = 0; k < size; ++k) to[k] = row.weights[static_cast<size_t>(k)] * share;
      if (share == 0.0f) to[row.best] = 1.0f;
    }
  } catch (const std::bad_alloc&) {
    return FOREWORD_NO_MEMORY;
  }
  return FOREWORD_OK;
}
