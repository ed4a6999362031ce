#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/class_lists.hpp"

namespace espalier {

// Each struct here lists its members in fields(), from which JSON and Python dicts are made.

/// How well classes are found. Where nothing is to be divided by, a value is 0.
struct PrecisionRecall {
  double precision = 0;  ///< share of what was predicted that is right
  double recall = 0;     ///< share of what is true that was predicted
  double f1 = 0;         ///< 2 right / (true + predicted): the harmonic mean of the two for a class

  void fields(auto&& field) const {
    field("precision", precision);
    field("recall", recall);
    field("f1", f1);
  }
};

/// One class against all others.
struct ClassScores {
  std::string name;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::uint64_t support = 0;  ///< examples that are of the class
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

/// All values are those of scikit-learn with zero_division=0.
struct ClassificationScores {
  std::uint64_t examples = 0;
  /// Whether some example has several classes or none, in truth or in prediction.
  bool multi_label = false;
  double accuracy = 0;    ///< share of examples whose classes are exactly the true ones
  PrecisionRecall macro;  ///< means over `classes`; its f1 is the mean of theirs
  PrecisionRecall micro;  ///< of all pairs of example and class
  /// Those that occur in truth or prediction, by number. A class that occurs in neither would only
  /// pull the means down.
  std::vector<ClassScores> classes;
  /// How many examples of a class (row) were predicted as which (column), both as in `classes`.
  /// Empty if multi_label.
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

/// Compares predicted classes with the true ones, example by example. A class number is a place in
/// `names`, which holds the classes of the model and those of the data together: either may have
/// some that the other lacks. The order of the classes of an example does not matter. Without
/// examples all scores are 0. Linear, but for the product of the lengths of the two lists of each
/// example and the square of the number of classes in `confusion`. Throws Error if the numbers of
/// examples differ, or if the class_count() of either is not the number of names.
ClassificationScores evaluate_classification(const ClassLists& truth, const ClassLists& predicted,
                                             std::span<const std::string> names);

/// The same where each example has one class. Throws Error also if a number has no name.
ClassificationScores evaluate_classification(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             std::span<const std::string> names);

}  // namespace espalier
