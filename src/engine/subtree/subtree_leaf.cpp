#include <cmath>

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

/// The weighted product of one setting.
template <class Value>
class WeightedProduct {
 public:
  WeightedProduct(const SubtreeFeatures& features, double decay)
      : weights_(weights<Value>(features, decay)), product_(features.rows, weights_) {}

  void rows(Slice rows, const FeatureColumns& columns, BlockView<Value> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      product_.set_row(rows.begin + i, columns, out.row(i));
    }
  }

 private:
  std::vector<Value> weights_;
  FeatureProduct<Value> product_;
};

/// Computes the settings of a sweep one after the other: an entry costs so little here that lanes
/// are slower (measured: twice as slow).
class SubtreeWorker final : public LeafWorker {
 public:
  SubtreeWorker(const SubtreeFeatures& features, std::span<const double> decays)
      : features_(features), decays_(decays) {
    for (const double decay : decays) {
      products_.push_back(std::make_unique<WeightedProduct<double>>(features, decay));
    }
  }

  void start(Slice, Slice columns) override { columns_.build(features_.columns(), columns); }

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    for (std::size_t s = 0; s < outs.size(); ++s) products_[s]->rows(rows, columns_, outs[s]);
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    if (!scaled_ || scaled_setting_ != setting) {
      scaled_ = std::make_unique<WeightedProduct<Scaled>>(features_, decays_[setting]);
      scaled_setting_ = setting;
    }
    scaled_columns_.build(features_.columns(), columns);
    scaled_->rows(rows, scaled_columns_, out);
  }

  std::size_t bytes(Slice, Slice columns, std::size_t) override {
    const std::size_t entries =
        features_.columns().begins()[columns.end] - features_.columns().begins()[columns.begin];
    return 48 * entries;
  }

 private:
  const SubtreeFeatures& features_;
  std::span<const double> decays_;                                  ///< per setting
  std::vector<std::unique_ptr<WeightedProduct<double>>> products_;  ///< per setting
  FeatureColumns columns_;                                          ///< of the block
  std::unique_ptr<WeightedProduct<Scaled>> scaled_;  ///< for scaled_setting_, created on demand
  FeatureColumns scaled_columns_;
  std::size_t scaled_setting_ = 0;
};

class SubtreeLeaf final : public Leaf {
 public:
  SubtreeLeaf(const TreeLeafInput& input, std::span<const TreeKernelNode> settings)
      : features_(input, settings[0]) {
    for (const TreeKernelNode& setting : settings) {
      decays_.push_back(std::get<SubtreeOptions>(setting.options).decay);
    }
  }

  std::unique_ptr<LeafWorker> worker() const override {
    return std::make_unique<SubtreeWorker>(features_, decays_);
  }

 private:
  SubtreeFeatures features_;
  std::vector<double> decays_;  ///< per setting
};

class SubtreeKernel final : public TreeKernel {
 public:
  using TreeKernel::leaf;
  std::unique_ptr<Leaf> leaf(const TreeLeafInput& input,
                             std::span<const TreeKernelNode> settings) const override {
    return std::make_unique<SubtreeLeaf>(input, settings);
  }
  ForestOptions forest_options(const TreeKernelNode& kernel) const override {
    return {.ordered = !options(kernel).unordered, .labelled = options(kernel).labels};
  }
  bool counts_inner_vertices(const TreeKernelNode& kernel) const override {
    return options(kernel).weight != SubtreeWeight::discriminance;
  }
  bool is_linear(const TreeKernelNode& kernel) const override {
    return options(kernel).count != SubtreeCount::min;
  }
  bool sums_over_trees(const TreeKernelNode& kernel) const override {
    return options(kernel).count == SubtreeCount::product;
  }
  double feature(const TreeKernelNode& kernel, double count) const override {
    return subtree_feature(options(kernel), count);
  }

 private:
  static const SubtreeOptions& options(const TreeKernelNode& kernel) {
    return std::get<SubtreeOptions>(kernel.options);
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<SubtreeOptions>() {
  static const SubtreeKernel kernel;
  return kernel;
}

}  // namespace espalier
