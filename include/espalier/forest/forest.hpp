#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/id_index.hpp"
#include "espalier/forest/label_table.hpp"
#include "espalier/forest/tree.hpp"

namespace espalier {

using VertexId = std::uint32_t;
using TreeId = std::uint32_t;
using ProductionId = std::uint32_t;

/// Which subtrees are considered equal.
struct ForestOptions {
  bool ordered = true;   ///< false: children are a multiset
  bool labelled = true;  ///< false: only the shape matters; every label is ""
  friend bool operator==(const ForestOptions&, const ForestOptions&) = default;
};

/// A vertex and how often it occurs in one tree: f_v(T).
struct Occurrence {
  VertexId vertex;
  std::uint32_t count;
  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

/// Distinct subtrees without trees, children before parents: the part of a forest that models keep.
struct VertexList {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> label;              ///< per vertex: index into labels
  std::vector<std::uint32_t> child_begin = {0};  ///< size() + 1 offsets into children
  std::vector<std::uint32_t> children;           ///< indices into this list

  std::size_t size() const { return label.size(); }
};

/// All trees of a data set, each distinct complete subtree stored once (hash-consing). A *vertex*
/// is one distinct subtree. Append-only; ids are dense, and children have smaller ids than parents,
/// so a loop over ascending ids computes anything bottom-up. Nothing recurses.
///
/// Memory, structure of arrays: 20 bytes per vertex, 4 per edge, 11 to 21 for the index, about 12
/// per distinct production, 8 per (tree, distinct subtree in it).
///
/// Const members may be called from many threads concurrently as long as nothing is added.
class Forest {
 public:
  explicit Forest(ForestOptions options = {});

  /// Adds a tree, which may be empty. Amortised linear in its nodes. Throws Error when 32-bit ids
  /// run out; the forest is unchanged then and remains usable.
  TreeId add(const Tree& tree);
  /// Adds every tree of `other`, in order, in time linear in its vertices and occurrences. The
  /// options of this forest apply: merging an ordered forest into an unordered one makes more
  /// subtrees equal. Returns for each vertex of `other` the vertex in this forest.
  std::vector<VertexId> merge(const Forest& other);

  /// Adds subtrees that belong to no tree and returns the vertex of each. Linear. Throws Error if
  /// the list is inconsistent; part of it may have been added by then.
  std::vector<VertexId> add(const VertexList& list);
  /// Adds all subtrees of `other`, not its trees, and returns the vertex of each. Copies them if
  /// this forest is empty and has the same options.
  std::vector<VertexId> add_vertices(const Forest& other);
  /// The vertex of each subtree of `other`, or none. Linear; a comparison if the subtrees are those
  /// that were copied.
  std::vector<VertexId> find_vertices(const Forest& other) const;
  /// The vertex of each of these subtrees, or none. Linear.
  std::vector<VertexId> find(const VertexList& list) const;
  /// Extracts vertices. Requires ascending ids and, with each vertex, all of its descendants.
  VertexList list(std::span<const VertexId> vertices) const;

  /// The tree as it was added. In an unordered forest children are ordered by vertex id; in an
  /// unlabelled one labels are empty.
  Tree tree(TreeId tree) const;
  /// The subtree of a vertex.
  Tree subtree(VertexId vertex) const;

  std::size_t tree_count() const { return tree_begin_.size() - 1; }
  std::size_t vertex_count() const { return label_.size(); }
  std::size_t production_count() const { return production_vertex_.size(); }
  /// Number of nodes of all trees, before sharing.
  std::uint64_t node_count() const { return node_count_; }
  const ForestOptions& options() const { return options_; }
  const LabelTable& labels() const { return labels_; }

  LabelId label(VertexId v) const { return label_[v]; }
  /// 0 for a leaf.
  std::uint32_t height(VertexId v) const { return height_[v]; }
  /// Number of nodes of the subtree.
  std::uint32_t size(VertexId v) const { return size_[v]; }
  /// Two vertices have the same production if their labels and the labels of their children are
  /// equal: as sequences in an ordered forest, as multisets in an unordered one.
  ProductionId production(VertexId v) const { return production_[v]; }
  std::span<const VertexId> children(VertexId v) const {
    return {edges_.data() + edge_begin_[v], edges_.data() + edge_begin_[v + 1]};
  }
  bool is_leaf(VertexId v) const { return edge_begin_[v] == edge_begin_[v + 1]; }
  /// Edges are numbered consecutively; those to the children of v, in order, start here.
  std::uint32_t first_edge(VertexId v) const { return edge_begin_[v]; }
  std::size_t edge_count() const { return edges_.size(); }

  /// The distinct subtrees of a tree by ascending id.
  std::span<const Occurrence> occurrences(TreeId t) const {
    return {occurrences_.data() + tree_begin_[t], occurrences_.data() + tree_begin_[t + 1]};
  }
  /// `none` for an empty tree.
  VertexId root(TreeId t) const {
    return tree_begin_[t] == tree_begin_[t + 1] ? none
                                                : occurrences_[tree_begin_[t + 1] - 1].vertex;
  }

 private:
  std::uint64_t hash_of(LabelId label, std::span<const std::uint64_t> below) const;
  void hash_nodes(const Tree& tree);
  void look_up_nodes(const Tree& tree);
  bool has_vertices_of(const Forest& other) const;
  VertexList list_all() const;
  VertexId vertex_for(LabelId label, std::span<VertexId> children, std::uint64_t hash);
  VertexId find_vertex(LabelId label, std::span<VertexId> children, std::uint64_t hash) const;
  VertexId new_vertex(LabelId label, std::span<const VertexId> children);
  ProductionId production_for(LabelId label, std::span<const VertexId> children);
  std::span<const LabelId> labels_below(std::span<const VertexId> children,
                                        std::vector<LabelId>& labels) const;
  void count(VertexId vertex, std::uint32_t times);
  TreeId finish_tree();
  void undo_tree();

  ForestOptions options_;
  LabelTable labels_;

  // Per vertex.
  std::vector<LabelId> label_;
  std::vector<std::uint32_t> height_;
  std::vector<std::uint32_t> size_;
  std::vector<ProductionId> production_;
  std::vector<std::uint32_t> edge_begin_;  ///< vertex_count() + 1 offsets into edges_
  std::vector<VertexId> edges_;

  std::vector<VertexId> leaf_;               ///< per label: its leaf vertex, or none
  std::vector<VertexId> production_vertex_;  ///< per production: the first vertex with it
  IdIndex vertices_;                         ///< inner vertices by label and children
  IdIndex productions_;                      ///< by label and children's labels

  // Per tree.
  std::vector<std::uint64_t> tree_begin_;  ///< tree_count() + 1 offsets into occurrences_
  std::vector<Occurrence> occurrences_;
  std::uint64_t node_count_ = 0;

  // Scratch of add().
  std::vector<LabelId> node_label_;
  std::vector<std::uint64_t> node_hash_;
  std::vector<VertexId> pending_;  ///< subtrees whose parent has not been visited yet
  std::vector<std::uint64_t> pending_hash_;
  std::vector<LabelId> scratch_[2];
  /// Position of a vertex among the occurrences of the tree being added. Entries are verified
  /// before use, so nothing needs to be cleared between trees.
  std::vector<std::uint32_t> place_;
};

}  // namespace espalier
