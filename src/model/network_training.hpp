#pragma once

#include <span>

#include "espalier/model/train.hpp"

namespace espalier {

struct TrainedNetworkModel {
  TrainedDecisionFunctions trained;  ///< one for each output of the network
  TrainedNetwork network;
};

/// Trains a network on some rows of vectors; `targets` are those of all rows. A stratified part of
/// the examples is the validation set.
TrainedNetworkModel train_network_model(const Matrix<float>& vectors,
                                        std::span<const std::uint32_t> examples,
                                        const Targets& targets, const TrainOptions& options,
                                        const Context& context);

}  // namespace espalier
