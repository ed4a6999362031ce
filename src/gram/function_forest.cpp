#include "gram/function_forest.hpp"

namespace espalier {

namespace {

/// Adds the trees of each name to the weighted forest, whose vertices keep their ids.
std::vector<TreeId> add_trees(Forest& forest, const Side& trees,
                              const std::vector<std::string>& names,
                              std::vector<std::vector<VertexId>>& vertices) {
  std::vector<TreeId> offsets;
  for (const std::string& name : names) {
    offsets.push_back(static_cast<TreeId>(forest.tree_count()));
    vertices.push_back(forest.merge(*find_forest(*trees.data, name)));
  }
  return offsets;
}

}  // namespace

FunctionForest::FunctionForest(const TreeFunction& function, const KernelState& state,
                               const Side& trees)
    : function_(function),
      state_(state),
      trees_(trees),
      names_(Inputs::tree_names(trees, function.kernel, function.all_trees)),
      forest_(function.forest),
      offsets_(add_trees(forest_, trees, names_, vertices_)) {}

std::unique_ptr<const Bags> FunctionForest::examples() const {
  return make_bags(forest_, trees_, names_, offsets_);
}

Leaf FunctionForest::leaf(const Bags& rows, const Context& context) const {
  const FunctionColumns& columns = function_.as_columns();
  const std::size_t memory = context.memory / thread_count(context);
  return tree_kernel(function_.kernel)
      .bags_leaf({rows, columns.outputs, state_, columns.prepared, memory}, {&function_.kernel, 1});
}

}  // namespace espalier
