#include "learn/calibrate.hpp"

#include <fmt/format.h>

#include "learn/folds.hpp"

namespace espalier {

namespace {

/// The examples of one binary problem, their folds, and their decision values, each from a
/// classifier trained on the other folds.
struct Calibration {
  BinaryTrainingSet problem;
  std::vector<std::uint32_t> fold_of;
  std::vector<double> scores;
};

/// Trains on all folds except one, and scores that one. Folds write to disjoint scores.
void score_fold(const TrainAndScore& train_and_score, Calibration& calibration, std::size_t fold) {
  const BinaryTrainingSet& problem = calibration.problem;
  std::vector<std::uint32_t> kept, held_out;
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    (calibration.fold_of[i] == fold ? held_out : kept).push_back(i);
  }
  if (held_out.empty()) return;
  const auto scores = train_and_score(problem.select(kept), problem.select(held_out).positions);
  for (std::size_t k = 0; k < held_out.size(); ++k) calibration.scores[held_out[k]] = scores[k];
}

}  // namespace

std::vector<std::uint32_t> calibration_folds(const BinaryTrainingSet& problem,
                                             const CalibrationOptions& options) {
  std::vector<std::uint32_t> groups;
  if (!options.groups.empty()) {
    for (const std::uint32_t p : problem.positions) groups.push_back(options.groups[p]);
  }
  return stratified_group_folds(problem.signs, groups, options.folds, options.seed);
}

std::vector<Sigmoid> fit_sigmoids(const ClassLists& labels, const ClassifierOptions& options,
                                  const CalibrationOptions& calibration,
                                  const TrainAndScore& train_and_score, const Context& context) {
  const std::size_t folds = calibration.folds;
  if (folds < 2) throw Error(fmt::format("folds = {} must be 2 or more", folds));
  std::vector<Calibration> parts;
  for (const BinaryProblem& problem : binary_problems(labels, options.multi_class)) {
    Calibration part;
    part.problem = training_set(labels, problem, options);
    part.fold_of = calibration_folds(part.problem, calibration);
    part.scores.resize(part.problem.size());
    parts.push_back(std::move(part));
  }
  const auto work = [&](std::size_t, std::size_t task) {
    score_fold(train_and_score, parts[task / folds], task % folds);
  };
  const auto cost = [&](std::size_t task) {
    const auto size = static_cast<double>(parts[task / folds].problem.size());
    return size * size;
  };
  parallel(parts.size() * folds, context, work, cost);
  std::vector<Sigmoid> out;
  out.reserve(parts.size());
  for (const Calibration& part : parts) {
    out.push_back(fit_sigmoid(part.scores, part.problem.signs));
  }
  return out;
}

std::vector<Sigmoid> calibrate(const GramView& view, const ClassLists& labels,
                               const ClassifierOptions& options,
                               const CalibrationOptions& calibration, const Context& context) {
  check_classifier(view, labels, options);
  const auto train_and_score = [&](const BinaryTrainingSet& kept,
                                   std::span<const std::uint32_t> held_out) {
    const DecisionFunction function = train(view, kept, options.solver, context);
    std::vector<double> out;
    for (const std::uint32_t p : held_out) {
      out.push_back(decision_value(function, view.gram().row(view.example(p))));
    }
    return out;
  };
  return fit_sigmoids(labels, options, calibration, train_and_score, context);
}

}  // namespace espalier
