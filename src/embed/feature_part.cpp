#include "embed/feature_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/distributed/distributed_side.hpp"
#include "engine/inputs.hpp"
#include "engine/subtree/subtree_features.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/brackets.hpp"

namespace espalier {

namespace {

/// Concatenates the rows of both.
Rows joined(const Rows& a, const Rows& b) {
  Rows out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const Rows* rows : {&a, &b}) {
      for (std::uint64_t at = rows->begin[i]; at < rows->begin[i + 1]; ++at) {
        out.add(rows->columns[at], rows->values[at]);
      }
    }
    out.finish_row();
    out.squares.back() = a.squares[i] + b.squares[i];
  }
  return out;
}

/// The forest of a data set, reduced as the kernel requires.
struct SeenForest {
  SeenForest(const Dataset& data, const TreeKernelNode& kernel)
      : column(data.trees(kernel.tree)), whole(data.forests()[column.forest].value) {
    const ForestOptions options = tree_kernel(kernel).forest_options(kernel);
    if (options == whole.options()) return;
    reduced = std::make_unique<Forest>(options);
    reduced->merge(whole);
  }
  const Forest& forest() const { return reduced ? *reduced : whole; }

  const TreeColumn& column;
  const Forest& whole;
  std::unique_ptr<Forest> reduced;
};

VertexList all_of(const Forest& forest) {
  std::vector<VertexId> all(forest.vertex_count());
  std::iota(all.begin(), all.end(), 0U);
  return forest.list(all);
}

/// A column for each subtree; with kappa=min one for each count of a subtree.
class SubtreePart final : public FeaturePart {
 public:
  explicit SubtreePart(const TreeKernelNode& kernel)
      : kernel_(kernel),
        options_(std::get<SubtreeOptions>(kernel.options)),
        known_(tree_kernel(kernel).forest_options(kernel)) {}

