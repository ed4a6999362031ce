#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/learn/classifier.hpp"

namespace espalier {

/// The training set of one binary classifier.
struct BinaryTrainingSet {
  std::vector<std::uint32_t> positions;  ///< of the examples in the view
  std::vector<std::int8_t> signs;        ///< 1 or -1, for each of them
  std::vector<double> costs;

  std::size_t size() const { return positions.size(); }

  /// A subset, by indices into `positions`.
  BinaryTrainingSet select(std::span<const std::uint32_t> places) const;
};

/// Throws Error unless labels, options and the number of examples are consistent.
void check_labels(std::size_t examples, const ClassLists& labels, const ClassifierOptions& options);

/// Throws Error unless a classifier can be trained on these.
void check_classifier(const GramView& view, const ClassLists& labels,
                      const ClassifierOptions& options);

/// The binary problems of these labels.
std::vector<BinaryProblem> binary_problems(const ClassLists& labels, MultiClass multi_class);

BinaryTrainingSet training_set(const ClassLists& labels, const BinaryProblem& problem,
                               const ClassifierOptions& options);

DecisionFunction train(const GramView& view, const BinaryTrainingSet& problem,
                       const SolverOptions& options, const Context& context);

}  // namespace espalier
