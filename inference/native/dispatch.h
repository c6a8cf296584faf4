// The kernels in use.
#pragma once

#include "kernels.h"

const Kernels& kernels();
