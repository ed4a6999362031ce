#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/id_index.hpp"
#include "espalier/forest/forest.hpp"
#include "kernel/stems.hpp"

namespace espalier {

/// Numbers the branches of a forest. A *branch* is a production, a place in it, and the production
/// of the inner child that stands there: what two nodes must have in common for the children at a
/// place to match in the subset tree kernel. Stems have branches of their own: two of them that
/// are alike are not compared, because their children tell all.
class Branches {
 public:
  explicit Branches(const Forest& forest, Stems stems = {});

  std::size_t count() const { return branches_.size(); }
  const Stems& stems() const { return stems_; }
  /// That of child `place`: none for a leaf, and for what the forest did not have when its branches
  /// were numbered. It may have grown since.
  std::uint32_t of(const Forest& forest, VertexId v, std::uint32_t place) const {
    const std::uint32_t edge = forest.first_edge(v) + place;
    return edge < of_edge_.size() ? of_edge_[edge] : find(branch(forest, v, place));
  }
  /// The same but for being a stem or not; or none.
  std::uint32_t twin(std::uint32_t branch) const;
  /// That of the stem whose child this is; or none.
  std::uint32_t stem_above(const Forest& forest, VertexId v) const {
    const VertexId root = stems_.root_above(v);
    return root == none ? none : of_edge_[forest.first_edge(root)];
  }
  /// Whether there is nothing to compare the vertex with: a stem, and all like it are stems.
  bool is_settled(const Forest& forest, VertexId v) const {
    return !stems_.empty() && stems_.is_root(forest, v) && twin(of(forest, v, 0)) == none;
  }

 private:
  struct Branch {
    ProductionId production;
    std::uint32_t place;
    ProductionId below;
    bool is_stem;
    friend bool operator==(const Branch&, const Branch&) = default;
  };

  Branch branch(const Forest& forest, VertexId v, std::uint32_t place) const {
    const VertexId child = forest.children(v)[place];
    return {forest.production(v), place, forest.is_leaf(child) ? none : forest.production(child),
            stems_.root_above(child) != none};
  }
  static std::uint64_t hash_of(const Branch& branch);
  std::uint32_t find(const Branch& branch) const;

  Stems stems_;
  std::vector<std::uint32_t> of_edge_;
  std::vector<Branch> branches_;  ///< per number
  IdIndex index_;                 ///< of these
};

}  // namespace espalier
