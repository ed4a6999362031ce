#include <fmt/format.h>

#include "espalier/learn/platt.hpp"
#include "learn/binary_problem.hpp"
#include "learn/folds.hpp"

namespace espalier {

namespace {

/// The examples of one machine, dealt to folds, and their scores from the machines of the others.
struct Calibration {
  BinaryProblem problem;
  std::vector<std::uint32_t> fold_of;
  std::vector<double> scores;
};

/// Trains on all folds but one, and scores that one. Folds write to different scores.
void score_fold(const GramView& view, Calibration& calibration, std::size_t fold,
                const SolverOptions& options, const Context& context) {
  const BinaryProblem& problem = calibration.problem;
  std::vector<std::uint32_t> kept, held_out;
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    (calibration.fold_of[i] == fold ? held_out : kept).push_back(i);
  }
  if (held_out.empty()) return;
  const Machine machine = train(view, problem.select(kept), options, context);
  for (const std::uint32_t i : held_out) {
    const auto kernels = view.gram().row(view.example(problem.positions[i]));
    calibration.scores[i] = score(machine, kernels);
  }
}

}  // namespace

std::vector<Sigmoid> calibrate(const GramView& view, const ClassLists& labels,
                               const ClassifierOptions& options,
                               const CalibrationOptions& calibration, const Context& context) {
  check_classifier(view, labels, options);
  const std::size_t folds = calibration.folds;
  if (folds < 2) throw Error(fmt::format("folds = {} must be 2 or more", folds));
  std::vector<Calibration> parts;
  for (const Separation& separation : separations_of(labels, options.multi_class)) {
    Calibration part;
    part.problem = problem_of(labels, separation, options);
    part.fold_of = stratified_folds(part.problem.signs, folds, calibration.seed);
    part.scores.resize(part.problem.size());
    parts.push_back(std::move(part));
  }
  const auto work = [&](std::size_t, std::size_t task) {
    score_fold(view, parts[task / folds], task % folds, options.solver, context);
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

}  // namespace espalier