  void fit(const Dataset& data, std::uint32_t& next) override {
    const SeenForest seen(data, kernel_);
    const Forest& forest = seen.forest();
    const auto weights = subtree_weights(forest, options_);
    std::vector<std::uint32_t> levels(forest.vertex_count(), 0);
    for (const TreeId tree : seen.column.trees) {
      if (tree == none) continue;
      for (const Occurrence& o : forest.occurrences(tree)) {
        if (weights[o.vertex] > 0) levels[o.vertex] = std::max(levels[o.vertex], level(o.count));
      }
    }
    known_ = Forest(known_.options());
    const auto there = known_.add(all_of(forest));
    first_.assign(known_.vertex_count() + 1, next);
    for (VertexId v = 0; v < forest.vertex_count(); ++v) first_[there[v] + 1] = levels[v];
    for (std::size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
    next = first_.back();
  }

  Rows rows(const Dataset& data, const Context&) const override {
    const SeenForest seen(data, kernel_);
    const Forest& forest = seen.forest();
    const auto weights = subtree_weights(forest, options_);
    const auto there = known_.find(all_of(forest));
    Rows out;
    for (const TreeId tree : seen.column.trees) {
      if (tree != none) {
        for (const Occurrence& o : forest.occurrences(tree)) {
          if (weights[o.vertex] > 0) add(there[o.vertex], o.count, weights[o.vertex], out);
        }
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
  SubtreeOptions options_;
  Forest known_;
  std::vector<std::uint32_t> first_;  ///< per vertex of known_, plus one: its first column
};

/// The features of a vector.
class VectorPart final : public FeaturePart {
 public:
  explicit VectorPart(std::string vector) : vector_(std::move(vector)) {}

  void fit(const Dataset& data, std::uint32_t& next) override {
    const VectorColumn& column = vector_column({&data, ""}, vector_);
    dense_ = column.dense;
    first_ = next;
    known_ = {};
    for (const LabelId feature : column.features) {
      known_.intern(column.feature_names.text(feature));
    }
    count_ = static_cast<std::uint32_t>(dense_ ? column.dimension : known_.size());
    next += count_;
  }

  Rows rows(const Dataset& data, const Context&) const override {
    const VectorColumn& column = vector_column({&data, ""}, vector_);
    if (column.dense != dense_ || (dense_ && column.dimension != count_)) {
      throw Error("the vectors named " + in_quotes(column.slot.name) +
                  " differ in kind or dimension from those that were fitted");
    }
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
  std::string vector_;
  bool dense_ = false;
  LabelTable known_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

/// Throws Error if the vectors of n examples exceed the memory.
void check_memory(const DistributedSide& side, std::size_t examples, const Context& context) {
  if (side.bytes(examples) <= context.memory) return;
  constexpr double gigabyte = 1 << 30;
  throw Error(fmt::format(
      "the vectors of {} examples take {:.1f} GB, more than the {:.1f} GB allowed: allow more "
      "memory, or take a smaller dimension than {}",
      examples, static_cast<double>(side.bytes(examples)) / gigabyte,
      static_cast<double>(context.memory) / gigabyte, side.options().dim));
}

/// The components of distributed trees.
class DistributedPart final : public FeaturePart {
 public:
  explicit DistributedPart(const TreeKernelNode& kernel)
      : kernel_(kernel), options_(std::get<DistributedTreeOptions>(kernel.options)) {}

  void fit(const Dataset&, std::uint32_t& next) override {
    first_ = next;
    next += static_cast<std::uint32_t>(options_.dim);
  }

  Rows rows(const Dataset& data, const Context& context) const override {
    const Matrix<float> vectors = *dense_rows(data, context);
    Rows out;
    for (std::size_t i = 0; i < vectors.rows(); ++i) {
      std::uint32_t column = first_;
      for (const float value : vectors.row(i)) out.add(column++, static_cast<double>(value));
      out.finish_row();
    }
    return out;
  }

  std::optional<Matrix<float>> dense_rows(const Dataset& data,
                                          const Context& context) const override {
    const DistributedSide side(options_, {&data, ""}, {data.trees(kernel_.tree).slot.name});
    check_memory(side, data.size(), context);
    return side.rows({0, data.size()}, context);
  }

  std::string name(std::uint32_t column) const override {
    if (column < first_ || column >= first_ + options_.dim) return "";
    return std::to_string(column - first_ + 1);
  }

 private:
  TreeKernelNode kernel_;
  DistributedTreeOptions options_;
  std::uint32_t first_ = 0;
};

/// A constant feature.
class ConstantPart final : public FeaturePart {
 public:
  explicit ConstantPart(double value) : value_(value) {}

  void fit(const Dataset&, std::uint32_t& next) override { column_ = next++; }
  Rows rows(const Dataset& data, const Context&) const override {
    Rows out;
    for (std::size_t i = 0; i < data.size(); ++i) {
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

/// The features of all operands, times a factor; or rows normalised to length 1.
class CombinedPart final : public FeaturePart {
 public:
  CombinedPart(std::vector<std::unique_ptr<FeaturePart>> operands, double factor, bool norm)
      : operands_(std::move(operands)), factor_(factor), norm_(norm) {}

  void fit(const Dataset& data, std::uint32_t& next) override {
    for (const auto& operand : operands_) operand->fit(data, next);
  }
  Rows rows(const Dataset& data, const Context& context) const override {
    Rows out = operands_[0]->rows(data, context);
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      out = joined(out, operands_[k]->rows(data, context));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double scale = scale_of(out.squares[i]);
      for (std::uint64_t at = out.begin[i]; at < out.begin[i + 1]; ++at) out.values[at] *= scale;
      out.squares[i] *= scale * scale;
    }
    return out;
  }
  std::optional<Matrix<float>> dense_rows(const Dataset& data,
                                          const Context& context) const override {
    if (operands_.size() != 1) return std::nullopt;
    auto out = operands_[0]->dense_rows(data, context);
    for (std::size_t i = 0; out && i < out->rows(); ++i) {
      double square = 0;
      for (const float x : out->row(i)) square += static_cast<double>(x) * static_cast<double>(x);
      const double scale = scale_of(square);
      for (float& x : out->row(i)) x = static_cast<float>(x * scale);
    }
    return out;
  }
  std::string name(std::uint32_t column) const override {
    for (const auto& operand : operands_) {
      if (std::string found = operand->name(column); !found.empty()) return found;
    }
    return "";
  }

 private:
  /// The factor for a row with this sum of squares.
  double scale_of(double square) const {
    if (!norm_) return std::sqrt(factor_);
    return square > 0 ? 1 / std::sqrt(square) : 0;
  }

  std::vector<std::unique_ptr<FeaturePart>> operands_;
  double factor_;
  bool norm_;
};

std::unique_ptr<FeaturePart> combined(const KernelNode& operand, double factor, bool norm) {
  std::vector<std::unique_ptr<FeaturePart>> operands;
  operands.push_back(make_feature_part(operand));
  if (!operands[0]) return nullptr;
  return std::make_unique<CombinedPart>(std::move(operands), factor, norm);
}

/// Null if there are no explicit features.
struct MakePart {
  std::unique_ptr<FeaturePart> operator()(const TreeKernelNode& leaf) const {
    if (std::holds_alternative<DistributedTreeOptions>(leaf.options)) {
      return std::make_unique<DistributedPart>(leaf);
    }
    if (!std::holds_alternative<SubtreeOptions>(leaf.options)) return nullptr;
    return std::make_unique<SubtreePart>(leaf);
  }
  std::unique_ptr<FeaturePart> operator()(const VectorKernelNode& leaf) const {
    if (std::holds_alternative<CosineOptions>(leaf.options)) {
      return combined({VectorKernelNode{leaf.vector, LinearOptions()}}, 1, true);
    }
    if (!std::holds_alternative<LinearOptions>(leaf.options)) return nullptr;
    return std::make_unique<VectorPart>(leaf.vector);
  }
  std::unique_ptr<FeaturePart> operator()(const ConstantNode& constant) const {
    return constant.value >= 0 ? std::make_unique<ConstantPart>(constant.value) : nullptr;
  }
  std::unique_ptr<FeaturePart> operator()(const CombinationNode& node) const {
    if (node.how == Combination::norm) return combined(node.operands[0], 1, true);
    if (node.how == Combination::product) return multiple(node);
    if (node.how != Combination::sum) return nullptr;
    std::vector<std::unique_ptr<FeaturePart>> operands;
    for (const KernelNode& operand : node.operands) {
      operands.push_back(make_feature_part(operand));
      if (!operands.back()) return nullptr;
    }
    return std::make_unique<CombinedPart>(std::move(operands), 1, false);
  }

 private:
  /// Constants times one kernel.
  static std::unique_ptr<FeaturePart> multiple(const CombinationNode& node) {
    double factor = 1;
    const KernelNode* other = nullptr;
    for (const KernelNode& operand : node.operands) {
      if (const auto* constant = std::get_if<ConstantNode>(&operand.what)) {
        factor *= constant->value;
      } else if (std::exchange(other, &operand) != nullptr) {
        return nullptr;
      }
    }
    if (factor < 0) return nullptr;
    if (other == nullptr) return std::make_unique<ConstantPart>(factor);
    return combined(*other, factor, false);
  }
};

}  // namespace

std::unique_ptr<FeaturePart> make_feature_part(const KernelNode& kernel) {
  return std::visit(MakePart(), kernel.what);
}

}  // namespace espalier
