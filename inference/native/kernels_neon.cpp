#include "vector_neon.h"
#include "dot_neon.h"

namespace {
constexpr int kValueTotals = 6;  // sums of sixteen values that stay in registers
}

#include "table.h"

FOREWORD_TABLE(neon)
