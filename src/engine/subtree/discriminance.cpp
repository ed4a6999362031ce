#include "espalier/engine/discriminance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/lists.hpp"
#include "engine/subtree/learned_weights.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// For each vertex the classes of the trees that contain it, one entry for each tree and class.
Lists<std::uint32_t, std::uint64_t> classes_of_vertices(const Forest& forest,
                                                        std::span<const TreeId> trees,
                                                        const ClassLists& classes) {
  Lists<std::uint32_t, std::uint64_t> out;
  out.build(forest.vertex_count(), [&](auto&& visit) {
    for (std::size_t i = 0; i < trees.size(); ++i) {
      if (trees[i] == none) continue;
      for (const Occurrence& o : forest.occurrences(trees[i])) {
        for (const std::uint32_t c : classes[i]) visit(o.vertex, c);
      }
    }
  });
  return out;
}

/// The nearest point to a vertex. `classes` are those of the trees that contain it, ascending;
/// `present` are the classes that have trees, and class c has sizes[c] of them.
Discriminance nearest_point(std::span<const std::uint32_t> classes,
                            std::span<const std::uint32_t> present,
                            std::span<const std::size_t> sizes) {
  double sum = 0, squares = 0, most = -1, least = 2;
  std::uint32_t most_of = none, least_of = none;
  std::uint32_t absent = none;  // the first class without the vertex
  std::size_t distinct = 0;
  for (auto at = classes.begin(); at != classes.end(); ++distinct) {
    const std::uint32_t c = *at;
    const auto end = std::upper_bound(at, classes.end(), c);
    const double share = static_cast<double>(end - at) / static_cast<double>(sizes[c]);
    sum += share;
    squares += share * share;
    if (share > most) {
      most = share;
      most_of = c;
    }
    if (share < least) {
      least = share;
      least_of = c;
    }
    if (absent == none && present[distinct] != c) absent = present[distinct];
    at = end;
  }
  if (absent == none && distinct < present.size()) absent = present[distinct];
  if (absent != none) {
    least = 0;
    least_of = absent;
  }
  // |rho - e_k|^2 = |rho|^2 - 2 rho_k + 1 and |rho - e'_k|^2 = |1 - rho|^2 + 2 rho_k - 1.
  const double presence = squares - 2 * most + 1;
  const double absence = static_cast<double>(present.size()) - 2 * sum + squares + 2 * least - 1;
  // With two classes both are the same point: rounding must not choose between them.
  constexpr double rounding = 1e-9;
  const bool by_absence = absence < presence - rounding;
  // Rounding may leave slightly less than 0.
  return {std::sqrt(std::max(0.0, std::min(presence, absence))), by_absence ? least_of : most_of,
          by_absence};
}

double smoothstep(double x) { return x * x * (3 - 2 * x); }

std::string text_of(const TreeKernelNode& leaf) { return Kernel(KernelNode{leaf}).to_string(); }

/// Calls visit(leaf, one_tree) for each subtree kernel that learns; `one_tree`: whether it uses one
/// tree of each example.
template <class Visit>
void for_each_learning(const KernelNode& node, bool one_tree, Visit&& visit) {
  if (const auto* leaf = std::get_if<TreeKernelNode>(&node.what)) {
    const auto* options = std::get_if<SubtreeOptions>(&leaf->options);
    if (options != nullptr && options->weight == SubtreeWeight::discriminance)
      visit(*leaf, one_tree);
  } else if (const auto* inner = std::get_if<CombinationNode>(&node.what)) {
    const bool plain = inner->how == Combination::sum || inner->how == Combination::product ||
                       inner->how == Combination::norm;
    for (const KernelNode& operand : inner->operands)
      for_each_learning(operand, one_tree && plain, visit);
  }
}

