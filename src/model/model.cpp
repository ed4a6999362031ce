#include "espalier/model/model.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "espalier/learn/decision.hpp"
#include "espalier/model/word_vectors.hpp"

namespace espalier {

namespace {

std::vector<double> softmax(std::vector<double> scores) {
  const double highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - highest);
  for (double& score : scores) score /= sum;
  return scores;
}

auto functions_of(auto& decision) {
  if (auto* one = std::get_if<Regression>(&decision)) return std::span(&one->function, 1);
  if (auto* one = std::get_if<OneClass>(&decision)) return std::span(&one->function, 1);
  return std::span(std::get<Classification>(decision).classifiers.functions);
}

}  // namespace

std::string Predictions::label(std::size_t example) const {
  if (task == Task::regression) return print_number(scores(example, 0));
  if (task == Task::one_class) return scores(example, 0) < 0 ? "-1" : "1";
  std::string out;
  for (const std::uint32_t c : classes[example]) out += (out.empty() ? "" : " ") + class_names[c];
  return out;
}

std::span<DecisionFunction> decision_functions(Decision& decision) {
  return functions_of(decision);
}
std::span<const DecisionFunction> decision_functions(const Decision& decision) {
  return functions_of(decision);
}

const std::vector<std::string>& Model::classes() const {
  static const std::vector<std::string> none_known;
  const auto* found = std::get_if<Classification>(&decision);
  return found != nullptr ? found->classes : none_known;
}

bool Model::multi_label() const {
  const auto* found = std::get_if<Classification>(&decision);
  return found != nullptr && found->multi_label;
}

bool has_probabilities(const Model& model) {
  const auto* found = std::get_if<Classification>(&model.decision);
  return found != nullptr && found->probabilities.index() != 0;
}

Predictions decide(const Decision& decision, const Matrix<double>& decision_values) {
  Predictions out;
  out.task = static_cast<Task>(decision.index());
  const std::size_t count = decision_values.rows();
  const auto* by = std::get_if<Classification>(&decision);
  if (by == nullptr) {
    out.scores = Matrix<double>(count, 1);
    for (std::size_t i = 0; i < count; ++i) out.scores(i, 0) = decision_values(i, 0);
    return out;
  }
  out.class_names = by->classes;
  out.scores = Matrix<double>(count, by->classes.size());
  const auto* sigmoids = std::get_if<std::vector<Sigmoid>>(&by->probabilities);
  const bool likely = by->probabilities.index() != 0;
  if (likely) out.probabilities = Matrix<double>(count, by->classes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto values = decision_values.row(i);
    const auto scores = class_scores(by->classifiers, values);
    std::ranges::copy(scores, out.scores.row(i).begin());
    out.classes.push_back(by->multi_label ? classes_above(scores)
                                          : std::vector{best_class(scores)});
    if (!likely) continue;
    const auto probabilities = sigmoids == nullptr ? softmax(scores)
                                                   : class_probabilities(by->classifiers, *sigmoids,
                                                                         values, by->multi_label);
    std::ranges::copy(probabilities, out.probabilities.row(i).begin());
  }
  return out;
}

namespace {

/// `functions` are those of the model, with the words of the data. Not called for fragments.
template <class Functions>
Matrix<double> values_by(const Model& model, Functions&& functions, const Dataset& data,
                         const Context& context) {
  const FragmentScores* fragments = model.fragments();
  Matrix<double> out =
      fragments != nullptr ? (*fragments)(data, context) : functions()(data, context);
  if (const LandmarkScores* scores = model.landmarks()) out = (*scores)(out, context);
  const auto by = decision_functions(model.decision);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t m = 0; m < out.columns(); ++m) out(i, m) += by[m].bias;
  }
  return out;
}

}  // namespace

Matrix<double> decision_values(const Model& model, const Dataset& data, const Context& context) {
  const auto functions = [&] { return with_words_of(data, model.functions, model.word_files); };
  return values_by(model, functions, data, context);
}

Predictions predict(const Model& model, const KernelFunctions& functions, const Dataset& data,
                    const Context& context) {
  const auto given = [&]() -> const KernelFunctions& { return functions; };
  return decide(model.decision, values_by(model, given, data, context));
}

Predictions predict(const Model& model, const Dataset& data, const Context& context) {
  return decide(model.decision, decision_values(model, data, context));
}

}  // namespace espalier
