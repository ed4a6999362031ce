#pragma once

#include <vector>

#include "kernel/bags.hpp"

namespace espalier {

/// Roots that have nothing but one child, as those of most parse trees. The pair of root and child
/// is a *stem* if the child is nowhere else: it then occurs as often as the root in every example,
/// and what two roots add to the subset tree kernel, decay (1 + D(child, child')), follows from
/// what their children do.
class Stems {
 public:
  /// There are none.
  Stems() = default;
  /// Those of rows and columns, which have one forest; none if examples were weighed.
  Stems(const Bags& rows, const Bags& columns);

  /// The root of the stem whose child this is, or none.
  VertexId root_above(VertexId v) const { return v < above_.size() ? above_[v] : none; }
  bool is_root(const Forest& forest, VertexId v) const {
    const auto children = forest.children(v);
    return children.size() == 1 && root_above(children[0]) == v;
  }
  bool empty() const { return above_.empty(); }

 private:
  std::vector<VertexId> above_;  ///< per vertex
};

}  // namespace espalier
