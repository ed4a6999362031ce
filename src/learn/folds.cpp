#include "learn/folds.hpp"

#include <algorithm>
#include <map>
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

std::vector<std::uint32_t> stratified_group_folds(std::span<const std::int8_t> signs,
                                                  std::span<const std::uint32_t> groups,
                                                  std::size_t folds, std::uint64_t seed) {
  std::map<std::uint32_t, std::uint32_t> place;
  std::vector<std::vector<std::uint32_t>> members;
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(members.size());
    const auto [found, is_new] = place.try_emplace(groups[i], next);
    if (is_new) members.emplace_back();
    members[found->second].push_back(i);
  }
  if (members.size() == groups.size() || members.size() <= 1) {
    return stratified_folds(signs, folds, seed);
  }
  SplitMix random(seed);
  for (std::size_t left = members.size(); left > 1; --left) {
    std::swap(members[left - 1], members[random.next() % left]);
  }
  std::ranges::stable_sort(members, std::ranges::greater(), &std::vector<std::uint32_t>::size);
  std::vector<std::uint32_t> out(signs.size());
  std::vector<std::size_t> counts[2] = {std::vector<std::size_t>(folds),
                                        std::vector<std::size_t>(folds)};
  for (const std::vector<std::uint32_t>& group : members) {
    const auto positives = static_cast<std::size_t>(
        std::ranges::count_if(group, [&](std::uint32_t i) { return signs[i] > 0; }));
    const std::size_t most = 2 * positives >= group.size() ? 1 : 0;
    std::uint32_t best = 0;
    for (std::uint32_t fold = 1; fold < folds; ++fold) {
      const auto load = [&](std::uint32_t f) {
        return std::pair(counts[most][f], counts[1 - most][f]);
      };
      if (load(fold) < load(best)) best = fold;
    }
    counts[1][best] += positives;
    counts[0][best] += group.size() - positives;
    for (const std::uint32_t i : group) out[i] = best;
  }
  return out;
}

}  // namespace espalier
