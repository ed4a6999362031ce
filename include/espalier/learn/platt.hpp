#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/learn/classifier.hpp"

namespace espalier {

// Probabilities from scores (Platt 2000). A score says on which side of the margin an example is,
// not how often such examples are positive; a sigmoid, fitted on examples that the machine was not
// trained on, does.

/// p(positive | f) = 1 / (1 + exp(slope * f + offset)): A and B in the paper.
struct Sigmoid {
  double slope = -1;
  double offset = 0;
  friend bool operator==(const Sigmoid&, const Sigmoid&) = default;
};

double probability(const Sigmoid& sigmoid, double score);

/// The sigmoid of the highest likelihood for these scores and signs (above 0 is positive), by
/// Newton's method (Lin, Lin & Weng 2007). The targets are Platt's (N+ + 1)/(N+ + 2) and
/// 1/(N- + 2), so that perfectly separated scores do not give certainties. O(scores).
Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const std::int8_t> signs);

struct CalibrationOptions {
  std::size_t folds = 5;   ///< at least 2: training takes this many times longer
  std::uint64_t seed = 0;  ///< how examples are dealt to the folds; the same on every platform
};

/// A sigmoid for each machine of train_classifier() with the same arguments, fitted on scores from
/// cross-validation: both sides are dealt evenly to the folds.
std::vector<Sigmoid> calibrate(const GramView& view, const ClassLists& labels,
                               const ClassifierOptions& options,
                               const CalibrationOptions& calibration = {},
                               const Context& context = {});

/// The probability of each class; 0 for one that had no example in training. One-vs-rest: the
/// sigmoids, made to sum up to 1 unless examples may have several classes (`multi_label`).
/// One-vs-one: couple_pairs() of the sigmoids.
std::vector<double> class_probabilities(const BinaryClassifiers& classifiers,
                                        std::span<const Sigmoid> sigmoids,
                                        std::span<const double> decision_values,
                                        bool multi_label = false);

/// The probabilities p of all classes, of sum 1, that fit the probabilities of pairs best:
/// pairs(i, j) is that of i given that it is i or j, and pairs(j, i) = 1 - pairs(i, j). Minimises
/// the sum of (pairs(j, i) p_i - pairs(i, j) p_j)^2 (Wu, Lin & Weng 2004, their second method).
/// The diagonal is not read. O(classes^2) an iteration.
std::vector<double> couple_pairs(const Matrix<double>& pairs);

}  // namespace espalier
