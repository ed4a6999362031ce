#pragma once

// The plain algorithm: D for every pair of nodes of two trees, bottom-up, in a full table.

#include <cstdint>
#include <span>
#include <vector>

#include "baseline/flat_trees.hpp"
#include "baseline/subsequences.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier::baseline {

/// SST. Not for several threads at once.
class QuadraticSubsetTrees {
 public:
  QuadraticSubsetTrees(const FlatTrees& trees, const SubsetTreeOptions& options)
      : trees_(trees),
        options_(options),
        delta_(static_cast<std::size_t>(trees.largest()) * trees.largest()) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    double sum = 0;
    for (std::uint32_t x = 0; x < a.size; ++x) {
      for (std::uint32_t y = 0; y < b.size; ++y) {
        double value = 0;
        if (a.is_leaf(x) && b.is_leaf(y)) {
          if (options_.leaves && a.label[x] == b.label[y]) sum += options_.decay;
        } else if (a.production[x] == b.production[y]) {
          value = options_.decay;
          const auto below = a.children(x), other = b.children(y);
          for (std::size_t c = 0; c < below.size(); ++c) {
            value *= 1 + delta_[std::size_t{below[c]} * b.size + other[c]];
          }
        }
        delta_[std::size_t{x} * b.size + y] = value;
        sum += value;
      }
    }
    return sum;
  }

 private:
  const FlatTrees& trees_;
  SubsetTreeOptions options_;
  std::vector<double> delta_;
};

/// PT. Not for several threads at once.
class QuadraticPartialTrees {
 public:
  QuadraticPartialTrees(const FlatTrees& trees, const PartialTreeOptions& options)
      : trees_(trees),
        options_(options),
        delta_(static_cast<std::size_t>(trees.largest()) * trees.largest()),
        sequences_(options) {}

  double operator()(std::size_t i, std::size_t j) {
    const FlatTree a = trees_[i], b = trees_[j];
    const double single = options_.decay * options_.decay;
    double sum = 0;
    for (std::uint32_t x = 0; x < a.size; ++x) {
      for (std::uint32_t y = 0; y < b.size; ++y) {
        double value = 0;
        if (a.label[x] == b.label[y]) {
          const auto below = a.children(x), other = b.children(y);
          const bool leaf = below.empty() || other.empty();
          const double common =
              leaf ? 0 : sequences_(below.size(), other.size(), [&](std::size_t r, std::size_t c) {
                return delta_[std::size_t{below[r]} * b.size + other[c]];
              });
          value = options_.depth_decay * (leaf ? single * options_.terminal : single + common);
        }
        delta_[std::size_t{x} * b.size + y] = value;
        sum += value;
      }
    }
    return sum;
  }

 private:
  const FlatTrees& trees_;
  PartialTreeOptions options_;
  std::vector<double> delta_;
  CommonSubsequences sequences_;
};

}  // namespace espalier::baseline
