#pragma once

#include <optional>

#include "espalier/base/sparse_matrix.hpp"
#include "model/learner.hpp"

namespace espalier {

/// Fragments of all examples as features: those that an SVM on the training set weighs most, or all
/// of them up to a size, hashed.
class FragmentVectors {
 public:
  FragmentVectors(const LearningProblem& problem, const TrainOptions& options,
                  const Context& context);

  /// Chooses the fragments by an SVM on these examples, with the same options. Hashed ones need no
  /// choice.
  void fit(std::span<const std::uint32_t> examples, const TrainOptions& options,
           const Context& context);
  /// A row for each example of the data set. Requires fit().
  const SparseMatrix& vectors() const { return vectors_; }

  /// A model with these weights: a row for each decision function. Requires fit() on all examples.
  Model model(Decision decision, const Matrix<double>& weights) const;

 private:
  LearningProblem problem_;
  Matrix<float> gram_;  ///< none if fragments are hashed
  std::optional<FragmentFeatures> features_;
  SparseMatrix vectors_;
};

}  // namespace espalier
