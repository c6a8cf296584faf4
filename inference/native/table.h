// Included last by each instruction set's source: gives its kernels their names.
#pragma once

#include "attention.h"
#include "elementwise.h"
#include "float_attention.h"
#include "float_matmul.h"
#include "matmul.h"
#include "packing.h"
#include "sampling.h"

#define FOREWORD_TABLE(name)                                                                                 \
  const Kernels kernels_##name = {#name,        quantize,   norm,         norm_add,   norm_quantize, matmul, \
                                  float_matmul, float_keep, float_attend, float_gate, gate_up,       embed,  \
                                  rotate,       keep,       attend,       merge,      finish,        argmax, \
                                  share,        most,       weigh,        total,      pack_int4};
