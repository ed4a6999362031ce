#include "kernel/key_counts.hpp"

#include <algorithm>
#include <utility>

namespace espalier {

KeyCounts count_keys(const Bags& bags, std::size_t key_count, std::span<const std::uint32_t> keys) {
  KeyCounts out;
  out.all.count = out.some.count = key_count;
  struct Counts {
    double all = 0;
    double inner = 0;
    bool seen = false;
  };
  std::vector<Counts> counts(key_count);
  std::vector<std::uint32_t> seen;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    seen.clear();
    const Bag& bag = bags[i];
    for (std::size_t at = 0; at < bag.size(); ++at) {
      const std::uint32_t k = keys[bag.vertex(at)];
      if (k == none) continue;
      if (!std::exchange(counts[k].seen, true)) seen.push_back(k);
      counts[k].all += bag.count(at);
      if (!bags.forest().is_leaf(bag.vertex(at))) counts[k].inner += bag.count(at);
    }
    if (8 * seen.size() > key_count) {
      // Nearly all of them, as in the bags of a model: looking is faster than sorting.
      seen.clear();
      for (std::uint32_t k = 0; k < key_count; ++k) {
        if (counts[k].seen) seen.push_back(k);
      }
    } else {
      std::ranges::sort(seen);
    }
    for (const std::uint32_t k : seen) {
      out.all.add(k, counts[k].all);
      if (counts[k].inner != 0) out.some.add(k, counts[k].inner);
      counts[k] = {};
    }
    out.all.finish_example();
    out.some.finish_example();
  }
  return out;
}

void leave_out_all_but(const Features& counts, std::span<std::uint32_t> keys) {
  std::vector<std::uint8_t> has(counts.count, 0);
  for (const std::uint32_t key : counts.ids) has[key] = 1;
  for (std::uint32_t& key : keys) {
    if (key != none && has[key] == 0) key = none;
  }
}

}  // namespace espalier
