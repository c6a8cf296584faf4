#include "vector_avx512.h"
#include "dot_avx512.h"

namespace {
constexpr int kValueTotals = 24;  // sums of sixteen values that stay in registers
}

#include "table.h"

FOREWORD_TABLE(avx512vnni)