std::shared_ptr<const SubtreeWeights> learn(const TreeKernelNode& leaf, const Dataset& data,
                                            std::span<const std::uint32_t> examples,
                                            const ClassLists& classes) {
  const auto& options = std::get<SubtreeOptions>(leaf.options);
  const TreeColumn& column = data.trees(leaf.tree);
  const Forest& whole = data.forests()[column.forest].value;
  std::optional<Forest> reduced;
  const ForestOptions equality = tree_kernel(leaf).forest_options(leaf);
  if (equality != whole.options()) {
    reduced.emplace(equality);
    reduced->merge(whole);
  }
  const Forest& forest = reduced ? *reduced : whole;
  std::vector<TreeId> trees;
  for (const std::uint32_t i : examples) trees.push_back(column.trees[i]);
  const auto found = discriminance(forest, trees, classes);

  std::vector<double> weights(forest.vertex_count());
  std::vector<std::uint8_t> needed(forest.vertex_count(), 0);
  std::vector<VertexId> vertices;
  for (VertexId v = static_cast<VertexId>(weights.size()); v-- > 0;) {
    weights[v] = discriminance_weight(options.shape, found[v].distance);
    if (weights[v] == 0 && needed[v] == 0) continue;
    vertices.push_back(v);
    for (const VertexId child : forest.children(v)) needed[child] = 1;
  }
  std::ranges::reverse(vertices);
  auto out = std::make_shared<SubtreeWeights>();
  out->subtrees = forest.list(vertices);
  for (const VertexId v : vertices) out->weights.push_back(weights[v]);
  return out;
}

}  // namespace

std::vector<Discriminance> discriminance(const Forest& forest, std::span<const TreeId> trees,
                                         const ClassLists& classes) {
  if (trees.size() != classes.size()) throw Error("one list of classes for each tree, please");
  const auto by_vertex = classes_of_vertices(forest, trees, classes);
  const std::vector<std::size_t> sizes = classes.class_sizes();
  std::vector<Discriminance> out(forest.vertex_count());
  std::vector<std::uint32_t> present, of_vertex;
  for (std::uint32_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > 0) present.push_back(c);
  }
  for (VertexId v = 0; v < out.size(); ++v) {
    const auto found = by_vertex.of(v);
    if (found.empty()) continue;
    of_vertex.assign(found.begin(), found.end());
    std::ranges::sort(of_vertex);
    out[v] = nearest_point(of_vertex, present, sizes);
  }
  return out;
}

double discriminance_weight(WeightShape shape, double distance) {
  const double x = std::clamp(1 - distance, 0.0, 1.0);
  switch (shape) {
    case WeightShape::smoothstep:
      return smoothstep(x);
    case WeightShape::smoothstep2:
      return smoothstep(smoothstep(x));
    case WeightShape::threshold:
      return x > 0.5 ? 1 : 0;
    case WeightShape::identity:
      break;
  }
  return x;
}

bool needs_learning(const FittedKernel& kernel) {
  bool needs = false;
  for_each_learning(kernel.root(), true, [&](const TreeKernelNode& leaf, bool) {
    needs = needs || learned_weights(leaf, kernel.state) == nullptr;
  });
  return needs;
}

double learning_fraction(const Kernel& kernel) {
  double fraction = 0;
  for_each_learning(kernel.root(), true, [&](const TreeKernelNode& leaf, bool) {
    fraction = std::max(fraction, std::get<SubtreeOptions>(leaf.options).fraction);
  });
  return fraction;
}

FittedKernel learn_weights(FittedKernel kernel, const Dataset& data,
                           std::span<const std::uint32_t> examples, const ClassLists& classes) {
  for_each_learning(kernel.root(), true, [&](const TreeKernelNode& leaf, bool one_tree) {
    if (!one_tree) {
      throw Error(
          "st(weight=discriminance) learns from one tree of each example: it cannot stand within "
          "pair, cross, pairproduct, each or all");
    }
    kernel.state.weights[text_of(leaf)] = learn(leaf, data, examples, classes);
  });
  return kernel;
}

const SubtreeWeights* learned_weights(const TreeKernelNode& leaf, const KernelState& state) {
  const auto found = state.weights.find(text_of(leaf));
  return found == state.weights.end() ? nullptr : found->second.get();
}

std::vector<double> weights_in(const Forest& forest, const SubtreeWeights& learned) {
  std::vector<double> out(forest.vertex_count(), 0);
  const std::vector<VertexId> here = forest.find(learned.subtrees);
  for (std::size_t k = 0; k < here.size(); ++k) {
    if (here[k] != none) out[here[k]] = learned.weights[k];
  }
  return out;
}

}  // namespace espalier
