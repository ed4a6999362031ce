#pragma once

// Tree kernels by listing fragments one by one. Nothing of the library's recursions, sharing or
// hashing is used here, so that it can serve as an oracle for them; only small trees are possible.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "espalier/kernel/kernel.hpp"
#include "support/trees.hpp"

namespace espalier::test {

/// One occurrence of a fragment in a tree.
struct Fragment {
  std::string text;  ///< equal for equal fragments
  std::uint32_t nodes = 1;
  std::uint32_t height = 0;
  std::uint32_t expanded = 0;   ///< nodes that have children within the fragment
  std::uint32_t gaps = 0;       ///< what the gaps between children of the tree count
  std::uint64_t terminals = 0;  ///< which of its own leaves, from the left, are leaves of the tree

  std::uint32_t leaves() const { return nodes - expanded; }
};

using Fragments = std::vector<Fragment>;

/// Calls visit(node) for every node.
template <class Visit>
void for_each_node(const PlainTree& tree, Visit&& visit) {
  visit(tree);
  for (const PlainTree& child : tree.children) for_each_node(child, visit);
}

/// A node with these fragments below it. Requires fewer than 64 leaves.
inline Fragment joined(const std::string& label, std::span<const Fragment> children) {
  Fragment out{"(" + label};
  std::uint32_t leaves = 0;
  for (const Fragment& child : children) {
    out.text += child.text;
    out.nodes += child.nodes;
    out.height = std::max(out.height, child.height + 1);
    out.expanded += child.expanded;
    out.gaps += child.gaps;
    out.terminals |= child.terminals << leaves;
    leaves += child.leaves();
  }
  out.text += ")";
  if (!children.empty()) ++out.expanded;
  return out;
}

/// Calls visit(choice) for every way to take one fragment from each list.
template <class Visit>
void for_each_choice(std::span<const Fragments> lists, Visit&& visit) {
  std::vector<std::size_t> place(lists.size());
  if (std::ranges::any_of(lists, &Fragments::empty)) return;
  while (true) {
    Fragments choice;
    for (std::size_t i = 0; i < lists.size(); ++i) choice.push_back(lists[i][place[i]]);
    visit(choice);
    std::size_t i = lists.size();
    while (i > 0 && ++place[i - 1] == lists[i - 1].size()) place[--i] = 0;
    if (i == 0) return;
  }
}

// --- ST: complete subtrees
// ------------------------------------------------------------------------

inline Fragment complete_subtree(const PlainTree& tree, const SubtreeOptions& options) {
  Fragments children;
  for (const PlainTree& child : tree.children) {
    children.push_back(complete_subtree(child, options));
  }
  if (options.unordered) std::ranges::sort(children, {}, &Fragment::text);
  return joined(options.labels ? tree.label : "", children);
}

inline Fragments fragments_of(const PlainTree& tree, const SubtreeOptions& options) {
  Fragments out;
  for_each_node(tree, [&](const PlainTree& node) {
    if (options.leaves || !node.children.empty()) out.push_back(complete_subtree(node, options));
  });
  return out;
}

inline double weight(const Fragment& subtree, const SubtreeOptions& options) {
  switch (options.weight) {
    case SubtreeWeight::height:
      return std::pow(options.decay, subtree.height);
    case SubtreeWeight::size:
      return std::pow(options.decay, subtree.nodes);
    case SubtreeWeight::productions:
      return std::pow(options.decay, subtree.expanded);
    case SubtreeWeight::uniform:
    case SubtreeWeight::discriminance:  // its weights are no matter of the subtree alone
      break;
  }
  return 1;
}

inline double combined(double x, double y, const SubtreeOptions& options) {
  switch (options.count) {
    case SubtreeCount::product:
      return x * y;
    case SubtreeCount::min:
      return std::min(x, y);
    case SubtreeCount::binary:
      return 1;
    case SubtreeCount::poly:
      break;
  }
  return std::pow(x * y, options.power);
}

/// What all occurrences of one fragment in two trees, at least one in each, add to the kernel.
inline double contribution(std::span<const Fragment> a, std::span<const Fragment> b,
                           const SubtreeOptions& options) {
  return weight(a[0], options) *
         combined(static_cast<double>(a.size()), static_cast<double>(b.size()), options);
}

// --- SST: every node keeps all of its children or none
// --------------------------------------------

/// The fragments rooted here: this node with all its children, each expanded or not.
inline Fragments subset_trees_at(const PlainTree& node) {
  if (node.children.empty()) return {};
  std::vector<Fragments> lists;
  for (const PlainTree& child : node.children) {
    lists.push_back(subset_trees_at(child));
    lists.back().push_back(joined(child.label, {}));
  }
  Fragments out;
  for_each_choice(lists,
                  [&](const Fragments& choice) { out.push_back(joined(node.label, choice)); });
  return out;
}

inline Fragments fragments_of(const PlainTree& tree, const SubsetTreeOptions& options) {
  Fragments out;
  for_each_node(tree, [&](const PlainTree& node) {
    std::ranges::copy(subset_trees_at(node), std::back_inserter(out));
    if (options.leaves && node.children.empty()) out.push_back(joined(node.label, {}));
  });
  return out;
}

inline double contribution(std::span<const Fragment> a, std::span<const Fragment> b,
                           const SubsetTreeOptions& options) {
  // A single leaf weighs as much as one expanded node.
  return static_cast<double>(a.size()) * static_cast<double>(b.size()) *
         std::pow(options.decay, std::max(a[0].expanded, 1U));
}

// --- PT: every node keeps a subsequence of its children
// -------------------------------------------

inline Fragments partial_trees_at(const PlainTree& node, const PartialTreeOptions& options) {
  Fragment single = joined(node.label, {});
  single.terminals = node.children.empty() ? 1 : 0;
  Fragments out = {single};
  std::vector<Fragments> below;
  for (const PlainTree& child : node.children) below.push_back(partial_trees_at(child, options));
  for (std::uint32_t subset = 1; subset >> below.size() == 0; ++subset) {
    const auto length = static_cast<std::uint32_t>(std::popcount(subset));
    if (options.max_length > 0 && length > options.max_length) continue;
    std::vector<Fragments> lists;
    for (std::size_t i = 0; i < below.size(); ++i) {
      if ((subset >> i & 1) != 0) lists.push_back(below[i]);
    }
    const auto first = static_cast<std::uint32_t>(std::countr_zero(subset));
    const auto last = static_cast<std::uint32_t>(std::bit_width(subset)) - 1;
    for_each_choice(lists, [&](const Fragments& choice) {
      out.push_back(joined(node.label, choice));
      out.back().gaps += options.gap == Gap::span ? last - first : last - first + 1 - length;
    });
  }
  return out;
}

inline Fragments fragments_of(const PlainTree& tree, const PartialTreeOptions& options) {
  Fragments out;
  for_each_node(tree, [&](const PlainTree& node) {
    std::ranges::copy(partial_trees_at(node, options), std::back_inserter(out));
  });
  return out;
}

inline double contribution(std::span<const Fragment> a, std::span<const Fragment> b,
                           const PartialTreeOptions& options) {
  double sum = 0;
  for (const Fragment& x : a) {
    for (const Fragment& y : b) {
      // A leaf of the fragment stands for two nodes; either may be a leaf of its tree.
      sum += std::pow(options.decay, 2 * x.leaves() + x.gaps + y.gaps) *
             std::pow(options.terminal, std::popcount(x.terminals | y.terminals));
    }
  }
  return sum * std::pow(options.depth_decay, a[0].nodes);
}

// --- Subpaths: from a node straight down
// ----------------------------------------------------------

inline Fragments paths_from(const PlainTree& node) {
  Fragments out = {joined(node.label, {})};
  for (const PlainTree& child : node.children) {
    for (const Fragment& path : paths_from(child)) {
      out.push_back(joined(node.label, {&path, 1}));
    }
  }
  return out;
}

inline Fragments fragments_of(const PlainTree& tree, const SubpathOptions&) {
  Fragments out;
  for_each_node(tree, [&](const PlainTree& node) {
    std::ranges::copy(paths_from(node), std::back_inserter(out));
  });
  return out;
}

inline double contribution(std::span<const Fragment> a, std::span<const Fragment> b,
                           const SubpathOptions& options) {
  return static_cast<double>(a.size()) * static_cast<double>(b.size()) *
         std::pow(options.decay, a[0].nodes);
}

// --- Selected labels
// ------------------------------------------------------------------------------

/// Whether all nodes of a fragment have one of the labels, if there are any; unless `all_nodes`,
/// only those with children in the fragment, or its only node.
inline bool is_selected(const Fragment& fragment, std::span<const std::string> labels,
                        bool all_nodes) {
  if (labels.empty()) return true;
  const std::string& text = fragment.text;
  for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    const std::size_t end = text.find_first_of("()", at + 1);
    const bool frontier = text[end] == ')' && fragment.nodes > 1;
    if (frontier && !all_nodes) continue;
    if (std::ranges::count(labels, text.substr(at + 1, end - at - 1)) == 0) return false;
  }
  return true;
}

