#include "engine/tree_kernel.hpp"

#include <algorithm>

#include "engine/label_selection.hpp"
#include "espalier/base/context.hpp"

namespace espalier {

std::pair<std::vector<std::string>, std::vector<std::string>> LeafSides::tree_names(
    const std::string& name) const {
  if (all_trees) return {Inputs::tree_names(rows), Inputs::tree_names(columns)};
  const auto [row_name, column_name] = both_names(rows, columns, name);
  return {{row_name}, {column_name}};
}

const TreeKernel& tree_kernel(const TreeKernelNode& node) {
  return std::visit(
      []<class Options>(const Options&) -> const TreeKernel& { return tree_kernel<Options>(); },
      node.options);
}

Leaf make_leaf(const LeafSides& sides, TreeKernel::Settings settings) {
  const TreeKernelNode& first = settings[0];
  const TreeKernel& kernel = tree_kernel(first);
  if (kernel.sides_leaf != nullptr) return kernel.sides_leaf(sides, settings);
  const auto input = std::make_shared<const TreeInput>(sides.inputs.trees(
      sides.rows, sides.columns, sides.tree_names(first.tree), kernel.forest_options(first)));
  const std::size_t threads = thread_count(sides.context);
  const Leaf leaf = kernel.bags_leaf({.rows = *input->rows,
                                      .columns = input->columns(),
                                      .state = sides.state,
                                      .memory = sides.context.memory / threads,
                                      .threads = threads},
                                     settings);
  const bool counts_inner_vertices = kernel.counts_inner_vertices(first);
  const LabelSelection selection(input->forest->labels(), first.labels);
  const auto adds = [input, selection](const Occurrence& o) {
    return !input->forest->is_leaf(o.vertex) && selection.has(input->forest->label(o.vertex));
  };
  return {[input, worker = leaf.worker] { return worker(); },  // keeps the bags
          [input, counts_inner_vertices, adds](std::size_t row) {
            // The root is the last.
            const auto& all = (*input->rows)[row].occurrences;
            return counts_inner_vertices && std::any_of(all.rbegin(), all.rend(), adds);
          }};
}

bool sums_over_trees(const KernelNode& node) {
  const auto* leaf = std::get_if<TreeKernelNode>(&node.what);
  return leaf != nullptr && tree_kernel(*leaf).sums_over_trees(*leaf);
}

bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b) {
  if (a.tree != b.tree || a.labels != b.labels || a.options.index() != b.options.index())
    return false;
  return std::visit(
      [&]<class Options>(Options first) {
        Options second = std::get<Options>(b.options);
        for (Options* options : {&first, &second}) {
          for_each_parameter(*options, [](const Parameter& parameter, auto& member) {
            if constexpr (std::is_same_v<decltype(member), double&>) {
              if (parameter.swept) member = 0;
            }
          });
        }
        return first == second;
      },
      a.options);
}

}  // namespace espalier
