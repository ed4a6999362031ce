#pragma once

// The tree-by-tree algorithm of the partial tree kernel's paper (Moschitti 2006), written from the
// formulas: nodes are sorted once per tree; two trees find the pairs of nodes that match by a
// merge; D is computed for these pairs only and kept in a table for the two trees. It serves for
// comparison.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "baseline/flat_trees.hpp"
#include "baseline/subsequences.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier::baseline {

/// Calls visit(run of a, run of b) for the keys that both have.
template <class Visit>
void for_each_common_run(const SortedNodes& a, const SortedNodes& b, Visit&& visit) {
  for (std::size_t i = 0, j = 0; i < a.runs.size() && j < b.runs.size();) {
    const Run& x = a.runs[i];
    const Run& y = b.runs[j];
    if (x.key == y.key) visit(x, y);
    i += x.key <= y.key ? 1 : 0;
    j += y.key <= x.key ? 1 : 0;
  }
}

inline double equal_leaves(const FlatTree& a, const FlatTree& b) {
  double pairs = 0;
  for_each_common_run(a.leaves, b.leaves, [&](const Run& x, const Run& y) {
    pairs += static_cast<double>(x.end - x.begin) * (y.end - y.begin);
  });
  return pairs;
}

/// A table of one value for each pair of matching nodes of two trees. Only these take room: it is
/// filled from front to back, and a row is found by the node of the first tree.
template <class T>
class PairTable {
 public:
  explicit PairTable(std::uint32_t largest) : rows_(largest) {}

  /// Calls fill(node, matches, row) bottom-up for each node of `a` that some node of `b` matches;
  /// row[i] is the place for the pair (node, matches[i]).
  template <class Fill>
  void fill(std::uint32_t size, const SortedNodes& a, const SortedNodes& b, Fill&& fill) {
    std::fill_n(rows_.begin(), size, Row{});
    std::size_t total = 0;
    for_each_common_run(a, b, [&](const Run& x, const Run& y) {
      for (std::uint32_t i = x.begin; i < x.end; ++i) {
        rows_[a.nodes[i]] = {y.begin, y.end, total};
        total += y.end - y.begin;
      }
    });
    if (values_.size() < total) values_.resize(total);
    for (std::uint32_t node = 0; node < size; ++node) {
      const Row& row = rows_[node];
      if (row.begin == row.end) continue;
      fill(node, b.nodes.subspan(row.begin, row.end - row.begin), values_.data() + row.offset);
    }
  }

  /// The value for a node of `a` and the node of `b` with that rank; the two must match.
  const T& at(std::uint32_t node, std::uint32_t rank) const {
    return values_[rows_[node].offset + rank];
  }

 private:
  struct Row {
    std::uint32_t begin = 0;  ///< of the matches
    std::uint32_t end = 0;
    std::size_t offset = 0;  ///< in values_
  };
  std::vector<Row> rows_;
  std::vector<T> values_;
};

