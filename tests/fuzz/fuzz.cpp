// libFuzzer feeds inputs to the target that the environment names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const target = std::getenv("ESPALIER_FUZZ_TARGET");
  if (target == nullptr) std::abort();
  espalier::fuzz::feed(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
