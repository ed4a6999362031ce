#pragma once

// Distributed trees by composing the vector of each fragment on its own, from the vectors of its
// labels: an oracle for the library's recursions.

#include <cmath>
#include <vector>

#include "espalier/distributed/distributed_trees.hpp"
#include "support/fragments.hpp"

namespace espalier::test {

inline constexpr Composition compositions[] = {Composition::product, Composition::convolution};
inline constexpr Recipe recipes[] = {Recipe::signs, Recipe::papers};
inline constexpr DistributedFragments kinds[] = {DistributedFragments::subset_trees,
                                                 DistributedFragments::subtrees,
                                                 DistributedFragments::subpaths};

/// A fragment with its vector, and how many of its nodes keep their children.
struct FragmentVector {
  std::vector<float> vector;
  std::uint32_t expanded = 0;
};
using FragmentVectors = std::vector<FragmentVector>;

class FragmentComposer {
 public:
  explicit FragmentComposer(const DistributedTrees& trees)
      : trees_(trees), options_(trees.options()) {}

  /// The weighted sum of the vectors of all fragments.
  std::vector<double> operator()(const PlainTree& tree) const {
    std::vector<double> sum(options_.dim);
    for_each_node(tree, [&](const PlainTree& node) {
      for (const FragmentVector& fragment : fragments_at(node)) {
        const double weight = std::pow(std::sqrt(options_.decay), exponent(fragment));
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * fragment.vector[i];
      }
    });
    return sum;
  }

 private:
  double exponent(const FragmentVector& fragment) const {
    if (options_.fragments == DistributedFragments::subpaths) return fragment.expanded;
    return fragment.expanded - 1.0;
  }

  FragmentVectors fragments_at(const PlainTree& node) const {
    switch (options_.fragments) {
      case DistributedFragments::subset_trees:
        return subset_trees(node);
      case DistributedFragments::subtrees:
        if (node.children.empty()) return {};
        return {subtree(node)};
      case DistributedFragments::subpaths:
        break;
    }
    return paths(node);
  }

  FragmentVector leaf(const PlainTree& node) const { return {trees_.label_vector(node.label)}; }

  FragmentVector joined(const PlainTree& node, const FragmentVectors& below) const {
    FragmentVector out = below.back();
    for (std::size_t i = below.size() - 1; i-- > 0;) {
      out.vector = trees_.compose(below[i].vector, out.vector);
      out.expanded += below[i].expanded;
    }
    const auto arity = static_cast<std::uint32_t>(below.size());
    out.vector = trees_.compose(trees_.label_vector(node.label, arity), out.vector);
    ++out.expanded;
    return out;
  }

  FragmentVectors subset_trees(const PlainTree& node) const {
    if (node.children.empty()) return {};
    FragmentVectors out;
    std::vector<FragmentVectors> lists;
    for (const PlainTree& child : node.children) {
      lists.push_back(subset_trees(child));
      lists.back().push_back(leaf(child));
    }
    std::vector<std::size_t> place(lists.size());
    for (std::size_t i = 1; i > 0;) {
      FragmentVectors choice;
      for (std::size_t k = 0; k < lists.size(); ++k) choice.push_back(lists[k][place[k]]);
      out.push_back(joined(node, choice));
      for (i = lists.size(); i > 0 && ++place[i - 1] == lists[i - 1].size(); --i) place[i - 1] = 0;
    }
    return out;
  }

  FragmentVector subtree(const PlainTree& node) const {
    if (node.children.empty()) return leaf(node);
    FragmentVectors below;
    for (const PlainTree& child : node.children) below.push_back(subtree(child));
    return joined(node, below);
  }

  FragmentVectors paths(const PlainTree& node) const {
    FragmentVectors out = {leaf(node)};
    for (const PlainTree& child : node.children) {
      for (FragmentVector& below : paths(child)) {
        out.push_back({trees_.compose(leaf(node).vector, below.vector), below.expanded + 1});
      }
    }
    return out;
  }

  const DistributedTrees& trees_;
  DistributedTreeOptions options_;
};

}  // namespace espalier::test
