#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/class_lists.hpp"

namespace espalier {

// Each struct here lists its members in fields(), which generates JSON and Python dicts.

/// Precision, recall and F1; 0 where the denominator is 0.
struct PrecisionRecall {
  double precision = 0;  ///< true positives / predicted
  double recall = 0;     ///< true positives / actual
  double f1 = 0;         ///< 2 true positives / (predicted + actual)

  void fields(auto&& field) const {
    field("precision", precision);
    field("recall", recall);
    field("f1", f1);
  }
};

/// Scores of one class against all others.
struct ClassScores {
  std::string name;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::uint64_t support = 0;  ///< examples of the class
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;

  void fields(auto&& field) const {
    field("name", name);
    field("precision", precision);
    field("recall", recall);
    field("f1", f1);
    field("support", support);
    field("true_positives", true_positives);
    field("false_positives", false_positives);
    field("false_negatives", false_negatives);
    field("true_negatives", true_negatives);
  }
};

/// All values as in scikit-learn with zero_division=0.
struct ClassificationScores {
  std::uint64_t examples = 0;
  /// Whether an example has several classes or none, in truth or prediction.
  bool multi_label = false;
  double accuracy = 0;    ///< fraction of examples whose classes are exactly the true ones
  PrecisionRecall macro;  ///< averages over `classes`
  PrecisionRecall micro;  ///< over all pairs of example and class
  /// Classes that occur in truth or prediction, by number; others would only lower the averages.
  std::vector<ClassScores> classes;
  /// Confusion matrix: examples of a class (row) by predicted class (column), in the order of
  /// `classes`. Empty if multi_label.
  std::vector<std::vector<std::uint64_t>> confusion;

  void fields(auto&& field) const {
    field("examples", examples);
    field("multi_label", multi_label);
    field("accuracy", accuracy);
    field("macro", macro);
    field("micro", micro);
    field("classes", classes);
    field("confusion", confusion);
  }
};

/// Compares predicted with true classes. A class number is an index into `names`, which contains
/// the classes of both model and data. The order of the classes of an example is ignored. Without
/// examples all scores are 0. Linear, except for the product of the lengths of the two lists of
/// each example and the square of the number of classes for `confusion`. Throws Error if the
/// numbers of examples differ, or if a class_count() is not the number of names.
ClassificationScores evaluate_classification(const ClassLists& truth, const ClassLists& predicted,
                                             std::span<const std::string> names);

/// The same for single-label data. Also throws Error if a number has no name.
ClassificationScores evaluate_classification(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             std::span<const std::string> names);

}  // namespace espalier
