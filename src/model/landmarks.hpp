#pragma once

#include "espalier/embed/nystroem.hpp"
#include "espalier/model/targets.hpp"
#include "espalier/model/train.hpp"

namespace espalier {

/// Throws Error if there are landmarks for a learner that has no use for them.
void check_landmarks(const TrainOptions& options);

/// Landmarks out of `data`, by the classes of its targets where the policy asks for them.
Nystroem fit_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                       const NystroemOptions& options, const Context& context);

}  // namespace espalier
