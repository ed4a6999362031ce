#pragma once

#include <array>
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

// Linear support vector machines on feature vectors. The kernel is the dot product, and
// f(x) = w x + bias is stored as weights w. There is no Gram matrix, so hundreds of thousands of
// examples are no problem. Options, labels and decisions as in svm.hpp, classifier.hpp and
// decision.hpp.
//
// Solved by dual coordinate descent (Hsieh et al. 2008; regression: Ho & Lin 2012) with shrinking.
// An iteration visits as many examples as there are; shrunk ones are skipped.
// SolverOptions::max_iterations limits them (0: 1000). DecisionFunction::converged may be false for
// a high cost, few features that do not separate the examples, or features not scaled to about 1.
// The tolerance is in units of f(x); 0.1 is often enough for decisions, and several times faster.

/// Loss of an error, before multiplication by C.
enum class LinearLoss {
  hinge,         ///< distance to the margin (regression: beyond epsilon)
  squared_hinge  ///< its square: smoother, faster to solve; coefficients may exceed C
};
constexpr std::array<const char*, 2> names_of(LinearLoss) { return {"hinge", "squared_hinge"}; }

struct LinearLearnerOptions {
  LinearLoss loss = LinearLoss::hinge;
  bool bias = true;        ///< add a constant feature of 1, whose weight is the bias. Unlike that
                           ///< of train_svc(), it is regularised
  std::uint64_t seed = 0;  ///< random seed of the order of examples; the same on every platform
};

/// A trained model. The classifiers are those of the kernel x y + 1 (x y without bias). Their
/// support vectors refer to rows of the matrix and may be cleared: decision values need the weights
/// only.
struct LinearModel {
  BinaryClassifiers classifiers;  ///< regression: one function, no problem
  Matrix<double> weights;         ///< a row per function, a column per feature
};

/// Trains the binary classifiers of train_classifier() (one-vs-rest, one-vs-one, class weights,
/// multi-label) in parallel on shared rows. The bits do not depend on the number of threads. If all
/// examples of a problem have the same sign, f is that sign. Throws Error if a feature is not
/// finite. O(classifiers * iterations * values) time, O(examples) memory per thread.
LinearModel train_linear_classifier(const FeatureRows& rows, const ClassLists& labels,
                                    const ClassifierOptions& options = {},
                                    const LinearLearnerOptions& linear = {},
                                    const Context& context = {});

/// Epsilon-SVR: errors up to epsilon cost nothing.
LinearModel train_linear_svr(const FeatureRows& rows, std::span<const double> targets,
                             const SvrOptions& options = {},
                             const LinearLearnerOptions& linear = {}, const Context& context = {});

/// f(x) of each function (column) for each example (row), the input of class_scores() and
/// class_probabilities(). In parallel, O(functions * values). Throws Error if the rows do not have
/// the columns of the weights.
Matrix<double> decision_values(const LinearModel& model, const FeatureRows& rows,
                               const Context& context = {});

/// A sigmoid for each binary classifier of train_linear_classifier(), as fitted by calibrate().
std::vector<Sigmoid> calibrate_linear(const FeatureRows& rows, const ClassLists& labels,
                                      const ClassifierOptions& options,
                                      const LinearLearnerOptions& linear = {},
                                      const CalibrationOptions& calibration = {},
                                      const Context& context = {});

}  // namespace espalier
