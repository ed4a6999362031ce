// The features of single kernels.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "embed/feature_part.hpp"
#include "engine/subtree/subtree_features.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/brackets.hpp"

namespace espalier {

namespace {

/// A column for each subtree; with kappa=min one for each count of a subtree.
class SubtreePart final : public FeaturePart {
 public:
  SubtreePart(const TreeKernelNode& kernel, FeatureSource source)
      : kernel_(kernel),
        source_(std::move(source)),
        options_(std::get<SubtreeOptions>(kernel.options)),
        known_(tree_kernel(kernel).forest_options(kernel)) {}

  void fit(std::span<const Side> sides, std::uint32_t& next) override {
    known_ = Forest(known_.options());
    std::vector<std::uint32_t> levels;  // per vertex of known_
    for (const Side& side : sides) {
      const TreeInput input = trees_of(side);
      const auto weights = subtree_weights(*input.forest, kernel_, source_.state);
      const auto there = known_.add_vertices(*input.forest);
      levels.resize(known_.vertex_count(), 0);
      for (std::size_t i = 0; i < side.data->size(); ++i) {
        for (const Occurrence& o : (*input.rows)[i].occurrences) {
          std::uint32_t& most = levels[there[o.vertex]];
          if (weights[o.vertex] > 0) most = std::max(most, level(o.count));
        }
      }
    }
    first_.assign(1, next);
    for (const std::uint32_t count : levels) first_.push_back(first_.back() + count);
    next = first_.back();
  }

  Rows rows(const Side& side, const Context&) const override {
    const TreeInput input = trees_of(side);
    const Forest& forest = *input.forest;
    const auto weights = subtree_weights(forest, kernel_, source_.state);
    const auto there = known_.find_vertices(forest);
    Rows out;
    for (std::size_t i = 0; i < side.data->size(); ++i) {
      for (const Occurrence& o : (*input.rows)[i].occurrences) {
        if (weights[o.vertex] > 0) add(there[o.vertex], o.count, weights[o.vertex], out);
      }
      out.finish_row();
    }
    return out;
  }

  std::string name(std::uint32_t column) const override {
    if (first_.empty() || column < first_.front() || column >= first_.back()) return "";
    const auto after = std::upper_bound(first_.begin(), first_.end(), column);
    const auto v = static_cast<VertexId>(after - first_.begin() - 1);
    std::string out;
    append_brackets(out, known_.subtree(v), BracketStyle::compact);
    if (options_.count == SubtreeCount::min) {
      out += " >= " + std::to_string(column - first_[v] + 1);
    }
    return out;
  }

 private:
  TreeInput trees_of(const Side& side) const {
    const auto names = Inputs::tree_names(side, kernel_, source_.all_trees);
    return Inputs().trees(side, side, {names, names}, known_.options());
  }

  std::uint32_t level(std::uint32_t count) const {
    return options_.count == SubtreeCount::min ? count : 1;
  }

  void add(VertexId v, std::uint32_t count, double weight, Rows& out) const {
    const std::uint32_t first = v == none ? none : first_[v];
    const std::uint32_t end = v == none ? none : first_[v + 1];
    const double value =
        std::sqrt(weight) *
        (options_.count == SubtreeCount::min ? 1 : subtree_feature(options_, count));
    for (std::uint32_t n = 0; n < level(count); ++n) {
      out.add(v != none && n < end - first ? first + n : none, value);
    }
  }

  TreeKernelNode kernel_;
  FeatureSource source_;
  SubtreeOptions options_;
  Forest known_;
  std::vector<std::uint32_t> first_;  ///< per vertex of known_, plus one: its first column
};

/// The features of a vector.
class VectorPart final : public FeaturePart {
 public:
  explicit VectorPart(std::string vector) : vector_(std::move(vector)) {}

  void fit(std::span<const Side> sides, std::uint32_t& next) override {
    known_ = {};
    for (const Side& side : sides) {
      const VectorColumn& column = vector_column(side, vector_);
      if (&side == sides.data()) {
        dense_ = column.dense;
        dimension_ = column.dimension;
      }
      check_kind(column);
      for (const LabelId feature : column.features) {
        known_.intern(column.feature_names.text(feature));
      }
    }
    first_ = next;
    count_ = static_cast<std::uint32_t>(dense_ ? dimension_ : known_.size());
    next += count_;
  }

