#include "model/learner.hpp"

#include <algorithm>

#include "espalier/base/error.hpp"
#include "model/learners.hpp"

namespace espalier {

ClassifierOptions classifier_options(const TrainOptions& options, const Targets& targets) {
  const std::vector<std::string>& classes = targets.names;
  ClassifierOptions out = options.classifier;
  out.example_weights = targets.weights;
  if (options.class_weight.balanced) out.weights = ClassWeights::balanced;
  if (options.class_weight.weights.empty()) return out;
  out.weights = ClassWeights::given;
  out.class_weights.assign(classes.size(), 1);
  for (const auto& [name, weight] : options.class_weight.weights) {
    const auto found = std::ranges::find(classes, name);
    if (found == classes.end()) {
      const std::string near = nearest(name, classes);
      throw Error("there is no class " + in_quotes(name) + " to weigh" +
                  (near.empty() ? "" : ": did you mean " + in_quotes(near) + "?"));
    }
    out.class_weights[static_cast<std::size_t>(found - classes.begin())] = weight;
  }
  return out;
}

SvrOptions svr_options(const TrainOptions& options, const Targets& targets) {
  return {options.classifier.cost, options.epsilon, options.classifier.solver, targets.weights};
}

Decision new_decision(const Targets& targets, TrainedDecisionFunctions trained) {
  if (targets.task == Task::classification) {
    // A single class in one-vs-one has no binary classifier, and so no probabilities.
    if (trained.classifiers.functions.empty()) trained.probabilities = {};
    return Classification{targets.names, targets.multi_label(), std::move(trained.classifiers),
                          std::move(trained.probabilities)};
  }
  DecisionFunction& function = trained.classifiers.functions[0];
  if (targets.task == Task::regression) return Regression{std::move(function)};
  return OneClass{std::move(function)};
}

Training training_of(const char* learner, const Decision& decision, std::size_t examples) {
  Training out;
  out.learner = learner;
  out.examples = examples;
  std::vector<std::uint8_t> used(examples, 0);
  for (const DecisionFunction& function : decision_functions(decision)) {
    for (const SupportVector& s : function.support_vectors) used[s.example] = 1;
    out.iterations += function.iterations;
    out.converged = out.converged && function.converged;
  }
  out.support_vectors = static_cast<std::uint64_t>(std::ranges::count(used, 1));
  return out;
}

Model support_vector_model(const char* learner, const LearningProblem& problem, Decision decision,
                           const Context& context) {
  Model model(problem.kernel);
  model.training = training_of(learner, decision, problem.data.size());
  model.decision = std::move(decision);
  const auto functions = decision_functions(model.decision);
  Matrix<double> coefficients(functions.size(), problem.data.size());
  std::fill_n(coefficients.data(), coefficients.rows() * coefficients.columns(), 0.0);
  for (std::size_t m = 0; m < functions.size(); ++m) {
    for (const SupportVector& s : functions[m].support_vectors) {
      coefficients(m, s.example) = s.coefficient;
    }
    functions[m].support_vectors.clear();
  }
  model.functions.add(problem.data, coefficients, context);
  return model;
}

}  // namespace espalier
