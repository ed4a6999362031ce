#pragma once

#include "model/learner.hpp"

namespace espalier {

// One function per learner; learner.cpp chooses between them.
PreparedLearners prepare_svm(const Preparation& with);
PreparedLearners prepare_linear(const Preparation& with);
PreparedLearners prepare_kda(const Preparation& with);
PreparedLearners prepare_perceptron(const Preparation& with);
PreparedLearners prepare_passive_aggressive(const Preparation& with);

// Steps that learners share.

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

/// A model of decision functions, still without kernel functions.
Model new_model(const LearningProblem& problem, TrainedDecisionFunctions trained);

/// Sets model.training from its decision functions.
void note_training(Model& model, const char* learner, std::size_t examples);

/// Turns the support vectors of the decision functions into kernel functions.
Model with_support_vectors(Model model, const Dataset& data, const Context& context);

}  // namespace espalier