// --- All of them
// ----------------------------------------------------------------------------------

/// A tree; none for an empty one.
using MaybeTree = std::optional<PlainTree>;

/// The fragments of a tree whose labels are selected, in the order of their texts.
template <class Options>
Fragments sorted_fragments(const MaybeTree& tree, const Options& options,
                           std::span<const std::string> labels = {}) {
  Fragments out = tree ? fragments_of(*tree, options) : Fragments{};
  std::erase_if(out, [&](const Fragment& fragment) {
    return !is_selected(fragment, labels, !std::is_same_v<Options, SubsetTreeOptions>);
  });
  std::ranges::sort(out, {}, &Fragment::text);
  return out;
}

/// The run of equal fragments that begins at `at`.
inline std::span<const Fragment> run_at(const Fragments& sorted, std::size_t at) {
  std::size_t end = at + 1;
  while (end < sorted.size() && sorted[end].text == sorted[at].text) ++end;
  return std::span(sorted).subspan(at, end - at);
}

/// The kernel of two trees, whose fragments come sorted.
template <class Options>
double common_fragments(const Fragments& a, const Fragments& b, const Options& options) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int order = a[i].text.compare(b[j].text);
    const auto left = order <= 0 ? run_at(a, i) : std::span<const Fragment>();
    const auto right = order >= 0 ? run_at(b, j) : std::span<const Fragment>();
    if (order == 0) sum += contribution(left, right, options);
    i += left.size();
    j += right.size();
  }
  return sum;
}

using Values = std::vector<std::vector<double>>;

/// The matrix of a kernel that is a single tree kernel, by enumeration. Not for smoothed ones,
/// which match fragments that are not equal, nor for distributed trees.
inline Values enumerated(const TreeKernelNode& kernel, std::span<const MaybeTree> trees) {
  return std::visit(
      [&]<class Options>(const Options& options) {
        Values out(trees.size(), std::vector<double>(trees.size()));
        if constexpr (std::is_base_of_v<SimilarityOptions, Options> ||
                      !requires { fragments_of(PlainTree(), options); }) {
          throw std::logic_error("the fragments of this kernel are not listed here");
        } else {
          std::vector<Fragments> lists;
          for (const MaybeTree& tree : trees) {
            lists.push_back(sorted_fragments(tree, options, kernel.labels));
          }
          for (std::size_t i = 0; i < trees.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
              out[i][j] = out[j][i] = common_fragments(lists[i], lists[j], options);
            }
          }
        }
        return out;
      },
      kernel.options);
}

inline Values enumerated(const Kernel& kernel, std::span<const MaybeTree> trees) {
  return enumerated(std::get<TreeKernelNode>(kernel.root().what), trees);
}

}  // namespace espalier::test
