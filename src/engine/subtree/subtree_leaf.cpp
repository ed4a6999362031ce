#include <cmath>

#include "engine/feature_leaf.hpp"
#include "engine/subtree/learned_weights.hpp"
#include "engine/subtree/subtree_features.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// decay^exponent, also where a double would underflow.
Scaled power(double decay, std::uint64_t exponent) {
  Scaled result(1);
  for (Scaled square(decay); exponent > 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return result;
}

/// Number of inner nodes of each subtree.
std::vector<std::uint32_t> inner_nodes(const Forest& forest) {
  std::vector<std::uint32_t> inner(forest.vertex_count(), 0);
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    for (const VertexId child : forest.children(v)) inner[v] += inner[child];
    if (!forest.is_leaf(v)) ++inner[v];
  }
  return inner;
}

/// The exponent of decay in the weight of each vertex.
std::vector<std::uint32_t> exponents(const Forest& forest, SubtreeWeight weight) {
  if (weight == SubtreeWeight::productions) return inner_nodes(forest);
  std::vector<std::uint32_t> out(forest.vertex_count(), 0);
  if (weight == SubtreeWeight::uniform) return out;
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    out[v] = weight == SubtreeWeight::height ? forest.height(v) : forest.size(v);
  }
  return out;
}

}  // namespace

std::vector<double> subtree_weights(const Forest& forest, const TreeKernelNode& kernel,
                                    const KernelState& state) {
  const auto& options = std::get<SubtreeOptions>(kernel.options);
  if (options.weight == SubtreeWeight::discriminance) {
    if (const auto* learned = learned_weights(kernel, state)) return weights_in(forest, *learned);
    throw Error(
        "the weights of st(weight=discriminance) are learned from classes, by training: there "
        "are none yet");
  }
  const auto all = exponents(forest, options.weight);
  std::vector<double> out(forest.vertex_count());
  for (VertexId v = 0; v < out.size(); ++v) {
    const bool counts = options.leaves || !forest.is_leaf(v);
    out[v] = counts ? std::pow(options.decay, all[v]) : 0;
  }
  return out;
}

double subtree_feature(const SubtreeOptions& options, double count) {
  switch (options.count) {
    case SubtreeCount::binary:
      return 1;
    case SubtreeCount::poly:
      return std::pow(count, options.power);
    case SubtreeCount::product:
    case SubtreeCount::min:
      break;
  }
  return count;
}

namespace {

// The subtree kernel is a dot product. A feature is a vertex; with kappa=min it is a vertex and a
// number n, "occurs at least n times", because min(x, y) counts the n that both reach.

const SubtreeOptions& options_of(const TreeKernelNode& kernel) {
  return std::get<SubtreeOptions>(kernel.options);
}

/// Per vertex and one more: the first of its features. A vertex v has some if counts(v).
template <class Counts>
std::vector<std::uint32_t> number_features(const TreeLeafInput& input, SubtreeCount count,
                                           Counts&& counts) {
  std::vector<std::uint32_t> levels(input.rows.forest().vertex_count(), 0);
  for (const Bags* bags : {&input.rows, &input.columns}) {
    for (std::size_t i = 0; i < bags->size(); ++i) {
      for (const Occurrence& o : (*bags)[i].occurrences) {
        if (!counts(o.vertex)) continue;
        const std::uint32_t wanted = count == SubtreeCount::min ? o.count : 1;
        levels[o.vertex] = std::max(levels[o.vertex], wanted);
      }
    }
  }
  std::vector<std::uint32_t> first = {0};
  for (const std::uint32_t level : levels) first.push_back(first.back() + level);
  return first;
}

template <class T>
std::vector<T> per_feature(const std::vector<T>& per_vertex,
                           const std::vector<std::uint32_t>& first) {
  std::vector<T> out(first.back());
  for (VertexId v = 0; v < per_vertex.size(); ++v) {
    for (std::uint32_t f = first[v]; f < first[v + 1]; ++f) out[f] = per_vertex[v];
  }
  return out;
}

SparseMatrix features(const Bags& bags, const SubtreeOptions& options,
                      const std::vector<std::uint32_t>& first_of) {
  SparseMatrix out(first_of.back());
  for (std::size_t i = 0; i < bags.size(); ++i) {
    const Bag& bag = bags[i];
    for (std::size_t k = 0; k < bag.size(); ++k) {
      const std::uint32_t first = first_of[bag.vertex(k)];
      if (first == first_of[bag.vertex(k) + 1]) continue;
      if (bag.weights != nullptr) {
        out.append(first, bag.weights[k]);
      } else if (options.count == SubtreeCount::min) {
        for (std::uint32_t n = 0; n < bag.occurrences[k].count; ++n) out.append(first + n, 1);
      } else {
        out.append(first, subtree_feature(options, bag.count(k)));
      }
    }
    out.finish_row();
  }
  return out;
}

Leaf subtree_leaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings) {
  const Forest& forest = input.rows.forest();
  const SubtreeOptions& options = options_of(settings[0]);
  const bool learns = options.weight == SubtreeWeight::discriminance;
  std::vector<double> learned;  // per vertex
  if (learns) learned = subtree_weights(forest, settings[0], input.state);
  const auto first = number_features(input, options.count, [&](VertexId v) {
    return learns ? learned[v] > 0 : options.leaves || !forest.is_leaf(v);
  });
  FeatureKernels out;
  out.rows = std::make_shared<const SparseMatrix>(features(input.rows, options, first));
  out.columns = &input.rows == &input.columns
                    ? out.rows
                    : std::make_shared<const SparseMatrix>(features(input.columns, options, first));
  if (learns) {
    out.weights.assign(settings.size(), per_feature(learned, first));
    out.scaled_weights = [weights = out.weights[0]](std::size_t) {
      return std::vector<Scaled>(weights.begin(), weights.end());
    };
    return make_feature_leaf(std::move(out));
  }
  auto exponent = per_feature(exponents(forest, options.weight), first);
  std::vector<double> decays;
  for (const TreeKernelNode& setting : settings) {
    decays.push_back(options_of(setting).decay);
    out.weights.emplace_back();
    for (const std::uint32_t e : exponent) out.weights.back().push_back(std::pow(decays.back(), e));
  }
  out.scaled_weights = [exponent = std::move(exponent), decays](std::size_t setting) {
    std::vector<Scaled> weights;
    for (const std::uint32_t e : exponent) weights.push_back(power(decays[setting], e));
    return weights;
  };
  return make_feature_leaf(std::move(out));
}

}  // namespace

template <>
const TreeKernel& tree_kernel<SubtreeOptions>() {
  using Node = TreeKernelNode;
  static const TreeKernel kernel{
      .bags_leaf = subtree_leaf,
      .forest_options =
          [](const Node& node) {
            const SubtreeOptions& options = options_of(node);
            return ForestOptions{.ordered = !options.unordered, .labelled = options.labels};
          },
      .counts_inner_vertices =
          [](const Node& node) { return options_of(node).weight != SubtreeWeight::discriminance; },
      .is_linear = [](const Node& node) { return options_of(node).count != SubtreeCount::min; },
      .sums_over_trees =
          [](const Node& node) { return options_of(node).count == SubtreeCount::product; },
      .feature = [](const Node& node,
                    double count) { return subtree_feature(options_of(node), count); }};
  return kernel;
}

}  // namespace espalier
