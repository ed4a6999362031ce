#include <cmath>

#include "engine/feature_product.hpp"
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

/// The subtree kernel as an explicit dot product. A feature is a vertex; with kappa=min it is a
/// vertex and a number n, "occurs at least n times", because min(x, y) counts the n that both
/// reach.
class SubtreeFeatures {
 public:
  SubtreeFeatures(const TreeLeafInput& input, const TreeKernelNode& kernel)
      : forest_(input.rows.forest()), options_(std::get<SubtreeOptions>(kernel.options)) {
    if (learns()) vertex_weights_ = subtree_weights(forest_, kernel, input.state);
    number_features(input);
    rows = features(input.rows);
    if (&input.rows != &input.columns) own_columns_ = features(input.columns);
    symmetric_ = &input.rows == &input.columns;
    if (learns()) {
      learned = per_feature(vertex_weights_);
    } else {
      exponent = per_feature(exponents(forest_, options_.weight));
    }
  }

  const SparseMatrix& columns() const { return symmetric_ ? rows : own_columns_; }

  SparseMatrix rows;
  // Per feature; one of the two is empty.
  std::vector<std::uint32_t> exponent;  ///< of decay
  std::vector<double> learned;

 private:
  bool learns() const { return options_.weight == SubtreeWeight::discriminance; }

  bool counts(VertexId v) const {
    if (learns()) return vertex_weights_[v] > 0;
    return options_.leaves || !forest_.is_leaf(v);
  }

  template <class T>
  std::vector<T> per_feature(const std::vector<T>& per_vertex) const {
    std::vector<T> out(first_.back());
    for (VertexId v = 0; v < forest_.vertex_count(); ++v) {
      for (std::uint32_t f = first_[v]; f < first_[v + 1]; ++f) out[f] = per_vertex[v];
    }
    return out;
  }

  void number_features(const TreeLeafInput& input) {
    std::vector<std::uint32_t> levels(forest_.vertex_count(), 0);
    for (const Bags* bags : {&input.rows, &input.columns}) {
      for (std::size_t i = 0; i < bags->size(); ++i) {
        for (const Occurrence& o : (*bags)[i].occurrences) {
          if (!counts(o.vertex)) continue;
          const std::uint32_t wanted = options_.count == SubtreeCount::min ? o.count : 1;
          levels[o.vertex] = std::max(levels[o.vertex], wanted);
        }
      }
    }
    first_.assign(1, 0);
    for (const std::uint32_t count : levels) first_.push_back(first_.back() + count);
  }

  SparseMatrix features(const Bags& bags) const {
    SparseMatrix out(first_.back());
    for (std::size_t i = 0; i < bags.size(); ++i) {
      const Bag& bag = bags[i];
      for (std::size_t k = 0; k < bag.size(); ++k) {
        const std::uint32_t first = first_[bag.vertex(k)];
        if (first == first_[bag.vertex(k) + 1]) continue;
        if (bag.weights != nullptr) {
          out.append(first, bag.weights[k]);
        } else if (options_.count == SubtreeCount::min) {
          for (std::uint32_t n = 0; n < bag.occurrences[k].count; ++n) out.append(first + n, 1);
        } else {
          out.append(first, subtree_feature(options_, bag.count(k)));
        }
      }
      out.finish_row();
    }
    return out;
  }

  const Forest& forest_;
  SubtreeOptions options_;
  std::vector<double> vertex_weights_;  ///< if learned
  std::vector<std::uint32_t> first_;    ///< per vertex and one more: the first of its features
  SparseMatrix own_columns_;
  bool symmetric_ = false;
};

/// The weight of each feature, as double or as Scaled.
template <class Value>
std::vector<Value> weights(const SubtreeFeatures& features, double decay) {
  std::vector<Value> out(features.learned.begin(), features.learned.end());
  out.reserve(features.rows.columns());
  for (const std::uint32_t exponent : features.exponent) {
    if constexpr (std::is_same_v<Value, Scaled>) {
      out.push_back(power(decay, exponent));
    } else {
      out.push_back(std::pow(decay, exponent));
    }
  }
  return out;
}

/// Computes the settings of a sweep one after the other: an entry costs so little here that lanes
/// are slower (measured: twice as slow).
class SubtreeWorker final : public LeafWorker {
 public:
  SubtreeWorker(const SubtreeFeatures& features, std::span<const double> decays)
      : features_(features), decays_(decays) {
    for (const double decay : decays) weights_.push_back(weights<double>(features, decay));
  }

  void start(Slice, Slice columns) override { columns_.build(features_.columns(), columns); }

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    for (std::size_t s = 0; s < outs.size(); ++s) {
      set_rows<double>(weights_[s], rows, columns_, outs[s]);
    }
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    if (scaled_weights_.empty() || scaled_setting_ != setting) {
      scaled_weights_ = weights<Scaled>(features_, decays_[setting]);
      scaled_setting_ = setting;
    }
    scaled_columns_.build(features_.columns(), columns);
    set_rows<Scaled>(scaled_weights_, rows, scaled_columns_, out);
  }

  std::size_t bytes(Slice, Slice columns, std::size_t) override {
    return FeatureColumns<double>::bytes(features_.columns(), columns);
  }

 private:
  template <class Value>
  void set_rows(std::span<const Value> weights, Slice rows, const FeatureColumns<double>& columns,
                BlockView<Value> out) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      feature_product(features_.rows, rows.begin + i, weights, columns, out.row(i));
    }
  }

  const SubtreeFeatures& features_;
  std::span<const double> decays_;            ///< per setting
  std::vector<std::vector<double>> weights_;  ///< per setting
  FeatureColumns<double> columns_;            ///< of the block
  std::vector<Scaled> scaled_weights_;        ///< of scaled_setting_, computed on demand
  FeatureColumns<double> scaled_columns_;
  std::size_t scaled_setting_ = 0;
};

const SubtreeOptions& options_of(const TreeKernelNode& kernel) {
  return std::get<SubtreeOptions>(kernel.options);
}

Leaf subtree_leaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings) {
  const auto features = std::make_shared<const SubtreeFeatures>(input, settings[0]);
  std::vector<double> decays;
  for (const TreeKernelNode& setting : settings) decays.push_back(options_of(setting).decay);
  return {[features, decays = std::move(decays)] {
    return std::make_unique<SubtreeWorker>(*features, decays);
  }};
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
