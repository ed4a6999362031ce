#include "espalier/model/fragment_scores.hpp"

#include <algorithm>

#include "espalier/model/model.hpp"
#include "model/score_weights.hpp"

namespace espalier {

Matrix<double> FragmentScores::operator()(const Dataset& data, const Context& context) const {
  const SparseMatrix rows = features.transform(data, context);
  const std::size_t count = outputs();
  Matrix<double> out(rows.rows(), count);
  std::fill_n(out.data(), rows.rows() * count, 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto [columns, values] = rows.row(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const float* const weight = weights.data() + columns[k] * count;
      for (std::size_t o = 0; o < count; ++o) {
        out(i, o) += values[k] * static_cast<double>(weight[o]);
      }
    }
  }
  return out;
}

std::vector<double> FragmentScores::score_weights(std::span<const double> functions) const {
  std::vector<double> out(features.columns(), 0.0);
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (std::size_t o = 0; o < functions.size(); ++o) {
      out[c] += functions[o] * static_cast<double>(weights[c * functions.size() + o]);
    }
  }
  return out;
}

FragmentFeatures heaviest_features(const Model& model, const FragmentOptions& options,
                                   const Context& context) {
  if (model.fragments() != nullptr) {
    throw Error("the features of the model are fragments: take a model of a kernel instead");
  }
  return {model.functions, score_matrix(model), options, context, scored_classes(model)};
}

}  // namespace espalier
