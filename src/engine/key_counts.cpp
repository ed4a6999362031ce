#include "engine/key_counts.hpp"

#include <algorithm>
#include <utility>

namespace espalier {

namespace {

/// Counts of the keys of one example.
class ExampleCounts {
 public:
  explicit ExampleCounts(std::size_t key_count) : slot_(key_count, none) {}

  void add(std::uint32_t key, double count, bool is_inner) {
    if (slot_[key] == none) {
      slot_[key] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
      counts_.push_back({0, 0});
    }
    Counts& counts = counts_[slot_[key]];
    counts.all += count;
    if (is_inner) counts.inner += count;
  }

  /// Appends the counts to `out` and clears them.
  void move_to(KeyCounts& out) {
    sort_keys();
    for (const std::uint32_t key : keys_) {
      const Counts& counts = counts_[std::exchange(slot_[key], none)];
      out.all.append(key, counts.all);
      if (counts.inner != 0) out.inner.append(key, counts.inner);
    }
    keys_.clear();
    counts_.clear();
    out.all.finish_row();
    out.inner.finish_row();
  }

 private:
  struct Counts {
    double all;
    double inner;
  };

  void sort_keys() {
    if (8 * keys_.size() <= slot_.size()) {
      std::ranges::sort(keys_);
      return;
    }
    // Nearly all keys occur, as in the bags of a model: a scan is faster than sorting.
    keys_.clear();
    for (std::uint32_t key = 0; key < slot_.size(); ++key) {
      if (slot_[key] != none) keys_.push_back(key);
    }
  }

  std::vector<std::uint32_t> slot_;  ///< per key: in counts_, or none
  std::vector<std::uint32_t> keys_;
  std::vector<Counts> counts_;
};

}  // namespace

KeyCounts count_keys(const Bags& bags, std::size_t key_count, std::span<const std::uint32_t> keys,
                     bool with_inner) {
  KeyCounts out{SparseMatrix(key_count), SparseMatrix(key_count)};
  ExampleCounts example(key_count);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const Bag& bag = bags[i];
    for (std::size_t at = 0; at < bag.size(); ++at) {
      const VertexId v = bag.vertex(at);
      if (keys[v] == none) continue;
      example.add(keys[v], bag.count(at), with_inner && !bags.forest().is_leaf(v));
    }
    example.move_to(out);
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
