#pragma once

#include <span>

#include "espalier/model/train.hpp"

namespace espalier {

struct NetworkMachines {
  TrainedMachines trained;  ///< a machine for each output of the network
  TrainedNetwork network;
};

/// Trains a network on some rows of vectors; `targets` are those of all rows. A part of the
/// examples, each class by its share, picks the epoch.
NetworkMachines train_network_machines(const Matrix<float>& vectors,
                                       std::span<const std::uint32_t> examples,
                                       const Targets& targets, const TrainOptions& options,
                                       const Context& context);

}  // namespace espalier
