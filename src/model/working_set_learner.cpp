#include <fmt/format.h>

#include <cmath>
#include <map>

#include "espalier/gram/gram.hpp"
#include "espalier/learn/working_set.hpp"
#include "gram/kernel_sums.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// The kernels of a data set.
class DataKernels final : public KernelSource {
 public:
  DataKernels(const FittedKernel& kernel, const Dataset& data, const Context& context)
      : kernel_(kernel), data_(data), sums_(kernel, data, context) {}

  std::size_t size() const override { return data_.size(); }

  Matrix<float> gram(std::span<const std::uint32_t> examples, const Context& context) override {
    // A data set of its own: the time must not depend on the size of the whole forest.
    Matrix<float> out = espalier::gram<float>(kernel_, data_.select(examples), context);
    for (std::size_t i = 0; i < out.rows(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (std::isfinite(out(i, j))) continue;
        throw Error(fmt::format(
            "the kernel of examples {} and {} is too large for single precision: use norm(..) "
            "around the kernel, or a smaller decay",
            examples[i] + 1, examples[j] + 1));
      }
    }
    return out;
  }

  Matrix<double> sums(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
                      std::span<const std::uint32_t> targets, const Context& context) override {
    return sums_(examples, coefficients, targets, context);
  }

 private:
  const FittedKernel& kernel_;
  const Dataset& data_;
  KernelSums sums_;
};

/// All parameters of an svm but C, as text.
std::string all_but_cost(TrainOptions options) {
  std::string out;
  for (const auto& [name, value] : Parameters(options).used_by("svm")) {
    if (name != "C") out += name + "=" + value + "\n";
  }
  return out;
}

/// Support vector machines without the Gram matrix.
class WorkingSetLearner final : public PreparedLearner {
 public:
  explicit WorkingSetLearner(const Preparation& with)
      : problem_(with.problem()),
        interruption_(with.interruption),
        kernels_(problem_.kernel, problem_.data, with.context) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    decision_ = new_decision(problem_.targets, trained(examples, options, context));
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
        if (options.probabilities) calibration = {options.calibration_folds, options.seed};
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
