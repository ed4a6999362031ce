#pragma once

#include <map>

#include "espalier/embed/nystroem.hpp"
#include "model/learner.hpp"

namespace espalier {

/// Nystroem vectors of all examples, with landmarks from the training set.
class LandmarkVectors {
 public:
  LandmarkVectors(const LearningProblem& problem, const TrainOptions& options);

  /// Chooses landmarks from these examples, by their classes if the policy needs them. Vectors of
  /// earlier training sets are cached as long as they fit into memory.
  void fit(std::span<const std::uint32_t> examples, const Context& context);
  /// A row for each example of the data set. Requires fit().
  const Matrix<float>& vectors() const { return fitted_->vectors; }

  /// Of the vectors that are cached.
  std::size_t bytes() const;

  /// A model whose decision values are those of the network on the vectors. Requires fit() on all
  /// examples.
  Model model(const char* learner, Decision decision, Network network,
              const Context& context) const;

 private:
  struct Fitted {
    Nystroem nystroem;
    Matrix<float> vectors;
  };

  LearningProblem problem_;
  NystroemOptions options_;
  std::map<std::vector<std::uint32_t>, Fitted> cache_;  ///< by training set
  const Fitted* fitted_ = nullptr;
};

}  // namespace espalier
