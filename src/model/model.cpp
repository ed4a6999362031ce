#include "espalier/model/model.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/learn/decision.hpp"

namespace espalier {

namespace {

std::vector<double> softmax(std::vector<double> scores) {
  const double highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - highest);
  for (double& score : scores) score /= sum;
  return scores;
}

}  // namespace

bool has_probabilities(const Model& model) { return model.softmax || !model.sigmoids.empty(); }

Predictions decide(const Model& model, const Matrix<double>& machine_scores) {
  Predictions out;
  const std::size_t count = machine_scores.rows();
  if (model.task != Task::classes) {
    out.scores = Matrix<double>(count, 1);
    for (std::size_t i = 0; i < count; ++i) out.scores(i, 0) = machine_scores(i, 0);
    return out;
  }
  out.scores = Matrix<double>(count, model.classes.size());
  if (has_probabilities(model)) out.probabilities = Matrix<double>(count, model.classes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto scores = class_scores(model.machines, machine_scores.row(i));
    std::ranges::copy(scores, out.scores.row(i).begin());
    out.classes.push_back(model.several_classes ? classes_above(scores)
                                                : std::vector{best_class(scores)});
    if (!has_probabilities(model)) continue;
    const auto probabilities =
        model.softmax ? softmax(scores)
                      : class_probabilities(model.machines, model.sigmoids, machine_scores.row(i),
                                            model.several_classes);
    std::ranges::copy(probabilities, out.probabilities.row(i).begin());
  }
  return out;
}

Matrix<double> machine_scores(const Model& model, const Dataset& data, const Context& context) {
  Matrix<double> out = model.functions(data, context);
  if (model.landmarks) out = (*model.landmarks)(out, context);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t m = 0; m < out.columns(); ++m) out(i, m) += model.machines.machines[m].bias;
  }
  return out;
}

Predictions predict(const Model& model, const Dataset& data, const Context& context) {
  return decide(model, machine_scores(model, data, context));
}

}  // namespace espalier
