#include "vector_avx512.h"
#include "dot_avx512.h"

namespace {
constexpr int kValueVectors = 4;  // of values per query that stay in registers
}

#include "table.h"

FOREWORD_TABLE(avx512vnni)
