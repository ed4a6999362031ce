#include "engine/tree_kernel.hpp"

#include "espalier/base/context.hpp"

namespace espalier {

namespace {

/// A leaf and the bags that it refers to.
class BagsLeaf final : public Leaf {
 public:
  BagsLeaf(TreeInput input, bool counts_inner_vertices)
      : input_(std::move(input)), counts_inner_vertices_(counts_inner_vertices) {}

  const TreeInput& input() const { return input_; }
  void set(std::unique_ptr<Leaf> leaf) { leaf_ = std::move(leaf); }

  std::unique_ptr<LeafWorker> worker() const override { return leaf_->worker(); }
  bool never_vanishes(std::size_t row) const override {
    const auto occurrences = (*input_.rows)[row].occurrences;
    return counts_inner_vertices_ && !occurrences.empty() &&
           !input_.forest->is_leaf(occurrences.back().vertex);
  }

 private:
  TreeInput input_;
  bool counts_inner_vertices_;
  std::unique_ptr<Leaf> leaf_;
};

}  // namespace

std::pair<std::vector<std::string>, std::vector<std::string>> LeafSides::tree_names(
    const std::string& name) const {
  if (all_trees) return {Inputs::tree_names(rows), Inputs::tree_names(columns)};
  const auto [row_name, column_name] = both_names(rows, columns, name);
  return {{row_name}, {column_name}};
}

std::unique_ptr<Leaf> TreeKernel::leaf(const LeafSides& sides,
                                       std::span<const TreeKernelNode> settings) const {
  const ForestOptions options = forest_options(settings[0]);
  auto out = std::make_unique<BagsLeaf>(
      sides.inputs.trees(sides.rows, sides.columns, sides.tree_names(settings[0].tree), options),
      counts_inner_vertices(settings[0]));
  const std::size_t threads = thread_count(sides.context);
  out->set(leaf(TreeLeafInput{.rows = *out->input().rows,
                              .columns = out->input().columns(),
                              .state = sides.state,
                              .memory = sides.context.memory / threads,
                              .threads = threads},
                settings));
  return out;
}

const TreeKernel& tree_kernel(const TreeKernelNode& node) {
  return std::visit(
      []<class Options>(const Options&) -> const TreeKernel& { return tree_kernel<Options>(); },
      node.options);
}

bool sums_over_trees(const KernelNode& node) {
  const auto* leaf = std::get_if<TreeKernelNode>(&node.what);
  return leaf != nullptr && tree_kernel(*leaf).sums_over_trees(*leaf);
}

bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b) {
  if (a.tree != b.tree || a.options.index() != b.options.index()) return false;
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
