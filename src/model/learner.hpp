#pragma once

#include <memory>
#include <span>

#include "espalier/model/train.hpp"

namespace espalier {

/// What to learn. Refers to its parts, which must outlive it.
struct LearningProblem {
  const FittedKernel& kernel;
  const Dataset& data;
  const Targets& targets;
};

/// A learner with what all training sets of a problem share, such as the Gram matrix.
class PreparedLearner {
 public:
  virtual ~PreparedLearner() = default;
  /// Trains on these examples of the data set.
  virtual void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
                     const Context& context) = 0;
  /// Predicts examples of the data set. Requires train().
  virtual Predictions score(std::span<const std::uint32_t> examples,
                            const Context& context) const = 0;
  /// The model trained on all examples; the last call, because it releases what was prepared.
  virtual Model model(const Context& context) = 0;

  /// Examples for early stopping in train(), instead of a part of the training set; for learners
  /// that stop early.
  virtual void validate_on(std::span<const std::uint32_t>) {}
  /// The memory that is kept between calls of train(), about.
  virtual std::size_t bytes() const { return 0; }
};
using PreparedLearners = std::vector<std::unique_ptr<PreparedLearner>>;

/// The arguments of prepare(). Kernels, data and targets must outlive what is prepared.
struct Preparation {
  std::span<const FittedKernel> kernels;  ///< without weights to learn
  const Dataset& data;
  const Targets& targets;
  const TrainOptions& options;
  const Context& context;
  Interruption interruption = {};

  LearningProblem problem(std::size_t k = 0) const { return {kernels[k], data, targets}; }
};

/// Prepares options.learner for the first of the kernels, and for more of them if that is faster
/// and they fit into memory together.
PreparedLearners prepare(const Preparation& with);

/// The targets to learn, with the weights of the examples. Throws Error if all examples are of one
/// class, unless the learner is online: the other classes may come when training continues.
Targets training_targets(const Dataset& data, const TrainOptions& options);

}  // namespace espalier
