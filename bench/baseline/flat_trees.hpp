#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/forest/tree.hpp"

namespace espalier::baseline {

/// Nodes of one tree that share a production or a label: places [begin, end) of a sorted list.
struct Run {
  std::uint32_t key;
  std::uint32_t begin;
  std::uint32_t end;
};

/// Nodes of one tree sorted by a key. Made once per tree, so that two trees find their matching
/// nodes by a merge.
struct SortedNodes {
  std::span<const Run> runs;             ///< by rising key
  std::span<const std::uint32_t> nodes;  ///< what runs refer to
  std::span<const std::uint32_t> rank;   ///< per node of the tree: its place within its run
};

/// One tree: its nodes are numbered from 0, children before parents.
struct FlatTree {
  std::uint32_t size;
  std::span<const std::uint32_t> label;
  std::span<const std::uint32_t> production;  ///< 0 for leaves
  std::span<const std::uint32_t> edge_begin;  ///< one more than nodes
  std::span<const std::uint32_t> edges;
  SortedNodes by_production;  ///< inner nodes only
  SortedNodes by_label;       ///< all nodes
  SortedNodes leaves;         ///< by label, leaves only

  std::span<const std::uint32_t> children(std::uint32_t node) const {
    return edges.subspan(edge_begin[node], edge_begin[node + 1] - edge_begin[node]);
  }
  bool is_leaf(std::uint32_t node) const { return edge_begin[node] == edge_begin[node + 1]; }
};

/// Trees as tree-by-tree programs keep them: each on its own, in arrays.
class FlatTrees {
 public:
  explicit FlatTrees(std::span<const Tree> trees) {
    for (const Tree& tree : trees) trees_.push_back(flat(tree));
  }

  std::size_t size() const { return trees_.size(); }
  FlatTree operator[](std::size_t i) const {
    const Storage& tree = trees_[i];
    return {static_cast<std::uint32_t>(tree.label.size()),
            tree.label,
            tree.production,
            tree.edge_begin,
            tree.edges,
            tree.by_production.view(),
            tree.by_label.view(),
            tree.leaves.view()};
  }
  /// The most nodes in one tree, and the most children of one node.
  std::uint32_t largest() const { return largest_; }
  std::uint32_t widest() const { return widest_; }

 private:
  struct SortedStorage {
    std::vector<Run> runs;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> rank;
    SortedNodes view() const { return {runs, nodes, rank}; }
  };
  struct Storage {
    std::vector<std::uint32_t> label, production, edge_begin, edges;
    SortedStorage by_production, by_label, leaves;
  };

  Storage flat(const Tree& tree) {
    Storage out;
    const auto size = static_cast<std::uint32_t>(tree.size());
    largest_ = std::max(largest_, size);
    // Reading preorder backwards meets children before parents, the first child last.
    std::vector<std::uint32_t> roots;
    for (std::uint32_t node = 0; node < size; ++node) {
      const std::uint32_t at = size - 1 - node;
      out.label.push_back(number(labels_, std::string(tree.label(at))));
      out.edge_begin.push_back(static_cast<std::uint32_t>(out.edges.size()));
      const std::uint32_t children = tree.children(at);
      widest_ = std::max(widest_, children);
      std::vector<std::uint32_t> key = {out.label.back()};
      for (std::uint32_t i = 0; i < children; ++i) {
        out.edges.push_back(roots.back());
        key.push_back(out.label[roots.back()]);
        roots.pop_back();
      }
      roots.push_back(node);
      out.production.push_back(children == 0 ? 0 : 1 + number(productions_, std::move(key)));
    }
    out.edge_begin.push_back(static_cast<std::uint32_t>(out.edges.size()));
    std::vector<std::uint32_t> inner, leaves, all;
    for (std::uint32_t node = 0; node < size; ++node) {
      all.push_back(node);
      (out.production[node] == 0 ? leaves : inner).push_back(node);
    }
    out.by_production = sorted(std::move(inner), out.production);
    out.by_label = sorted(std::move(all), out.label);
    out.leaves = sorted(std::move(leaves), out.label);
    return out;
  }

  template <class Key>
  static std::uint32_t number(std::map<Key, std::uint32_t>& known, Key key) {
    const auto next = static_cast<std::uint32_t>(known.size());
    return known.try_emplace(std::move(key), next).first->second;
  }

  static SortedStorage sorted(std::vector<std::uint32_t> nodes,
                              const std::vector<std::uint32_t>& key) {
    std::ranges::stable_sort(nodes, {}, [&](std::uint32_t node) { return key[node]; });
    SortedStorage out{{}, std::move(nodes), std::vector<std::uint32_t>(key.size())};
    for (std::uint32_t i = 0; i < out.nodes.size(); ++i) {
      const std::uint32_t node = out.nodes[i];
      if (out.runs.empty() || out.runs.back().key != key[node])
        out.runs.push_back({key[node], i, i});
      out.rank[node] = out.runs.back().end++ - out.runs.back().begin;
    }
    return out;
  }

  std::vector<Storage> trees_;
  std::map<std::string, std::uint32_t> labels_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> productions_;
  std::uint32_t largest_ = 0;
  std::uint32_t widest_ = 0;
};

}  // namespace espalier::baseline
