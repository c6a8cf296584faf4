#include "vector_avx2.h"
#include "dot_avx2.h"

namespace {
constexpr int kValueVectors = 1;  // of values per query that stay in registers
}

#include "table.h"

FOREWORD_TABLE(avx2)
