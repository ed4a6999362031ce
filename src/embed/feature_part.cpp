#include "embed/feature_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// The features of all operands, times a factor; or rows normalised to length 1.
class CombinedPart final : public FeaturePart {
 public:
  CombinedPart(std::vector<std::unique_ptr<FeaturePart>> operands, double factor, bool norm)
      : operands_(std::move(operands)), factor_(factor), norm_(norm) {}

  void fit(std::span<const Side> sides, std::uint32_t& next) override {
    for (const auto& operand : operands_) operand->fit(sides, next);
  }
  Rows rows(const Side& side, const Context& context) const override {
    Rows out = operands_[0]->rows(side, context);
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      out = joined(out, operands_[k]->rows(side, context));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double scale = scale_of(out.squares[i]);
      for (std::uint64_t at = out.begin[i]; at < out.begin[i + 1]; ++at) out.values[at] *= scale;
      out.squares[i] *= scale * scale;
      if (norm_) out.exponents[i] = 0;
    }
    return out;
  }
  std::optional<ScaledRows> dense_rows(const Side& side, const Context& context) const override {
    std::vector<ScaledRows> parts;
    std::size_t columns = 0;
    for (const auto& operand : operands_) {
      auto part = operand->dense_rows(side, context);
      if (!part) return std::nullopt;
      columns += part->values.columns();
      parts.push_back(std::move(*part));
    }
    ScaledRows out = parts.size() == 1 ? std::move(parts[0]) : side_by_side(parts, columns);
    for (std::size_t i = 0; i < out.values.rows(); ++i) {
      double square = 0;
      for (const float x : out.values.row(i)) {
        square += static_cast<double>(x) * static_cast<double>(x);
      }
      const double scale = scale_of(square);
      for (float& x : out.values.row(i)) x = static_cast<float>(x * scale);
      if (norm_) out.exponents[i] = 0;
    }
    return out;
  }
  std::string name(std::uint32_t column) const override { return name_in(operands_, column); }

 private:
  static ScaledRows side_by_side(const std::vector<ScaledRows>& parts, std::size_t columns) {
    ScaledRows out{Matrix<float>(parts[0].values.rows(), columns), parts[0].exponents};
    for (std::size_t i = 0; i < out.values.rows(); ++i) {
      for (const ScaledRows& part : parts) {
        out.exponents[i] = std::max(out.exponents[i], part.exponents[i]);
      }
      float* to = out.values.row(i).data();
      for (const ScaledRows& part : parts) {
        const auto scale =
            static_cast<float>(std::ldexp(1.0, part.exponents[i] - out.exponents[i]));
        for (const float x : part.values.row(i)) *to++ = scale * x;
      }
    }
    return out;
  }

  /// The factor for a row with this sum of squares.
  double scale_of(double square) const {
    if (!norm_) return std::sqrt(factor_);
    return square > 0 ? 1 / std::sqrt(square) : 0;
  }

  std::vector<std::unique_ptr<FeaturePart>> operands_;
  double factor_;
  bool norm_;
};

/// Makes the part of each node. Null if there are no explicit features.
struct MakePart {
  using Part = std::unique_ptr<FeaturePart>;
  FeatureSource source;

  Part operator()(const TreeKernelNode& leaf) const {
    const TreeKernel& kernel = tree_kernel(leaf);
    if (source.all_trees && !kernel.sums_over_trees(leaf)) return nullptr;
    if (kernel.dense_dim(leaf) > 0) return make_dense_part(leaf, source.all_trees);
    if (!std::holds_alternative<SubtreeOptions>(leaf.options)) return nullptr;
    return make_subtree_part(leaf, source);
  }
  Part operator()(const VectorKernelNode& leaf) const {
    if (std::holds_alternative<CosineOptions>(leaf.options)) {
      const KernelNode linear{VectorKernelNode{leaf.vector, LinearOptions()}};
      return combined(std::vector{linear}, 1, true);
    }
    if (!std::holds_alternative<LinearOptions>(leaf.options)) return nullptr;
    return make_vector_part(leaf.vector);
  }
  Part operator()(const ConstantNode& constant) const {
    return constant.value >= 0 ? make_constant_part(constant.value) : nullptr;
  }
  Part operator()(const CombinationNode& node) const {
    switch (node.how) {
      case Combination::sum:
        return combined(node.operands, 1, false);
      case Combination::product:
        return multiple(node);
      case Combination::norm:
        return combined(node.operands, 1, true);
      case Combination::pair:
        return combined(parts(make_member_part(node.operands[0], source.state, {"a"}),
                              make_member_part(node.operands[0], source.state, {"b"})),
                        1, false);
      case Combination::cross:
        return make_member_part(node.operands[0], source.state, {"a", "b"});
      case Combination::each:
        return make_each_part(node.operands[0], source);
      case Combination::all:
        // Of other kernels, such as a norm, the sum over all pairs of trees has other features.
        if (!sums_over_trees(node.operands[0])) return nullptr;
        return make_feature_part(node.operands[0], {source.state, true});
      case Combination::pair_product:
        break;
    }
    return nullptr;
  }

 private:
  Part combined(const std::vector<KernelNode>& nodes, double factor, bool norm) const {
    std::vector<Part> parts;
    parts.reserve(nodes.size());
    for (const KernelNode& node : nodes) parts.push_back(make_feature_part(node, source));
    return combined(std::move(parts), factor, norm);
  }
  static Part combined(std::vector<Part> parts, double factor, bool norm) {
    if (std::ranges::any_of(parts, [](const Part& part) { return !part; })) return nullptr;
    return std::make_unique<CombinedPart>(std::move(parts), factor, norm);
  }

  static std::vector<Part> parts(Part a, Part b) {
    std::vector<Part> out;
    out.push_back(std::move(a));
    out.push_back(std::move(b));
    return out;
  }

  /// Constants times one kernel.
  Part multiple(const CombinationNode& node) const {
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
    if (other == nullptr) return make_constant_part(factor);
    return combined(std::vector{*other}, factor, false);
  }
};

}  // namespace

void check_range(std::span<const int> exponents) {
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    if (exponents[i] == 0) continue;
    throw Error(fmt::format(
        "example {}: its vector is outside the range of single precision; use norm(..) around the "
        "kernel, as vectors of length 1 always fit",
        i + 1));
  }
}

Rows joined(const Rows& a, const Rows& b) {
  Rows out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // The exponent of zeros does not matter.
    const int of_a = a.squares[i] > 0 ? a.exponents[i] : b.exponents[i];
    const int of_b = b.squares[i] > 0 ? b.exponents[i] : of_a;
    const int larger = std::max(of_a, of_b);
    double square = 0;
    for (const auto& [rows, own] : {std::pair(&a, of_a), std::pair(&b, of_b)}) {
      const double scale = std::ldexp(1.0, own - larger);
      for (std::uint64_t at = rows->begin[i]; at < rows->begin[i + 1]; ++at) {
        out.add(rows->columns[at], scale * rows->values[at]);
      }
      square += scale * scale * rows->squares[i];
    }
    out.finish_row(larger);
    out.squares.back() = square;
  }
  return out;
}

std::string name_in(const std::vector<std::unique_ptr<FeaturePart>>& parts, std::uint32_t column) {
  for (const auto& part : parts) {
    if (std::string found = part->name(column); !found.empty()) return found;
  }
  return "";
}

std::unique_ptr<FeaturePart> make_feature_part(const KernelNode& kernel,
                                               const FeatureSource& source) {
  return std::visit(MakePart{source}, kernel.what);
}

}  // namespace espalier
