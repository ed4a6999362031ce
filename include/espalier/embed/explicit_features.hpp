#pragma once

#include <memory>
#include <string>

#include "espalier/base/context.hpp"
#include "espalier/base/feature_matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

struct FeaturePart;

/// Feature vectors whose dot product is the kernel. For st(..) there is a column for each subtree,
/// with sqrt(weight) * count; for dtk(..) one for each component. Linear and cosine kernels on
/// vectors have explicit features, too, and so have norms, sums, nonnegative multiples, pair(..),
/// cross(..), each(..) and all(..).
class ExplicitFeatures {
 public:
  /// Throws Error if the kernel has no explicit features, or weights that have not been learned.
  explicit ExplicitFeatures(const FittedKernel& kernel);
  ~ExplicitFeatures();
  ExplicitFeatures(ExplicitFeatures&&) noexcept;
  ExplicitFeatures& operator=(ExplicitFeatures&&) noexcept;

  /// Numbers the features of these examples. Linear in their size.
  void fit(const Dataset& data);
  /// A row for each example. Features unknown to fit() have no column, but count in a norm.
  SparseMatrix transform(const Dataset& data, const Context& context = {}) const;
  /// The same, but dense if all features are those of distributed trees.
  FeatureMatrix matrix(const Dataset& data, const Context& context = {}) const;

  std::size_t columns() const { return columns_; }
  /// The feature of a column: a subtree in brackets ("(a(b)) >= 2" for kappa=min), or a feature of
  /// a vector.
  std::string name(std::size_t column) const;

 private:
  std::unique_ptr<FeaturePart> root_;
  std::uint32_t columns_ = 0;
};

/// Whether there are explicit features.
bool has_explicit_features(const Kernel& kernel);

}  // namespace espalier
