#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/learn/classifier.hpp"

namespace espalier {

/// What one machine of a classifier is trained on.
struct BinaryTrainingSet {
  std::vector<std::uint32_t> positions;  ///< of its examples in the view
  std::vector<std::int8_t> signs;        ///< 1 or -1, for each of them
  std::vector<double> costs;

  std::size_t size() const { return positions.size(); }

  /// Some of the examples, by their place in `positions`.
  BinaryTrainingSet select(std::span<const std::uint32_t> places) const;
};

/// Throws an Error unless labels and options fit each other and so many examples.
void check_labels(std::size_t examples, const ClassLists& labels, const ClassifierOptions& options);

/// Throws an Error unless a classifier can be trained from these.
void check_classifier(const GramView& view, const ClassLists& labels,
                      const ClassifierOptions& options);

/// The machines that these labels need.
std::vector<BinaryProblem> binary_problems(const ClassLists& labels, MultiClass multi_class);

BinaryTrainingSet training_set(const ClassLists& labels, const BinaryProblem& problem,
                               const ClassifierOptions& options);

DecisionFunction train(const GramView& view, const BinaryTrainingSet& problem,
                       const SolverOptions& options, const Context& context);

}  // namespace espalier
