#include "engine/key_counts.hpp"

#include <algorithm>

namespace espalier {

namespace {

/// The keys of an example, sorted.
void sort_keys(const Numbering& numbers, std::size_t key_count, std::vector<std::uint32_t>& keys) {
  if (8 * numbers.size() <= key_count) {
    keys = numbers.ids();
    std::ranges::sort(keys);
    return;
  }
  // Nearly all keys occur, as in the bags of a model: a scan is faster than sorting.
  keys.clear();
  for (std::uint32_t key = 0; key < key_count; ++key) {
    if (numbers.of(key) != none) keys.push_back(key);
  }
}

}  // namespace

KeyCounts count_keys(const Bags& bags, std::size_t key_count, std::span<const std::uint32_t> keys,
                     bool with_inner) {
  KeyCounts out{SparseMatrix(key_count), SparseMatrix(key_count)};
  Numbering numbers;               // of the keys of an example
  std::vector<double> all, inner;  // per number
  std::vector<std::uint32_t> sorted;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const Bag& bag = bags[i];
    numbers.start(key_count);
    all.clear();
    inner.clear();
    for (std::size_t at = 0; at < bag.size(); ++at) {
      const VertexId v = bag.vertex(at);
      if (keys[v] == none) continue;
      const std::uint32_t number = numbers.add(keys[v]);
      if (number == all.size()) {
        all.push_back(0);
        inner.push_back(0);
      }
      all[number] += bag.count(at);
      if (with_inner && !bags.forest().is_leaf(v)) inner[number] += bag.count(at);
    }
    sort_keys(numbers, key_count, sorted);
    for (const std::uint32_t key : sorted) {
      const std::uint32_t number = numbers.of(key);
      out.all.append(key, all[number]);
      if (inner[number] != 0) out.inner.append(key, inner[number]);
    }
    out.all.finish_row();
    out.inner.finish_row();
  }
  return out;
}

void keep_only_keys_of(const SparseMatrix& counts, std::span<std::uint32_t> keys) {
  std::vector<std::uint8_t> has(counts.columns(), 0);
  for (const std::uint32_t key : counts.all_columns()) has[key] = 1;
  for (std::uint32_t& key : keys) {
    if (key != none && has[key] == 0) key = none;
  }
}

}  // namespace espalier
