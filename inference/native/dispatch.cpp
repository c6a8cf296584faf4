// Which instruction set this processor has, and which one is in use.
#include "dispatch.h"

#include <atomic>
#include <cstring>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace {

bool have_scalar() { return true; }

#if defined(__x86_64__) || defined(_M_X64)
bool have_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");  // and f16c, older than both
}
bool have_avx512vnni() {
  return have_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}
#elif defined(__aarch64__)
bool have_neon() {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & (1ul << 20)) != 0;  // HWCAP_ASIMDDP
#else
  return true;  // every Apple processor since the M1
#endif
}
#endif

struct Choice {
  const Kernels* kernels;
  bool (*available)();
};

const Choice kChoices[] = {
#if defined(__x86_64__) || defined(_M_X64)
    {&kernels_avx512vnni, have_avx512vnni},
    {&kernels_avx2, have_avx2},
#elif defined(__aarch64__)
    {&kernels_neon, have_neon},
#endif
    {&kernels_scalar, have_scalar},
};

std::atomic<const Kernels*> chosen{nullptr};
std::atomic<int64_t> fetches{0};

const Kernels* find(const char* name) {
  for (const Choice& choice : kChoices) {
    if ((name[0] == '\0' || std::strcmp(name, choice.kernels->name) == 0) && choice.available()) return choice.kernels;
  }
  return nullptr;
}

}  // namespace

int64_t fetch_from() { return fetches.load(std::memory_order_relaxed); }

FOREWORD_API int32_t foreword_fetch_from(int64_t rows) {
  if (rows < 0) return FOREWORD_BAD_ARGUMENT;
  fetches.store(rows, std::memory_order_relaxed);
  return FOREWORD_OK;
}

const Kernels& kernels() {
  const Kernels* now = chosen.load(std::memory_order_relaxed);
  if (!now) {
    now = find("");
    chosen.store(now, std::memory_order_relaxed);
  }
  return *now;
}

FOREWORD_API const char* foreword_instruction_set(void) { return kernels().name; }

FOREWORD_API int32_t foreword_use(const char* name) {
  const Kernels* found = name ? find(name) : nullptr;
  if (!found) return FOREWORD_BAD_ARGUMENT;
  chosen.store(found, std::memory_order_relaxed);
  return FOREWORD_OK;
}
