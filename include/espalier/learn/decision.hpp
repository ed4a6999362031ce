#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/learn/classifier.hpp"

namespace espalier {

// From the scores of the machines to a decision. The rule of a classifier is
//     best_class(class_scores(machines, decision_values(machines, kernels)))
// where kernels[e] is K(e, x) for each row e of the Gram matrix that it was trained on.

/// f(x) of each machine.
std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const float> kernels);
std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const double> kernels);

/// One score for each class; the best class has the highest. A class that had no example in
/// training has minus infinity.
///
/// One-vs-rest: the score of its machine. Two classes with one machine: s and -s. One-vs-one: in
/// how many pairs the class won, plus the sum m of its margins brought to (-1/3, 1/3) by
/// m / 3(1 + |m|). The class with the most wins, of several the one with the lowest number, has 1
/// more: it is the one that libsvm and scikit-learn's SVC decide for, unless a
/// score is exactly 0.
std::vector<double> class_scores(const BinaryClassifiers& classifiers,
                                 std::span<const double> decision_values);

/// The class with the highest score; of several the one with the lowest number. An Error if there
/// are no scores.
std::uint32_t best_class(std::span<const double> class_scores);

/// All classes with a score above the threshold, rising; possibly none. For examples that may have
/// several classes (one-vs-rest).
std::vector<std::uint32_t> classes_above(std::span<const double> class_scores,
                                         double threshold = 0);

}  // namespace espalier
