#pragma once

#include <memory>
#include <string>

#include "espalier/base/context.hpp"
#include "espalier/base/feature_matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

struct FeaturePart;

/// The features that a kernel is the dot product of, one column each: for st(..) the subtrees, with
/// sqrt(weight) * count; for dtk(..) the numbers of the vectors. There are such features also for
/// linear and cosine kernels on vectors, and for norms, sums and nonnegative multiples of these.
class ExplicitFeatures {
 public:
  /// Throws Error if the kernel has no explicit features, or weights that are still to be learned.
  explicit ExplicitFeatures(Kernel kernel);
  ~ExplicitFeatures();
  ExplicitFeatures(ExplicitFeatures&&) noexcept;
  ExplicitFeatures& operator=(ExplicitFeatures&&) noexcept;

  /// Numbers the features of these examples. Linear in their size.
  void fit(const Dataset& data);
  /// A row for each example. Features that fit() has not met have no column, but a norm counts
  /// them.
  SparseMatrix transform(const Dataset& data, const Context& context = {}) const;
  /// The same in the form that suits it: dense if there is nothing but distributed trees.
  FeatureMatrix matrix(const Dataset& data, const Context& context = {}) const;

  std::size_t columns() const { return columns_; }
  /// What a column counts: a subtree in brackets ("(a(b)) >= 2" where kappa=min), or a feature of a
  /// vector.
  std::string name(std::size_t column) const;

 private:
  std::unique_ptr<FeaturePart> root_;
  std::uint32_t columns_ = 0;
};

/// Whether there are explicit features.
bool has_explicit_features(const Kernel& kernel);

}  // namespace espalier
