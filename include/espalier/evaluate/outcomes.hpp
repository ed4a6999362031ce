#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/evaluate/classification.hpp"
#include "espalier/evaluate/ranking.hpp"
#include "espalier/evaluate/regression.hpp"

namespace espalier {

/// What is true and what was predicted for some examples: all that a metric depends on.
struct Outcomes {
  std::vector<std::string> classes = {};  ///< their names; empty for regression
  ClassLists truth{0};
  ClassLists predicted{0};
  /// Per example: a score for each class that the model knows, which are the first of `classes`.
  std::vector<std::vector<double>> scores = {};
  std::vector<double> true_numbers = {};  ///< regression
  std::vector<double> numbers = {};       ///< predicted, regression
  /// Per example: the group that it is ranked in, such as the question that an answer belongs to;
  /// empty if there are none.
  std::vector<std::uint32_t> groups = {};
  /// The class that F1, ROC AUC, average precision and rankings are about; none if it is not known.
  std::uint32_t positive = none;

  bool regression() const { return classes.empty(); }
  std::size_t size() const { return regression() ? true_numbers.size() : truth.size(); }
  bool multi_label() const { return !regression() && !(truth.single() && predicted.single()); }
  /// Whether the classes of an example are exactly the true ones.
  bool correct(std::size_t example) const;
  /// The score by which an example is ranked: of the positive class, or the predicted number.
  double ranking_score(std::size_t example) const;
  /// Whether an example is of the positive class, or its number above 0.
  bool relevant(std::size_t example) const;

  /// Appends the examples of another test set, whose groups are other groups. Both have the same
  /// classes, and groups or none.
  void append(const Outcomes& other);
};

/// The class called 1, +1, true, yes or relevant; none if there is not exactly one of them.
std::uint32_t usual_positive_class(std::span<const std::string> classes);

/// The number of a class. Throws Error, with the nearest name, if there is none of that name.
std::uint32_t class_named(const std::string& name, std::span<const std::string> classes);

/// Quality of predictions; the members that apply to the task are present.
struct Evaluation {
  std::optional<ClassificationScores> classification;
  std::optional<RegressionScores> regression;
  std::optional<RankingScores> ranking;

  void fields(auto&& field) const {
    if (classification) field("classification", *classification);
    if (regression) field("regression", *regression);
    if (ranking) field("ranking", *ranking);
  }
};

/// All scores of these outcomes; `ranking` if they have groups, and a positive class or numbers.
Evaluation evaluate(const Outcomes& outcomes);

}  // namespace espalier
