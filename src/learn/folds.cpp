#include "learn/folds.hpp"

#include <utility>

namespace espalier {

namespace {

/// SplitMix64 (Steele, Lea & Flood 2014). The generators and distributions of the standard library
/// differ between platforms.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::vector<std::uint32_t> stratified_folds(std::span<const std::int8_t> signs, std::size_t folds,
                                            std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<std::uint32_t> out(signs.size());
  std::size_t dealt = 0;  // continues from sign to sign: small classes must not all be in fold 0
  for (const bool side : {true, false}) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < signs.size(); ++i) {
      if ((signs[i] > 0) == side) members.push_back(i);
    }
    for (std::size_t left = members.size(); left > 1; --left) {
      std::swap(members[left - 1], members[random.next() % left]);
    }
    for (const std::uint32_t i : members) out[i] = static_cast<std::uint32_t>(dealt++ % folds);
  }
  return out;
}

}  // namespace espalier
