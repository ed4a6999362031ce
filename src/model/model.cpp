#include "espalier/model/model.hpp"

#include <algorithm>

#include "espalier/learn/decision.hpp"

namespace espalier {

Predictions decide(const Model& model, const Matrix<double>& machine_scores) {
  Predictions out;
  const std::size_t count = machine_scores.rows();
  if (model.task != Task::classes) {
    out.scores = Matrix<double>(count, 1);
    for (std::size_t i = 0; i < count; ++i) out.scores(i, 0) = machine_scores(i, 0);
    return out;
  }
  out.scores = Matrix<double>(count, model.classes.size());
  if (!model.sigmoids.empty()) out.probabilities = Matrix<double>(count, model.classes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto scores = class_scores(model.machines, machine_scores.row(i));
    std::ranges::copy(scores, out.scores.row(i).begin());
    out.classes.push_back(model.several_classes ? classes_above(scores)
                                                : std::vector{best_class(scores)});
    if (model.sigmoids.empty()) continue;
    const auto probabilities = class_probabilities(model.machines, model.sigmoids,
                                                   machine_scores.row(i), model.several_classes);
    std::ranges::copy(probabilities, out.probabilities.row(i).begin());
  }
  return out;
}

Predictions predict(const Model& model, const Dataset& data, const Context& context) {
  Matrix<double> scores = model.functions(data, context);
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t m = 0; m < scores.columns(); ++m) {
      scores(i, m) += model.machines.machines[m].bias;
    }
  }
  return decide(model, scores);
}

}  // namespace espalier
