#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// Rows under construction: columns in any order, and the sum of all squares, including those of
/// features without a column.
struct Rows {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  std::vector<double> squares;

  std::size_t size() const { return squares.size(); }
  void add(std::uint32_t column, double value) {
    square_ += value * value;
    if (column == none) return;
    columns.push_back(column);
    values.push_back(value);
  }
  void finish_row() {
    begin.push_back(columns.size());
    squares.push_back(std::exchange(square_, 0));
  }

 private:
  double square_ = 0;
};

/// One node of the expression, with its columns.
struct FeaturePart {
  virtual ~FeaturePart() = default;
  /// Numbers the features from `next` on.
  virtual void fit(const Dataset& data, std::uint32_t& next) = 0;
  virtual Rows rows(const Dataset& data, const Context& context) const = 0;
  /// All columns of each row, if there are only distributed trees.
  virtual std::optional<Matrix<float>> dense_rows(const Dataset&, const Context&) const {
    return std::nullopt;
  }
  /// The name of a column, "" if it belongs to another part.
  virtual std::string name(std::uint32_t column) const = 0;
};

/// What the features of a kernel are made from: a member of the examples ("" for examples that are
/// no pairs), and the tree of kernels that name none, or all trees together.
struct FeatureSource {
  std::string member = {};
  std::string tree = {};
  bool all_trees = false;

  Side side(const Dataset& data) const { return {&data, member, tree}; }
};

/// st(..).
std::unique_ptr<FeaturePart> make_subtree_part(const TreeKernelNode& kernel,
                                               const FeatureSource& source);
/// A kernel with dense vectors.
std::unique_ptr<FeaturePart> make_dense_part(const TreeKernelNode& kernel,
                                             const FeatureSource& source);
/// linear(..).
std::unique_ptr<FeaturePart> make_vector_part(const std::string& vector,
                                              const FeatureSource& source);
std::unique_ptr<FeaturePart> make_constant_part(double value);

/// Null if the kernel has no explicit features.
std::unique_ptr<FeaturePart> make_feature_part(const KernelNode& kernel,
                                               const FeatureSource& source = {});

}  // namespace espalier
