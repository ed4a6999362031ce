#include "espalier/model/model.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
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

std::string Predictions::label(std::size_t example) const {
  if (task == Task::regression) return print_number(scores(example, 0));
  if (task == Task::one_class) return scores(example, 0) < 0 ? "-1" : "1";
  std::string out;
  for (const std::uint32_t c : classes[example]) out += (out.empty() ? "" : " ") + class_names[c];
  return out;
}

bool has_probabilities(const Model& model) { return model.softmax || !model.sigmoids.empty(); }

Predictions decide(const Model& model, const Matrix<double>& decision_values) {
  Predictions out;
  out.task = model.task;
  out.class_names = model.classes;
  const std::size_t count = decision_values.rows();
  if (model.task != Task::classification) {
    out.scores = Matrix<double>(count, 1);
    for (std::size_t i = 0; i < count; ++i) out.scores(i, 0) = decision_values(i, 0);
    return out;
  }
  out.scores = Matrix<double>(count, model.classes.size());
  if (has_probabilities(model)) out.probabilities = Matrix<double>(count, model.classes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto scores = class_scores(model.classifiers, decision_values.row(i));
    std::ranges::copy(scores, out.scores.row(i).begin());
    out.classes.push_back(model.multi_label ? classes_above(scores)
                                            : std::vector{best_class(scores)});
    if (!has_probabilities(model)) continue;
    const auto probabilities = model.softmax
                                   ? softmax(scores)
                                   : class_probabilities(model.classifiers, model.sigmoids,
                                                         decision_values.row(i), model.multi_label);
    std::ranges::copy(probabilities, out.probabilities.row(i).begin());
  }
  return out;
}

Matrix<double> decision_values(const Model& model, const Dataset& data, const Context& context) {
  Matrix<double> out = model.functions(data, context);
  if (model.landmarks) out = (*model.landmarks)(out, context);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t m = 0; m < out.columns(); ++m)
      out(i, m) += model.classifiers.functions[m].bias;
  }
  return out;
}

Predictions predict(const Model& model, const Dataset& data, const Context& context) {
  return decide(model, decision_values(model, data, context));
}

}  // namespace espalier
