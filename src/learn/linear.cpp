#include "espalier/learn/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "learn/calibrate.hpp"
#include "learn/coordinate_descent.hpp"
#include "learn/row_products.hpp"
#include "learn/training.hpp"

namespace espalier {

namespace {

void check_rows(const FeatureRows& rows, const SolverOptions& options) {
  if (rows.size() == 0) throw Error("there are no examples to learn from");
  check_parameters(options);
  rows.check_finite();
}

/// Training settings of a binary classifier.
struct Settings {
  const SolverOptions& solver;
  const LinearLearnerOptions& linear;
  const Context& context;
};

DecisionFunction train(const DescentRows& rows, const BinaryTrainingSet& problem,
                       const Settings& settings, std::span<double> weights) {
  const auto& signs = problem.signs;
  // A calibration fold may leave no training example.
  if (signs.empty() || std::ranges::find(signs, -signs.front()) == signs.end()) {
    std::ranges::fill(weights, 0.0);
    DecisionFunction out;
    out.bias = signs.empty() ? 0 : signs.front();
    return out;
  }
  return decision_function(rows.all().select(problem.positions),
                           descend(rows, problem.positions, svc_program(signs, problem.costs),
                                   settings.solver, settings.linear, weights, settings.context));
}

}  // namespace

LinearModel train_linear_classifier(const FeatureRows& rows, const ClassLists& labels,
                                    const ClassifierOptions& options,
                                    const LinearLearnerOptions& linear, const Context& context) {
  check_rows(rows, options.solver);
  check_labels(rows.size(), labels, options);
  LinearModel out;
  BinaryClassifiers& classifiers = out.classifiers;
  classifiers.class_sizes = labels.class_sizes();
  classifiers.problems = binary_problems(labels, options.multi_class);
  classifiers.functions.resize(classifiers.problems.size());
  out.weights = Matrix<double>(classifiers.functions.size(), rows.columns());
  const DescentRows descent_rows(rows, context);
  const auto work = [&](std::size_t, std::size_t m) {
    classifiers.functions[m] =
        train(descent_rows, training_set(labels, classifiers.problems[m], options),
              {options.solver, linear, context}, out.weights.row(m));
  };
  parallel(classifiers.functions.size(), context, work, [](std::size_t) { return 1.0; });
  return out;
}

LinearModel train_linear_svr(const FeatureRows& rows, std::span<const double> targets,
                             const SvrOptions& options, const LinearLearnerOptions& linear,
                             const Context& context) {
  check_rows(rows, options.solver);
  check_regression(rows.size(), targets, options);
  LinearModel out;
  out.weights = Matrix<double>(1, rows.columns());
  std::vector<std::uint32_t> positions(rows.size());
  std::iota(positions.begin(), positions.end(), 0U);
  const Solution solution =
      descend(DescentRows(rows, context), positions, svr_program(targets, options), options.solver,
              linear, out.weights.row(0), context);
  out.classifiers.functions.push_back(decision_function(rows, solution));
  return out;
}

Matrix<double> decision_values(const LinearModel& model, const FeatureRows& rows,
                               const Context& context) {
  const auto& classifiers = model.classifiers.functions;
  if (rows.columns() != model.weights.columns() || classifiers.size() != model.weights.rows()) {
    throw Error(fmt::format("there are {} x {} weights for {} decision functions and {} features",
                            model.weights.rows(), model.weights.columns(), classifiers.size(),
                            rows.columns()));
  }
  constexpr std::size_t block = 256;
  Matrix<double> out(rows.size(), classifiers.size());
  const auto work = [&](std::size_t, std::size_t task) {
    const std::size_t end = std::min(rows.size(), (task + 1) * block);
    rows.with_matrix([&](const auto& matrix) {
      for (std::size_t i = task * block; i < end; ++i) {
        for (std::size_t m = 0; m < classifiers.size(); ++m) {
          out(i, m) =
              product(matrix, rows.example(i), model.weights.row(m).data()) + classifiers[m].bias;
        }
      }
    });
  };
  parallel((rows.size() + block - 1) / block, context, work, [](std::size_t) { return 1.0; });
  return out;
}

std::vector<Sigmoid> calibrate_linear(const FeatureRows& rows, const ClassLists& labels,
                                      const ClassifierOptions& options,
                                      const LinearLearnerOptions& linear,
                                      const CalibrationOptions& calibration,
                                      const Context& context) {
  check_rows(rows, options.solver);
  check_labels(rows.size(), labels, options);
  const DescentRows descent_rows(rows, context);
  const auto train_and_score = [&](const BinaryTrainingSet& kept,
                                   std::span<const std::uint32_t> held_out) {
    std::vector<double> weights(rows.columns());
    const DecisionFunction function =
        train(descent_rows, kept, {options.solver, linear, context}, weights);
    std::vector<double> out;
    rows.with_matrix([&](const auto& matrix) {
      for (const std::uint32_t p : held_out) {
        out.push_back(product(matrix, rows.example(p), weights.data()) + function.bias);
      }
    });
    return out;
  };
  return fit_sigmoids(labels, options, calibration, train_and_score, context);
}

}  // namespace espalier
