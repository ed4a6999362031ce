#include <fmt/format.h>

#include <algorithm>

#include "espalier/gram/gram.hpp"
#include "espalier/learn/svm.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

double matrix_bytes(std::size_t examples) {
  return 4.0 * static_cast<double>(examples) * static_cast<double>(examples);
}

}  // namespace

bool matrix_fits(std::size_t examples, const Context& context) {
  return matrix_bytes(examples) <= static_cast<double>(context.memory);
}

void check_memory(std::size_t examples, const Context& context) {
  if (matrix_fits(examples, context)) return;
  const double needed = matrix_bytes(examples);
  constexpr double gigabyte = 1 << 30;
  throw Error(fmt::format(
      "the Gram matrix of {} examples takes {:.1f} GB, more than the {:.1f} GB allowed: allow more "
      "memory, or choose what needs no matrix: an svm with the solver working-set, linear or kda "
      "on "
      "landmarks, linear on explicit features of st(..), dtk(..) or linear(..), or an online "
      "learner "
      "(perceptron, pa)",
      examples, needed / gigabyte, static_cast<double>(context.memory) / gigabyte));
}

TrainedDecisionFunctions train_decision_functions(const GramView& view, const Targets& targets,
                                                  const TrainOptions& options,
                                                  const Context& context,
                                                  std::vector<std::uint32_t> groups) {
  TrainedDecisionFunctions out;
  const SolverOptions& solver = options.classifier.solver;
  switch (targets.task) {
    case Task::classification: {
      const ClassifierOptions classifier = classifier_options(options, targets.names);
      out.classifiers = train_classifier(view, targets.classes, classifier, context);
      if (options.probabilities) {
        out.probabilities =
            calibrate(view, targets.classes, classifier,
                      {options.calibration_folds, options.seed, std::move(groups)}, context);
      }
      break;
    }
    case Task::regression:
      out.classifiers.functions.push_back(train_svr(
          view, targets.numbers, {options.classifier.cost, options.epsilon, solver}, context));
      break;
    case Task::one_class:
      out.classifiers.functions.push_back(train_one_class(view, {options.nu, solver}, context));
      break;
  }
  return out;
}

std::vector<std::uint32_t> calibration_groups(const LearningProblem& problem,
                                              std::span<const std::uint32_t> examples,
                                              const TrainOptions& options) {
  if (!options.probabilities) return {};
  return example_groups(problem.data, options.grouping).select(examples);
}

namespace {

/// Support vector machines on the Gram matrix.
class SvmLearner final : public PreparedLearner {
 public:
  SvmLearner(const LearningProblem& problem, Matrix<float> gram)
      : problem_(problem), gram_(std::move(gram)) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    decision_ = new_decision(
        problem_.targets, train_decision_functions(
                              GramView(gram_, examples), problem_.targets.select(examples), options,
                              context, calibration_groups(problem_, examples, options)));
  }

  Predictions score(std::span<const std::uint32_t> examples, const Context&) const override {
    const auto functions = decision_functions(decision_);
    Matrix<double> values(examples.size(), functions.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::size_t m = 0; m < functions.size(); ++m) {
        values(i, m) = decision_value(functions[m], gram_.row(examples[i]));
      }
    }
    return decide(decision_, values);
  }

  Model model(const Context& context) override {
    gram_ = {};
    return support_vector_model("svm", problem_, std::move(decision_), context);
  }

 private:
  LearningProblem problem_;
  Matrix<float> gram_;
  Decision decision_;
};

}  // namespace

PreparedLearners prepare_svm(const Preparation& with) {
  const std::size_t size = with.data.size();
  if (uses_working_set(with.options, size, with.context)) return prepare_working_set(with);
  check_memory(size, with.context);
  const std::size_t together =
      std::max<std::size_t>(1, with.context.memory / (4 * size * size + 1));
  auto matrices = gram<float>(with.kernels.first(std::min(together, with.kernels.size())),
                              with.data, with.context);
  PreparedLearners out;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    out.push_back(std::make_unique<SvmLearner>(with.problem(k), std::move(matrices[k])));
  }
  return out;
}

}  // namespace espalier
