#include "model/score_weights.hpp"

#include <algorithm>

#include "espalier/base/error.hpp"

namespace espalier {

std::uint32_t class_number(const Model& model, const std::string& name) {
  const std::vector<std::string>& classes = model.classes();
  if (classes.empty() && name.empty()) return 0;
  const auto found = std::ranges::find(classes, name);
  if (found != classes.end()) return static_cast<std::uint32_t>(found - classes.begin());
  const std::vector<std::string_view> known(classes.begin(), classes.end());
  throw Error(classes.empty()
                  ? "the model has no classes"
                  : "the model has no class " + in_quotes(name) + did_you_mean(name, known));
}

std::vector<double> classifier_weights(const Model& model, std::uint32_t c) {
  const auto* decision = std::get_if<Classification>(&model.decision);
  if (decision == nullptr) return {1};
  std::vector<double> out(decision->classifiers.problems.size(), 0.0);
  for (std::size_t m = 0; m < out.size(); ++m) {
    const BinaryProblem& sides = decision->classifiers.problems[m];
    if (sides.positive == c) out[m] = 1;
    if (sides.negative == c) out[m] = -1;
  }
  return out;
}

std::vector<double> linear_weights(const Model& model, std::uint32_t c) {
  std::vector<double> classifiers = classifier_weights(model, c);
  const LandmarkScores* landmarks = model.landmarks();
  if (landmarks == nullptr) return classifiers;
  if (std::ranges::any_of(landmarks->network.layers, &DenseLayer<float>::rectified)) {
    throw Error(
        "the scores of a network are no sums over fragments: `espalier explain` lists the "
        "fragments of single decisions");
  }
  // A linear function is known by its values for unit vectors and for 0.
  const std::size_t size = landmarks->landmarks.size();
  Matrix<double> units(size + 1, size);
  std::fill_n(units.data(), (size + 1) * size, 0.0);
  for (std::size_t l = 0; l < size; ++l) units(l, l) = 1;
  const Matrix<double> values = (*landmarks)(units);
  std::vector<double> out(size, 0.0);
  for (std::size_t l = 0; l < size; ++l) {
    for (std::size_t m = 0; m < classifiers.size(); ++m) {
      out[l] += classifiers[m] * (values(l, m) - values(size, m));
    }
  }
  return out;
}

Matrix<double> score_matrix(const Model& model) {
  const std::size_t classes = std::max<std::size_t>(1, model.classes().size());
  Matrix<double> out(classes, linear_weights(model, 0).size());
  for (std::uint32_t c = 0; c < classes; ++c) {
    std::ranges::copy(linear_weights(model, c), out.row(c).begin());
  }
  return out;
}

std::vector<std::uint32_t> scored_classes(const Model& model) {
  const auto* decision = std::get_if<Classification>(&model.decision);
  if (decision == nullptr) return {0};
  std::vector<std::uint32_t> out;
  const auto& problems = decision->classifiers.problems;
  for (std::uint32_t c = 0; c < decision->classes.size(); ++c) {
    const bool opposite = problems.size() == 1 && problems[0].negative == c;
    const bool scored = std::ranges::any_of(problems, [&](const BinaryProblem& sides) {
      return sides.positive == c || sides.negative == c;
    });
    if (scored && !opposite) out.push_back(c);
  }
  return out;
}

}  // namespace espalier
