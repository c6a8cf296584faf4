#include "vector_avx2.h"
#include "dot_avx2.h"

namespace {
constexpr int kValueTotals = 4;  // sums of sixteen values that stay in registers
}

#include "table.h"

FOREWORD_TABLE(avx2)
