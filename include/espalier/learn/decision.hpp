#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/learn/classifier.hpp"

namespace espalier {

// From decision values to classes. A classifier predicts
//     best_class(class_scores(classifiers, decision_values(classifiers, kernels)))
// where kernels[e] is K(e, x) for each row e of the training Gram matrix.

/// f(x) of each binary classifier.
std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const float> kernels);
std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const double> kernels);

/// One score per class; the predicted class has the highest. Classes without training examples have
/// minus infinity.
///
/// One-vs-rest: the decision value. Two classes with one classifier: s and -s. One-vs-one: the
/// number of pairs that the class wins, plus its summed decision values m, mapped to (-1/3, 1/3) by
/// m / 3(1 + |m|). The class with the most wins, on ties the one with the lowest number, has 1
/// more: it is the class that LIBSVM and scikit-learn's SVC predict, unless a decision value is
/// exactly 0.
std::vector<double> class_scores(const BinaryClassifiers& classifiers,
                                 std::span<const double> decision_values);

/// The class with the highest score, on ties the one with the lowest number. Throws Error if there
/// are no scores.
std::uint32_t best_class(std::span<const double> class_scores);

/// All classes with a score above the threshold, in ascending order; possibly none. For multi-label
/// data (one-vs-rest).
std::vector<std::uint32_t> classes_above(std::span<const double> class_scores,
                                         double threshold = 0);

}  // namespace espalier
