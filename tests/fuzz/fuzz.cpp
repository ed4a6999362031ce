// libFuzzer feeds inputs to the target that the environment names.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const target = std::getenv("ESPALIER_FUZZ_TARGET");
  if (target == nullptr) std::abort();
  espalier::fuzz::feed(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Sometimes repeats a part of the input many times: libFuzzer's own mutations change a few bytes,
/// and would never make a large input out of a small one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (size == 0 || size >= most || random() % 32 != 0) return LLVMFuzzerMutate(data, size, most);
  const std::size_t begin = random() % size;
  const std::size_t length = 1 + random() % std::min<std::size_t>(size - begin, 64);
  const std::size_t copies =
      std::min((most - size) / length, std::size_t{1} << random() % 20);  // 2^20 bytes at most
  std::uint8_t* const part = data + begin;
  std::uint8_t* const rest = part + length;
  std::copy_backward(rest, data + size, data + size + copies * length);
  for (std::size_t k = 1; k <= copies; ++k) std::copy_n(part, length, part + k * length);
  return size + copies * length;
}
