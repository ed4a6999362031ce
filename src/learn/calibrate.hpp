#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "espalier/learn/platt.hpp"
#include "learn/binary_training_set.hpp"

namespace espalier {

/// The fold of each example of a binary problem.
std::vector<std::uint32_t> calibration_folds(const BinaryTrainingSet& problem,
                                             const CalibrationOptions& options);

/// Trains a binary classifier on some examples, and returns f(x) of others, by their positions.
using TrainAndScore = std::function<std::vector<double>(const BinaryTrainingSet& kept,
                                                        std::span<const std::uint32_t> held_out)>;

/// calibrate() for any kind of binary classifier. Calls train_and_score from many threads.
std::vector<Sigmoid> fit_sigmoids(const ClassLists& labels, const ClassifierOptions& options,
                                  const CalibrationOptions& calibration,
                                  const TrainAndScore& train_and_score, const Context& context);

}  // namespace espalier
