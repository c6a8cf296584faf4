#include "vector_neon.h"
#include "dot_neon.h"

namespace {
constexpr int kValueVectors = 2;  // of values per query that stay in registers
}

#include "table.h"

FOREWORD_TABLE(neon)