/// ST, counts multiplied, children ordered. Not for several threads at once.
class MatchedSubtrees {
 public:
  MatchedSubtrees(const FlatTrees& trees, const SubtreeOptions& options)
      : trees_(trees), options_(options), equal_(trees.largest()) {
    for (std::size_t i = 0; i < trees.size(); ++i) weights_.push_back(weights(trees[i]));
  }

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    const std::span<const std::uint32_t> rank = b.by_production.rank;
    double sum = 0;
    equal_.fill(a.size, a.by_production, b.by_production,
                [&](std::uint32_t node, std::span<const std::uint32_t> matches, std::uint8_t* row) {
                  const auto below = a.children(node);
                  std::uint32_t count = 0;
                  for (std::size_t m = 0; m < matches.size(); ++m) {
                    const auto other = b.children(matches[m]);
                    bool equal = true;
                    for (std::size_t c = 0; equal && c < below.size(); ++c) {
                      const std::uint32_t production = a.production[below[c]];
                      equal = production == b.production[other[c]] &&
                              (production == 0 || equal_.at(below[c], rank[other[c]]) != 0);
                    }
                    row[m] = equal ? 1 : 0;
                    count += row[m];
                  }
                  sum += count * weights_[i][node];
                });
    if (options_.leaves) {
      const bool by_size = options_.weight == SubtreeWeight::size;
      sum += (by_size ? options_.decay : 1) * equal_leaves(a, b);
    }
    return sum;
  }

 private:
  std::vector<double> weights(const FlatTree& tree) const {
    std::vector<int> exponent(tree.size);
    std::vector<double> out;
    for (std::uint32_t node = 0; node < tree.size; ++node) {
      const bool height = options_.weight == SubtreeWeight::height;
      const bool leaf_counts = options_.weight == SubtreeWeight::size;
      int below = 0;
      for (const std::uint32_t child : tree.children(node)) {
        below = height ? std::max(below, exponent[child]) : below + exponent[child];
      }
      exponent[node] = below + (leaf_counts || !tree.is_leaf(node) ? 1 : 0);
      const bool uniform = options_.weight == SubtreeWeight::uniform;
      out.push_back(uniform ? 1 : std::pow(options_.decay, exponent[node]));
    }
    return out;
  }

  const FlatTrees& trees_;
  SubtreeOptions options_;
  std::vector<std::vector<double>> weights_;
  PairTable<std::uint8_t> equal_;
};

/// SST. Not for several threads at once.
class MatchedSubsetTrees {
 public:
  MatchedSubsetTrees(const FlatTrees& trees, const SubsetTreeOptions& options)
      : trees_(trees), options_(options), delta_(trees.largest()) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    const std::span<const std::uint32_t> rank = b.by_production.rank;
    double sum = 0;
    delta_.fill(a.size, a.by_production, b.by_production,
                [&](std::uint32_t node, std::span<const std::uint32_t> matches, double* row) {
                  const auto below = a.children(node);
                  for (std::size_t m = 0; m < matches.size(); ++m) {
                    const auto other = b.children(matches[m]);
                    double product = options_.decay;
                    for (std::size_t c = 0; c < below.size(); ++c) {
                      const std::uint32_t production = a.production[below[c]];
                      if (production != 0 && production == b.production[other[c]]) {
                        product *= 1 + delta_.at(below[c], rank[other[c]]);
                      }
                    }
                    row[m] = product;
                    sum += product;
                  }
                });
    return options_.leaves ? sum + options_.decay * equal_leaves(a, b) : sum;
  }

 private:
  const FlatTrees& trees_;
  SubsetTreeOptions options_;
  PairTable<double> delta_;
};

/// PT. Not for several threads at once.
class MatchedPartialTrees {
 public:
  MatchedPartialTrees(const FlatTrees& trees, const PartialTreeOptions& options)
      : trees_(trees), options_(options), delta_(trees.largest()), sequences_(options) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    const std::span<const std::uint32_t> rank = b.by_label.rank;
    const double single = options_.decay * options_.decay;
    const double leaf = options_.depth_decay * single * options_.terminal;
    double sum = 0;
    delta_.fill(a.size, a.by_label, b.by_label,
                [&](std::uint32_t node, std::span<const std::uint32_t> matches, double* row) {
                  const auto below = a.children(node);
                  for (std::size_t m = 0; m < matches.size(); ++m) {
                    const auto other = b.children(matches[m]);
                    row[m] = leaf;
                    if (!below.empty() && !other.empty()) {
                      const double common =
                          sequences_(below.size(), other.size(), [&](std::size_t x, std::size_t y) {
                            return a.label[below[x]] == b.label[other[y]]
                                       ? delta_.at(below[x], rank[other[y]])
                                       : 0;
                          });
                      row[m] = options_.depth_decay * (single + common);
                    }
                    sum += row[m];
                  }
                });
    return sum;
  }

 private:
  const FlatTrees& trees_;
  PartialTreeOptions options_;
  PairTable<double> delta_;
  CommonSubsequences sequences_;
};

}  // namespace espalier::baseline
