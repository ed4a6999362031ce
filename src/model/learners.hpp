#pragma once

#include "model/learner.hpp"

namespace espalier {

// One function per learner; learner.cpp chooses between them.
PreparedLearners prepare_svm(const Preparation& with);
PreparedLearners prepare_working_set(const Preparation& with);
PreparedLearners prepare_linear(const Preparation& with);
PreparedLearners prepare_kda(const Preparation& with);
PreparedLearners prepare_perceptron(const Preparation& with);
PreparedLearners prepare_passive_aggressive(const Preparation& with);

// Steps that learners share.

/// Whether the Gram matrix of n examples fits the memory.
bool matrix_fits(std::size_t examples, const Context& context);

/// One learner, for the first kernel.
template <class T, class... Arguments>
PreparedLearners prepare_one(Arguments&&... arguments) {
  PreparedLearners out;
  out.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  return out;
}

/// The options of the binary classifiers, with class weights in the order of the classes.
ClassifierOptions classifier_options(const TrainOptions& options,
                                     const std::vector<std::string>& classes);

/// `targets` are those of all examples: a training set may lack multi-label examples by chance.
Decision new_decision(const Targets& targets, TrainedDecisionFunctions trained);

Training training_of(const char* learner, const Decision& decision, std::size_t examples);

/// Which examples are in the same fold when probabilities are estimated: those that no split of a
/// validation would separate. Empty if they are not estimated.
std::vector<std::uint32_t> calibration_groups(const LearningProblem& problem,
                                              std::span<const std::uint32_t> examples,
                                              const TrainOptions& options);

/// A model with the support vectors of the decision functions as kernel functions.
Model support_vector_model(const char* learner, const LearningProblem& problem, Decision decision,
                           const Context& context);

}  // namespace espalier
