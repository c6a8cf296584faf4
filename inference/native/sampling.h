// What sampling asks of a whole row: its largest value, its weights, their sum. Written once over sixteen lanes,
// compiled for each instruction set, the same bits from all of them.
#pragma once

#include "elementwise.h"
#include "kernels.h"

namespace {

// -infinity where there is nothing but NaN.
float most(const float* x, int64_t size) {
  Floats best = all(-INFINITY);
  int64_t k = 0;
  for (; k + 16 <= size; k += 16) best = larger(load(x + k), best);
  float lanes[16];
  store(lanes, best);
  float result = lanes[0];
  for (int i = 1; i < 16; ++i) result = lanes[i] > result ? lanes[i] : result;
  for (; k < size; ++k) result = x[k] > result ? x[k] : result;
  return result;
}

// out = e^((x - largest) * steepness): 1 for the largest, nothing for NaN and for what is below e^-86.9.
void weigh(const float* x, int64_t size, float largest, float steepness, float* out) {
  const Floats top = all(largest);
  const Floats slope = all(steepness);
  for (int64_t k = 0; k < size; k += 16) {
    const Floats weight = exponential(multiply(subtract(load_some(x + k, size - k), top), slope));
    store_part(out + k, larger(subtract(weight, all(2e-38f)), zero()), size - k < 16 ? size - k : 16);
  }
}

float total(const float* x, int64_t size) {
  Floats even = zero();
  Floats odd = zero();
  for (int64_t k = 0; k < size; k += 32) {
    even = add(even, load_some(x + k, size - k));
    odd = add(odd, load_some(x + k + 16, size - k - 16));
  }
  return sum(add(even, odd));
}

}  // namespace
