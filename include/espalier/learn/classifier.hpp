#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/learn/gram_view.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

/// How binary classifiers are combined for several classes.
enum class MultiClass {
  one_vs_rest,  ///< one for each class; supports multi-label data
  one_vs_one    ///< one for each pair of classes, trained on their examples: faster training with
                ///< many examples, slower prediction with many classes
};
constexpr std::array<const char*, 2> names_of(MultiClass) { return {"one-vs-rest", "one-vs-one"}; }

/// Factors on the cost of errors, by class.
enum class ClassWeights {
  equal,     ///< 1 for all classes
  balanced,  ///< negatives / positives for the positive class, so that both classes of a binary
             ///< problem cost the same in total; for a pair, the smaller class has the factor
  given      ///< class_weights; 1 for the rest in one-vs-rest
};

struct ClassifierOptions {
  MultiClass multi_class = MultiClass::one_vs_rest;
  double cost = 1;  ///< C: cost of an error against a wide margin; small values regularise more
  ClassWeights weights = ClassWeights::equal;
  std::vector<double> class_weights = {};  ///< for ClassWeights::given: positive, one per class
  /// Further factors on the cost, by example: positive, one each; empty: 1.
  std::vector<double> example_weights = {};
  SolverOptions solver = {};

  static void describe(auto& self, auto&& field) {
    describe_cost(self.cost, field);
    field("multi_class", self.multi_class,
          "one binary classifier for each class, or for each pair of classes");
    SolverOptions::describe(self.solver, field);
  }
};

/// The classes that a binary classifier separates. Decision values are positive for `positive`.
struct BinaryProblem {
  std::uint32_t positive;
  std::uint32_t negative = none;  ///< none: all other classes (one-vs-rest)
  friend bool operator==(const BinaryProblem&, const BinaryProblem&) = default;
};

/// A trained multi-class classifier: decision.hpp computes class scores from its decision values,
/// platt.hpp probabilities.
///
/// There is a binary classifier for each class with examples (one-vs-rest), or for each pair of
/// them (one-vs-one). For single-label data with two classes both strategies train a single
/// classifier, whose decision value s gives the scores s and -s. Regression and one-class models
/// have one function and no problem.
struct BinaryClassifiers {
  std::vector<std::size_t>
      class_sizes;  ///< examples per class; classes without examples are never predicted
  std::vector<BinaryProblem> problems;      ///< ordered by class number
  std::vector<DecisionFunction> functions;  ///< one per problem
};

/// Trains all binary classifiers in parallel on one matrix; the bits do not depend on the number of
/// threads. labels[i] are the classes of example i of the view. A class that all examples have is
/// always predicted. O(classifiers * examples * iterations) time, O(examples) memory per thread.
BinaryClassifiers train_classifier(const GramView& view, const ClassLists& labels,
                                   const ClassifierOptions& options = {},
                                   const Context& context = {});

}  // namespace espalier
