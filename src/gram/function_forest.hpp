#pragma once

#include <memory>
#include <vector>

#include "engine/tree_kernel.hpp"
#include "gram/function_node.hpp"

namespace espalier {

/// The weighted forest of a function, extended by the trees of new examples.
class FunctionForest {
 public:
  FunctionForest(const TreeFunction& function, const KernelState& state, const Side& trees);
  FunctionForest(const FunctionForest&) = delete;
  FunctionForest& operator=(const FunctionForest&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  /// The trees of the examples, all of an example in one bag.
  std::unique_ptr<const Bags> examples() const;
  const Forest& forest() const { return forest_; }
  /// The vertex here of a vertex in the data's forest of names()[n].
  VertexId vertex(std::size_t n, VertexId in_data) const { return vertices_[n][in_data]; }

  /// A row for each bag, a column for each output. Refers to `rows` and to this.
  Leaf leaf(const Bags& rows, const Context& context) const;

 private:
  const TreeFunction& function_;
  const KernelState& state_;
  Side trees_;
  std::vector<std::string> names_;
  Forest forest_;
  std::vector<std::vector<VertexId>> vertices_;  ///< per name
  std::vector<TreeId> offsets_;                  ///< per name: its first tree
};

}  // namespace espalier
