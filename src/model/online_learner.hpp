#pragma once

#include "espalier/model/train.hpp"

namespace espalier {

/// Learns from the examples one at a time. The classes of `targets` start with those of the model.
void learn_online(Model& model, const Dataset& data, const Targets& targets,
                  const TrainOptions& options, const Context& context);

}  // namespace espalier
