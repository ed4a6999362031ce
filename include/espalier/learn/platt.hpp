#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/learn/classifier.hpp"

namespace espalier {

// Platt scaling: probabilities from decision values (Platt 2000). A sigmoid maps decision values to
// probabilities; it is fitted on examples that the classifier was not trained on.

/// p(positive | f) = 1 / (1 + exp(slope * f + offset)): A and B in the paper.
struct Sigmoid {
  double slope = -1;
  double offset = 0;
  friend bool operator==(const Sigmoid&, const Sigmoid&) = default;
};

double probability(const Sigmoid& sigmoid, double score);

/// Fits a sigmoid to decision values and signs by maximum likelihood, with Newton's method (Lin,
/// Lin & Weng 2007). The targets are Platt's (N+ + 1)/(N+ + 2) and 1/(N- + 2), so that perfectly
/// separated values do not give probabilities of 0 and 1. O(scores).
Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const std::int8_t> signs);

struct CalibrationOptions {
  std::size_t folds = 5;   ///< at least 2: training takes this many times longer
  std::uint64_t seed = 0;  ///< random seed of the folds; the same on every platform
  /// Per example: those with the same number are in the same fold, so that none is scored by a
  /// classifier trained on its duplicate. Empty: each example alone.
  std::vector<std::uint32_t> groups = {};
};

/// A sigmoid for each binary classifier of train_classifier() with the same arguments, fitted to
/// decision values from stratified cross-validation.
std::vector<Sigmoid> calibrate(const GramView& view, const ClassLists& labels,
                               const ClassifierOptions& options,
                               const CalibrationOptions& calibration = {},
                               const Context& context = {});

/// The probability of each class; 0 for classes without training examples. One-vs-rest: the
/// sigmoids, normalised to sum to 1 unless `multi_label`. One-vs-one: couple_pairs() of the
/// sigmoids.
std::vector<double> class_probabilities(const BinaryClassifiers& classifiers,
                                        std::span<const Sigmoid> sigmoids,
                                        std::span<const double> decision_values,
                                        bool multi_label = false);

/// Pairwise coupling: the class probabilities p, with sum 1, that best fit pairwise probabilities.
/// pairs(i, j) is the probability of i given i or j, and pairs(j, i) = 1 - pairs(i, j). Minimises
/// the sum of (pairs(j, i) p_i - pairs(i, j) p_j)^2 (Wu, Lin & Weng 2004, second method). The
/// diagonal is ignored. O(classes^2) per iteration.
std::vector<double> couple_pairs(const Matrix<double>& pairs);

}  // namespace espalier
