#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/learn/gram_view.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

/// How machines that separate two sides decide between many classes.
enum class MultiClass {
  one_vs_rest,  ///< a machine for each class; an example may have several classes, or none
  one_vs_one    ///< a machine for each two classes, trained on their examples: faster to train when
                ///< there are many examples, slower to apply when there are many classes
};

/// How much the errors on a class cost, beside the common cost.
enum class ClassWeights {
  equal,     ///< all the same
  balanced,  ///< both sides of a machine cost the same in sum: the positive side has the factor
             ///< negatives / positives. Between two classes the smaller one has it.
  given      ///< class_weights, each for its class; the rest in one-vs-rest has 1
};

struct ClassifierOptions {
  MultiClass multi_class = MultiClass::one_vs_rest;
  double cost = 1;  ///< C: how much an error costs against a wide margin; small is smooth
  ClassWeights weights = ClassWeights::equal;
  std::vector<double> class_weights = {};  ///< for ClassWeights::given: one above 0 for each class
  SolverOptions solver = {};
};

/// The two sides of a machine. Its score is above 0 for the positive one.
struct BinaryProblem {
  std::uint32_t positive;
  std::uint32_t negative = none;  ///< none: all examples that are not in `positive`
  friend bool operator==(const BinaryProblem&, const BinaryProblem&) = default;
};

/// A trained classifier. decision.hpp makes one score per class of it, platt.hpp probabilities.
///
/// There is a machine for each class that has examples (one-vs-rest), or for each two of them
/// (one-vs-one). Where each example has one class and only two classes have examples, both
/// strategies are the same: one machine, whose score s counts as s and -s for the two classes.
struct BinaryClassifiers {
  std::vector<std::size_t> class_sizes;     ///< examples per class; one that has none never wins
  std::vector<BinaryProblem> problems;      ///< by rising class numbers
  std::vector<DecisionFunction> functions;  ///< one for each problem
};

/// Trains the machines in parallel on one matrix; the bits do not depend on the threads. labels[i]
/// are the classes of example i of the view. A class that all examples have is always decided for.
/// O(machines * examples * iterations) time, and O(examples) memory for each thread.
BinaryClassifiers train_classifier(const GramView& view, const ClassLists& labels,
                                   const ClassifierOptions& options = {},
                                   const Context& context = {});

}  // namespace espalier
