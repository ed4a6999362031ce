#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/learn/classifier.hpp"
#include "espalier/learn/feature_rows.hpp"
#include "espalier/learn/platt.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

// Support vector machines on feature vectors. The kernel is the dot product, and f(x) = w x + bias
// is kept as weights w: no Gram matrix, so that hundreds of thousands of examples are no problem.
// Options, labels and decisions are those of svm.hpp, classifier.hpp and decision.hpp.
//
// Solved by dual coordinate descent (Hsieh et al. 2008; regression: Ho & Lin 2012) with shrinking.
// An iteration is as many visits as there are examples; those put aside are not visited.
// SolverOptions::max_iterations bounds these, with 0 for 1000; DecisionFunction::converged says
// whether that was enough, which it may not be for a high cost, few features that do not separate
// the examples, or features that are not scaled to about 1. The tolerance is in units of f(x) as
// there; 0.1 is often good enough for decisions, and several times faster.

/// What an error costs, apart from C.
enum class LinearLoss {
  hinge,         ///< by how much the margin (regression: epsilon) is missed
  squared_hinge  ///< the square of it: smoother, faster to solve; coefficients may exceed C
};

struct LinearLearnerOptions {
  LinearLoss loss = LinearLoss::hinge;
  bool bias = true;        ///< a constant feature of 1 in each row, whose weight is the bias. It is
                           ///< regularised like all others, which that of train_svc() is not
  std::uint64_t seed = 0;  ///< of the order of the examples; the same on every platform
};

/// What was learnt. The machines are those of the kernel x y + 1 (x y without bias): support holds
/// the coefficients of examples, by row of the matrix, and may be cleared as the weights are all
/// that scores need.
struct LinearModel {
  BinaryClassifiers classifiers;  ///< regression: one machine, that separates nothing
  Matrix<double> weights;         ///< a row for each machine, a column for each feature
};

/// Trains the machines of train_classifier() (one-vs-rest, one-vs-one, class weights, several
/// classes for an example) in parallel on shared rows. The bits do not depend on the threads. A
/// machine that has one side only gives its sign. An Error if a feature is not finite.
/// O(machines * iterations * values) time, O(examples) memory for each thread.
LinearModel train_linear_classifier(const FeatureRows& rows, const ClassLists& labels,
                                    const ClassifierOptions& options = {},
                                    const LinearLearnerOptions& linear = {},
                                    const Context& context = {});

/// Fits numbers; errors up to epsilon cost nothing.
LinearModel train_linear_svr(const FeatureRows& rows, std::span<const double> targets,
                             const SvrOptions& options = {},
                             const LinearLearnerOptions& linear = {}, const Context& context = {});

/// f(x) of each machine (column) for each example (row): what class_scores() and
/// class_probabilities() take, a row at a time. In parallel, O(machines * values). An Error if the
/// rows do not have the columns of the weights.
Matrix<double> decision_values(const LinearModel& model, const FeatureRows& rows,
                               const Context& context = {});

/// A sigmoid for each machine of train_linear_classifier(), as calibrate() fits them.
std::vector<Sigmoid> calibrate_linear(const FeatureRows& rows, const ClassLists& labels,
                                      const ClassifierOptions& options,
                                      const LinearLearnerOptions& linear = {},
                                      const CalibrationOptions& calibration = {},
                                      const Context& context = {});

}  // namespace espalier
