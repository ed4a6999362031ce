#pragma once

// The algorithm of the partial tree kernel's paper to the letter, as its author's program has it:
// the pairs of nodes that match come from a merge of sorted lists, D is computed by recursion from
// the top with a memo for each pair of nodes, and PT fills its table of prefixes for every length
// up to the shorter list. matched_pairs.hpp is the same idea with all that we would do to make it
// fast.

#include <cstdint>
#include <span>
#include <vector>

#include "baseline/flat_trees.hpp"
#include "baseline/matched_pairs.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier::baseline {

/// A value for each pair of nodes of two trees.
class Memo {
 public:
  static constexpr double unknown = -1;

  explicit Memo(std::uint32_t largest) : values_(std::size_t{largest} * largest) {}
  /// Forgets the pairs of nodes that match.
  void start(const SortedNodes& a, const SortedNodes& b, std::uint32_t columns) {
    columns_ = columns;
    pairs_.clear();
    for_each_common_run(a, b, [&](const Run& x, const Run& y) {
      for (std::uint32_t i = x.begin; i < x.end; ++i) {
        for (std::uint32_t j = y.begin; j < y.end; ++j) {
          pairs_.push_back({a.nodes[i], b.nodes[j]});
          at(a.nodes[i], b.nodes[j]) = unknown;
        }
      }
    });
  }
  double& at(std::uint32_t x, std::uint32_t y) { return values_[std::size_t{x} * columns_ + y]; }

  struct Pair {
    std::uint32_t x;
    std::uint32_t y;
  };
  std::span<const Pair> pairs() const { return pairs_; }

 private:
  std::size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<Pair> pairs_;
};

/// SST. Not for several threads at once.
class PaperSubsetTrees {
 public:
  PaperSubsetTrees(const FlatTrees& trees, const SubsetTreeOptions& options)
      : trees_(trees), options_(options), memo_(trees.largest()) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    memo_.start(a.by_production, b.by_production, b.size);
    double sum = options_.leaves ? options_.decay * equal_leaves(a, b) : 0;
    for (const Memo::Pair& pair : memo_.pairs()) sum += delta(a, b, pair.x, pair.y);
    return sum;
  }

 private:
  /// Requires equal productions.
  double delta(const FlatTree& a, const FlatTree& b, std::uint32_t x, std::uint32_t y) {
    double& value = memo_.at(x, y);
    if (value != Memo::unknown) return value;
    const auto below = a.children(x), other = b.children(y);
    double product = options_.decay;
    for (std::size_t c = 0; c < below.size(); ++c) {
      const std::uint32_t production = a.production[below[c]];
      if (production != 0 && production == b.production[other[c]]) {
        product *= 1 + delta(a, b, below[c], other[c]);
      }
    }
    return value = product;
  }

  const FlatTrees& trees_;
  SubsetTreeOptions options_;
  Memo memo_;
};

/// PT. Not for several threads at once.
class PaperPartialTrees {
 public:
  PaperPartialTrees(const FlatTrees& trees, const PartialTreeOptions& options)
      : trees_(trees),
        options_(options),
        memo_(trees.largest()),
        ends_(std::size_t{trees.widest() + 1} * (trees.widest() + 1)),
        sums_(ends_.size()) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    memo_.start(a.by_label, b.by_label, b.size);
    double sum = 0;
    for (const Memo::Pair& pair : memo_.pairs()) sum += delta(a, b, pair.x, pair.y);
    return sum;
  }

 private:
  /// Requires equal labels.
  double delta(const FlatTree& a, const FlatTree& b, std::uint32_t x, std::uint32_t y) {
    double& value = memo_.at(x, y);
    if (value != Memo::unknown) return value;
    const auto below = a.children(x), other = b.children(y);
    const double single = options_.decay * options_.decay;
    if (below.empty() || other.empty()) {
      return value = options_.depth_decay * single * options_.terminal;
    }
    for (const std::uint32_t p : below) {
      for (const std::uint32_t q : other) {
        if (a.label[p] == b.label[q]) delta(a, b, p, q);
      }
    }
    return value = options_.depth_decay * (single + subsequences(a, b, below, other));
  }

  double subsequences(const FlatTree& a, const FlatTree& b, std::span<const std::uint32_t> below,
                      std::span<const std::uint32_t> other) {
    const std::size_t columns = other.size() + 1;
    const double decay = options_.decay;
    const double step = options_.gap == Gap::span ? decay * decay : 1;
    std::size_t longest = std::min(below.size(), other.size());
    if (options_.max_length > 0 && options_.max_length < static_cast<double>(longest)) {
      longest = static_cast<std::size_t>(options_.max_length);
    }
    const auto match = [&](std::size_t i, std::size_t j) {
      const std::uint32_t p = below[i - 1], q = other[j - 1];
      return a.label[p] == b.label[q] ? memo_.at(p, q) : 0;
    };
    double sum = 0;
    for (std::size_t i = 1; i <= below.size(); ++i) {
      for (std::size_t j = 1; j <= other.size(); ++j) {
        sum += ends_[i * columns + j] = match(i, j);
      }
    }
    std::fill_n(sums_.begin(), columns, 0);
    for (std::size_t length = 2; length <= longest; ++length) {
      for (std::size_t i = 1; i <= below.size(); ++i) {
        double* const row = sums_.data() + i * columns;
        const double* const above = row - columns;
        double* const ends = ends_.data() + i * columns;
        row[0] = 0;
        for (std::size_t j = 1; j <= other.size(); ++j) {
          row[j] = ends[j] + decay * row[j - 1] + decay * above[j] - decay * decay * above[j - 1];
          sum += ends[j] = step * match(i, j) * above[j - 1];
        }
      }
    }
    return sum;
  }

  const FlatTrees& trees_;
  PartialTreeOptions options_;
  Memo memo_;
  std::vector<double> ends_;  ///< subsequences that end in these two children, by the paper DPS
  std::vector<double> sums_;  ///< those that end before or in them, by the paper DP
};

}  // namespace espalier::baseline
