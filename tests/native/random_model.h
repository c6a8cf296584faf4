// Small random models of every kind that the kernels know.
#pragma once

#include <memory>

#include "check.h"

struct RandomModel {
  explicit RandomModel(Random& random) {
    kv_heads = between(random, 1, 2);
    heads = kv_heads * between(random, 1, 3);
    head_size = 16 * between(random, 1, 2);
    hidden = any_inputs(random, 80);
    const int64_t inner = any_inputs(random, 90);
    const bool gemma = chance(random, 0.3);
    for (int64_t i = 0; i < 512 * head_size / 2; ++i) {
      const float angle = static_cast<float>(i / (head_size / 2)) / static_cast<float>(1 + i % (head_size / 2));
      cosines.push_back(static_cast<float>(std::cos(static_cast<double>(angle))));
      sines.push_back(static_cast<float>(std::sin(static_cast<double>(angle))));
    }
    const auto matrix = [&](int64_t outputs, int64_t inputs, bool bias) {
      matrices.push_back(std::make_unique<RandomMatrix>(random, outputs, inputs, any_format(random, inputs), bias, 5));
      return matrices.back()->matrix();
    };
    const auto norm = [&](int64_t size) {
      norms.push_back(gaussians(random, size));
      return norms.back().data();
    };
    norms.reserve(100);
    for (int64_t i = 0, count = between(random, 1, 3); i < count; ++i) {
      ForewordLayer layer{};
      layer.attention_norm = norm(hidden);
      layer.query = matrix(heads * head_size, hidden, chance(random, 0.5));
      layer.key = matrix(kv_heads * head_size, hidden, chance(random, 0.5));
      layer.value = matrix(kv_heads * head_size, hidden, chance(random, 0.5));
      layer.output = matrix(hidden, heads * head_size, false);
      layer.attention = {heads,   kv_heads, head_size, chance(random, 0.3) ? 7 : 0, 0.25f, 1e-6f, nullptr, nullptr,
                         nullptr, nullptr,  nullptr};
      if (chance(random, 0.5)) layer.attention.query_norm = norm(head_size), layer.attention.key_norm = norm(head_size);
      if (chance(random, 0.8)) layer.attention.cosines = cosines.data(), layer.attention.sines = sines.data();
      if (layer.key.bias && layer.attention.cosines && !layer.attention.key_norm) {
        norms.push_back(turned(layer.key.bias));
        layer.attention.key_offsets = norms.back().data();
      }
      layer.feed_forward_norm = norm(hidden);
      layer.gate = matrix(inner, hidden, false);
      layer.up = matrix(inner, hidden, false);
      layer.down = matrix(hidden, inner, false);
      if (gemma) layer.post_attention_norm = norm(hidden), layer.post_feed_forward_norm = norm(hidden);
      layers.push_back(layer);
    }
    const ForewordMatrix embedding = matrix(vocabulary, hidden, false);
    const ForewordMatrix head = chance(random, 0.5) ? embedding : matrix(vocabulary, hidden, false);
    model = {embedding, head,  norm(hidden),        layers.data(), static_cast<int64_t>(layers.size()),
             hidden,    1e-5f, gemma ? 3.0f : 1.0f, gemma ? 1 : 0, 0};
    handle = foreword_model_new(&model);
  }
  ~RandomModel() { foreword_model_free(handle); }
  RandomModel(const RandomModel&) = delete;
  RandomModel& operator=(const RandomModel&) = delete;

  // What this bias gives at positions 0 to 15.
  std::vector<float> turned(const float* bias) const {
    const int64_t half = head_size / 2;
    std::vector<float> out;
    for (int64_t i = 0; i < kv_heads * head_size; ++i) {
      const int64_t pair = i % half;
      const bool low = i % head_size < half;
      for (int64_t j = 0; j < 16; ++j) {
        const float sine = sines[static_cast<size_t>(j * half + pair)];
        out.push_back(bias[i] * cosines[static_cast<size_t>(j * half + pair)] +
                      bias[low ? i + half : i - half] * (low ? -sine : sine));
      }
    }
    return out;
  }

  static constexpr int64_t vocabulary = 37;
  int64_t heads, kv_heads, head_size, hidden;
  std::vector<float> cosines, sines;
  std::vector<std::unique_ptr<RandomMatrix>> matrices;
  std::vector<std::vector<float>> norms;
  std::vector<ForewordLayer> layers;
  ForewordModel model;
  void* handle;
};
