#include "vector_scalar.h"
#include "dot_scalar.h"

namespace {
constexpr int kValueVectors = 1;  // of values per query that stay in registers
}

#include "table.h"

FOREWORD_TABLE(scalar)
