#include <algorithm>
#include <cmath>

#include "espalier/learn/working_set.hpp"
#include "learn/binary_training_set.hpp"
#include "learn/calibrate.hpp"
#include "learn/shared_programs.hpp"
#include "learn/training.hpp"

namespace espalier {

namespace {

void check_source(std::span<const std::uint32_t> examples, const SolverOptions& options) {
  if (examples.empty()) throw Error("there are no examples to learn from");
  check_parameters(options);
}

/// The variables of a program.
struct Variables {
  std::span<const std::uint32_t> examples;
  std::size_t size() const { return examples.size(); }
  std::uint32_t example(std::size_t i) const { return examples[i]; }
};

/// Starts where a solver with another C stopped. With C, the coefficients at a bound grow in
/// proportion; with all of them in proportion, so do the sums of kernels.
void set_start(SharedProgram& to, std::span<const double> values, std::span<const double> products,
               double factor) {
  // So near to a bound, rounding is what keeps a coefficient from it.
  constexpr double near = 1e-12;
  QuadraticProgram& program = to.program;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = std::clamp(factor * values[i], program.lower[i], program.upper[i]);
    for (const double bound : {program.lower[i], program.upper[i]}) {
      if (std::abs(value - bound) <= near * std::abs(bound)) value = bound;
    }
    program.start.push_back(value);
    to.products.push_back(factor * products[i]);
  }
}

/// solve() with a warm start.
std::vector<SharedSolution> solve_for_cost(KernelSource& source,
                                           std::vector<SharedProgram> programs, double cost,
                                           const SolverOptions& options,
                                           const WorkingSetOptions& working_set,
                                           const Context& context) {
  WarmStart* const warm = working_set.warm_start;
  if (warm != nullptr && warm->cost > 0) {
    for (std::size_t p = 0; p < programs.size(); ++p) {
      set_start(programs[p], warm->values[p], warm->products[p], cost / warm->cost);
    }
  }
  auto out = solve(source, std::move(programs), options, working_set, context);
  if (warm != nullptr) {
    *warm = {cost, {}, {}};
    for (const SharedSolution& each : out) {
      warm->values.push_back(each.solution.values);
      warm->products.push_back(each.products);
    }
  }
  return out;
}

/// The classifiers of all folds of a calibration: variables of examples held out stay at 0.
class CalibrationPrograms {
 public:
  CalibrationPrograms(const std::vector<BinaryTrainingSet>& problems,
                      const CalibrationOptions& options)
      : problems_(problems), folds_(options.folds) {
    for (const BinaryTrainingSet& problem : problems) {
      fold_of_.push_back(calibration_folds(problem, options));
    }
  }

  void add_to(std::vector<SharedProgram>& programs) {
    first_ = programs.size();
    for (std::size_t m = 0; m < problems_.size(); ++m) {
      for (std::size_t fold = 0; fold < folds_; ++fold) {
        SharedProgram program = programs[m];
        for (std::size_t i = 0; i < fold_of_[m].size(); ++i) {
          if (fold_of_[m][i] == fold) program.program.lower[i] = program.program.upper[i] = 0;
        }
        programs.push_back(std::move(program));
      }
    }
  }

  std::vector<Sigmoid> sigmoids(std::span<const SharedSolution> solutions) const {
    std::vector<Sigmoid> out;
    for (std::size_t m = 0; m < problems_.size(); ++m) {
      std::vector<double> scores;
      for (std::size_t i = 0; i < fold_of_[m].size(); ++i) {
        const SharedSolution& without = solutions[first_ + m * folds_ + fold_of_[m][i]];
        scores.push_back(without.products[i] - without.solution.multiplier);
      }
      out.push_back(fit_sigmoid(scores, problems_[m].signs));
    }
    return out;
  }

 private:
  const std::vector<BinaryTrainingSet>& problems_;
  std::size_t folds_;
  std::size_t first_ = 0;                            ///< program
  std::vector<std::vector<std::uint32_t>> fold_of_;  ///< per problem and example
};

SharedProgram whole_program(std::span<const std::uint32_t> examples, QuadraticProgram program) {
  return {{examples.begin(), examples.end()}, std::move(program)};
}

}  // namespace

CalibratedClassifiers train_classifier(KernelSource& source,
                                       std::span<const std::uint32_t> examples,
                                       const ClassLists& labels, const ClassifierOptions& options,
                                       const std::optional<CalibrationOptions>& calibration,
                                       const WorkingSetOptions& working_set,
                                       const Context& context) {
  check_source(examples, options.solver);
  check_labels(examples.size(), labels, options);
  CalibratedClassifiers out;
  out.classifiers.class_sizes = labels.class_sizes();
  out.classifiers.problems = binary_problems(labels, options.multi_class);
  std::vector<BinaryTrainingSet> problems;
  std::vector<SharedProgram> programs;
  for (const BinaryProblem& problem : out.classifiers.problems) {
    problems.push_back(training_set(labels, problem, options));
    const auto& [positions, signs, costs] = problems.back();
    SharedProgram program{{}, svc_program(signs, costs)};
    for (const std::uint32_t p : positions) program.examples.push_back(examples[p]);
    programs.push_back(std::move(program));
  }
  std::optional<CalibrationPrograms> folds;
  if (calibration) folds.emplace(problems, *calibration).add_to(programs);
  std::vector<std::vector<std::uint32_t>> trained_on;
  for (std::size_t m = 0; m < problems.size(); ++m) trained_on.push_back(programs[m].examples);
  const auto solutions = solve_for_cost(source, std::move(programs), options.cost, options.solver,
                                        working_set, context);
  for (std::size_t m = 0; m < problems.size(); ++m) {
    out.classifiers.functions.push_back(
        decision_function(Variables{trained_on[m]}, solutions[m].solution));
  }
  if (folds) out.sigmoids = folds->sigmoids(solutions);
  return out;
}

DecisionFunction train_svr(KernelSource& source, std::span<const std::uint32_t> examples,
                           std::span<const double> targets, const SvrOptions& options,
                           const WorkingSetOptions& working_set, const Context& context) {
  check_source(examples, options.solver);
  check_regression(examples.size(), targets, options);
  const auto solutions =
      solve_for_cost(source, {whole_program(examples, svr_program(targets, options))}, options.cost,
                     options.solver, working_set, context);
  return decision_function(Variables{examples}, solutions[0].solution);
}

DecisionFunction train_one_class(KernelSource& source, std::span<const std::uint32_t> examples,
                                 const OneClassOptions& options,
                                 const WorkingSetOptions& working_set, const Context& context) {
  check_source(examples, options.solver);
  check_parameters(options);
  const auto solutions =
      solve(source, {whole_program(examples, one_class_program(examples.size(), options))},
            options.solver, working_set, context);
  return decision_function(Variables{examples}, solutions[0].solution);
}

}  // namespace espalier
