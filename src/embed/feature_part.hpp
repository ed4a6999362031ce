#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/dense_vectors.hpp"
#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// Rows under construction: columns in any order, and the sum of all squares, including those of
/// features without a column. Row i stands for its values times 2^exponents[i].
struct Rows {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  std::vector<double> squares;
  std::vector<int> exponents;

  std::size_t size() const { return squares.size(); }
  void add(std::uint32_t column, double value) {
    square_ += value * value;
    if (column == none) return;
    columns.push_back(column);
    values.push_back(value);
  }
  void finish_row(int exponent = 0) {
    begin.push_back(columns.size());
    squares.push_back(std::exchange(square_, 0));
    exponents.push_back(exponent);
  }

 private:
  double square_ = 0;
};

/// Throws Error if a vector is outside the range of single precision.
void check_range(std::span<const int> exponents);
/// The columns of both, row by row.
Rows joined(const Rows& a, const Rows& b);

/// One node of the expression, with its columns.
struct FeaturePart {
  virtual ~FeaturePart() = default;
  /// Numbers the features of all sides from `next` on.
  virtual void fit(std::span<const Side> sides, std::uint32_t& next) = 0;
  virtual Rows rows(const Side& side, const Context& context) const = 0;
  /// All columns of each row, if there are only distributed trees.
  virtual std::optional<ScaledRows> dense_rows(const Side&, const Context&) const {
    return std::nullopt;
  }
  /// The name of a column, "" if it belongs to another part.
  virtual std::string name(std::uint32_t column) const = 0;
};

/// The name that one of the parts has for a column.
std::string name_in(const std::vector<std::unique_ptr<FeaturePart>>& parts, std::uint32_t column);

/// What features are made with: what the kernel has learned, and whether all trees of an example
/// are one bag.
struct FeatureSource {
  KernelState state;
  bool all_trees = false;
};

/// st(..).
std::unique_ptr<FeaturePart> make_subtree_part(const TreeKernelNode& kernel,
                                               const FeatureSource& source);
/// A kernel with dense vectors.
std::unique_ptr<FeaturePart> make_dense_part(const TreeKernelNode& kernel, bool all_trees);
/// linear(..).
std::unique_ptr<FeaturePart> make_vector_part(const std::string& vector);
std::unique_ptr<FeaturePart> make_constant_part(double value);

/// Of one member of a pair; of two, the sum of their vectors. Null if the kernel has no features.
std::unique_ptr<FeaturePart> make_member_part(const KernelNode& kernel, const KernelState& state,
                                              std::vector<std::string> members);
/// Of every tree name. Null if the kernel has no features.
std::unique_ptr<FeaturePart> make_each_part(const KernelNode& kernel, const FeatureSource& source);

/// Null if the kernel has no explicit features.
std::unique_ptr<FeaturePart> make_feature_part(const KernelNode& kernel,
                                               const FeatureSource& source);

}  // namespace espalier
