#include "vector_scalar.h"
#include "dot_scalar.h"

namespace {
constexpr int kValueTotals = 4;  // sums of sixteen values that stay in registers
}

#include "table.h"

FOREWORD_TABLE(scalar)
