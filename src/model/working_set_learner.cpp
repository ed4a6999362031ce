#include <map>

#include "espalier/learn/working_set.hpp"
#include "learn/binary_training_set.hpp"
#include "model/data_kernels.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// The number of binary problems that share the kernels.
std::size_t programs(const Preparation& with) {
  if (with.targets.task != Task::classification) return 1;
  const auto problems = binary_problems(with.targets.classes, with.options.classifier.multi_class);
  return problems.size() * (with.options.probabilities ? 1 + with.options.calibration_folds : 1);
}

/// All parameters of an svm but C, as text.
std::string all_but_cost(TrainOptions options) {
  std::string out;
  for (const auto& [name, value] : Parameters(options).used_by("svm")) {
    if (name != "C") out.append(name).append("=").append(value).append("\n");
  }
  return out;
}

/// Support vector machines without the Gram matrix.
class WorkingSetLearner final : public PreparedLearner {
 public:
  explicit WorkingSetLearner(const Preparation& with)
      : problem_(with.problem()),
        interruption_(with.interruption),
        kernels_(problem_.kernel, problem_.data, programs(with), with.context) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    Context rest = context;
    rest.memory -= kernels_.bytes();
    decision_ = new_decision(problem_.targets, trained(examples, options, rest));
  }

  Predictions score(std::span<const std::uint32_t> examples,
                    const Context& context) const override {
    const auto functions = decision_functions(decision_);
    std::vector<std::uint32_t> support;
    std::vector<std::uint32_t> column_of(problem_.data.size(), none);
    for (const DecisionFunction& function : functions) {
      for (const SupportVector& s : function.support_vectors) {
        if (column_of[s.example] != none) continue;
        column_of[s.example] = static_cast<std::uint32_t>(support.size());
        support.push_back(s.example);
      }
    }
    Matrix<double> coefficients(functions.size(), support.size());
    std::fill_n(coefficients.data(), coefficients.rows() * coefficients.columns(), 0.0);
    for (std::size_t m = 0; m < functions.size(); ++m) {
      for (const SupportVector& s : functions[m].support_vectors) {
        coefficients(m, column_of[s.example]) = s.coefficient;
      }
    }
    Matrix<double> values = kernels_.sums(support, coefficients, examples, context);
    for (std::size_t i = 0; i < values.rows(); ++i) {
      for (std::size_t m = 0; m < functions.size(); ++m) values(i, m) += functions[m].bias;
    }
    return decide(decision_, values);
  }

  Model model(const Context& context) override {
    Context last = context;
    // What was interrupted is finished with what there is.
    if (interruption_.keep_unfinished) last.cancelled = nullptr;
    return support_vector_model("svm", problem_, std::move(decision_), last);
  }

 private:
  TrainedDecisionFunctions trained(std::span<const std::uint32_t> examples,
                                   const TrainOptions& options, const Context& context) {
    // A solution is a start for another C, not for other programs.
    if (std::string settings = all_but_cost(options); settings != settings_) {
      starts_.clear();
      settings_ = std::move(settings);
    }
    const Targets targets = problem_.targets.select(examples);
    const SolverOptions& solver = options.classifier.solver;
    const WorkingSetOptions working_set{.checkpoint = interruption_.checkpoint,
                                        .keep_unfinished = interruption_.keep_unfinished,
                                        .warm_start = &starts_[{examples.begin(), examples.end()}]};
    TrainedDecisionFunctions out;
    switch (targets.task) {
      case Task::classification: {
        std::optional<CalibrationOptions> calibration;
        if (options.probabilities) {
          calibration = {options.calibration_folds, options.seed,
                         calibration_groups(problem_, examples, options)};
        }
        auto [classifiers, sigmoids] = train_classifier(kernels_, examples, targets.classes,
                                                        classifier_options(options, targets),
                                                        calibration, working_set, context);
        out.classifiers = std::move(classifiers);
        if (calibration) out.probabilities = std::move(sigmoids);
        break;
      }
      case Task::regression:
        out.classifiers.functions.push_back(train_svr(kernels_, examples, targets.numbers,
                                                      svr_options(options, targets), working_set,
                                                      context));
        break;
      case Task::one_class:
        out.classifiers.functions.push_back(
            train_one_class(kernels_, examples, {options.nu, solver}, working_set, context));
        break;
    }
    return out;
  }

  LearningProblem problem_;
  Interruption interruption_;
  mutable DataKernels kernels_;  ///< keeps what calls with the same targets share
  std::string settings_;         ///< that starts_ are for
  /// Per training set: where the solver stopped, to start from with another C.
  std::map<std::vector<std::uint32_t>, WarmStart> starts_;
  Decision decision_;
};

}  // namespace

PreparedLearners prepare_working_set(const Preparation& with) {
  return prepare_one<WorkingSetLearner>(with);
}

}  // namespace espalier
