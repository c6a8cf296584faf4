// Fuzzes the kernels: tester [ROUNDS] [SEED]. Says what failed, then the number of checks and a digest of all results,
// which is the same on every machine and instruction set. The result is 0 when nothing failed.
#include <cstdlib>

#include "check.h"

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 20;
  const uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  for (const std::string& name : instruction_sets()) std::printf("%s ", name.c_str());
  std::printf("\n");
  for (int i = 0; i < rounds; ++i) {
    Random random(seed + static_cast<uint64_t>(i));
    check_packing(random);
    check_quantize(random);
    check_matmul(random);
    check_int5(random);
    check_floats(random);
    check_float_attention(random);
    check_float_gate(random);
    check_gate_up(random);
    check_norm(random);
    check_embed(random);
    check_search(random);
    for (int k = 0; k < 8; ++k) check_sampling(random);
    check_attention(random);
    check_model(random);
    check_head(random);
    check_pool(random);
  }
  foreword_set_threads(1);
  std::printf("%d checks, %d failures, digest %016llx\n", outcome.checks, outcome.failures,
              static_cast<unsigned long long>(outcome.digest));
  return outcome.failures ? 1 : 0;
}