  Rows rows(const Side& side, const Context&) const override {
    const VectorColumn& column = vector_column(side, vector_);
    check_kind(column);
    Rows out;
    for (std::size_t i = 0; i + 1 < column.begin.size(); ++i) {
      for (std::uint64_t at = column.begin[i]; at < column.begin[i + 1]; ++at) {
        const std::uint32_t feature =
            dense_ ? static_cast<std::uint32_t>(at - column.begin[i])
                   : known_.find(column.feature_names.text(column.features[at]));
        out.add(feature == none ? none : first_ + feature, column.values[at]);
      }
      out.finish_row();
    }
    return out;
  }

  std::string name(std::uint32_t column) const override {
    if (column < first_ || column >= first_ + count_) return "";
    return dense_ ? std::to_string(column - first_ + 1) : std::string(known_.text(column - first_));
  }

 private:
  void check_kind(const VectorColumn& column) const {
    if (column.dense == dense_ && (!dense_ || column.dimension == dimension_)) return;
    throw Error("the vectors named " + in_quotes(column.slot.name) +
                " differ in kind or dimension from those that were fitted");
  }

  std::string vector_;
  bool dense_ = false;
  std::uint64_t dimension_ = 0;  ///< of dense ones
  LabelTable known_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

/// Throws Error if all vectors together exceed the memory.
void check_memory(const DenseVectors& vectors, const Context& context) {
  const std::size_t bytes = vectors.bytes(vectors.examples());
  if (bytes <= context.memory) return;
  constexpr double gigabyte = 1 << 30;
  throw Error(fmt::format(
      "the vectors of {} examples take {:.1f} GB, more than the {:.1f} GB allowed: allow more "
      "memory, or take a smaller dimension than {}",
      vectors.examples(), static_cast<double>(bytes) / gigabyte,
      static_cast<double>(context.memory) / gigabyte, vectors.dim()));
}

/// The components of dense vectors.
class DensePart final : public FeaturePart {
 public:
  DensePart(const TreeKernelNode& kernel, bool all_trees)
      : kernel_(kernel), all_trees_(all_trees), dim_(tree_kernel(kernel).dense_dim(kernel)) {}

  void fit(std::span<const Side>, std::uint32_t& next) override {
    first_ = next;
    next += static_cast<std::uint32_t>(dim_);
  }

  Rows rows(const Side& side, const Context& context) const override {
    const ScaledRows vectors = *dense_rows(side, context);
    Rows out;
    for (std::size_t i = 0; i < vectors.values.rows(); ++i) {
      std::uint32_t column = first_;
      for (const float value : vectors.values.row(i)) out.add(column++, static_cast<double>(value));
      out.finish_row(vectors.exponents[i]);
    }
    return out;
  }

  std::optional<ScaledRows> dense_rows(const Side& side, const Context& context) const override {
    const auto vectors = tree_kernel(kernel_).dense_vectors(
        kernel_, side, Inputs::tree_names(side, kernel_, all_trees_));
    check_memory(*vectors, context);
    return vectors->rows({0, side.data->size()}, context);
  }

  std::string name(std::uint32_t column) const override {
    if (column < first_ || column >= first_ + dim_) return "";
    return std::to_string(column - first_ + 1);
  }

 private:
  TreeKernelNode kernel_;
  bool all_trees_;
  std::size_t dim_;
  std::uint32_t first_ = 0;
};

/// A constant feature.
class ConstantPart final : public FeaturePart {
 public:
  explicit ConstantPart(double value) : value_(value) {}

  void fit(std::span<const Side>, std::uint32_t& next) override { column_ = next++; }
  Rows rows(const Side& side, const Context&) const override {
    Rows out;
    for (std::size_t i = 0; i < side.data->size(); ++i) {
      out.add(column_, std::sqrt(value_));
      out.finish_row();
    }
    return out;
  }
  std::string name(std::uint32_t column) const override { return column == column_ ? "1" : ""; }

 private:
  double value_;
  std::uint32_t column_ = none;
};

}  // namespace

std::unique_ptr<FeaturePart> make_subtree_part(const TreeKernelNode& kernel,
                                               const FeatureSource& source) {
  return std::make_unique<SubtreePart>(kernel, source);
}

std::unique_ptr<FeaturePart> make_dense_part(const TreeKernelNode& kernel, bool all_trees) {
  return std::make_unique<DensePart>(kernel, all_trees);
}

std::unique_ptr<FeaturePart> make_vector_part(const std::string& vector) {
  return std::make_unique<VectorPart>(vector);
}

std::unique_ptr<FeaturePart> make_constant_part(double value) {
  return std::make_unique<ConstantPart>(value);
}

}  // namespace espalier
