#pragma once

#include "espalier/model/train.hpp"

namespace espalier {

/// A model that has seen nothing yet.
Model new_online_model(const Kernel& kernel, const Targets& targets, const TrainOptions& options);

/// Learns from the examples one after the other. The classes of `targets` begin with those of the
/// model.
void learn_online(Model& model, const Dataset& data, const Targets& targets,
                  const TrainOptions& options, const Context& context);

}  // namespace espalier
