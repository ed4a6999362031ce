#pragma once

#include "espalier/embed/nystroem.hpp"
#include "espalier/model/targets.hpp"
#include "espalier/model/train.hpp"

namespace espalier {

/// Empty if the learner uses no landmarks. Throws Error if they are given nevertheless.
std::optional<NystroemOptions> landmark_options(const TrainOptions& options);

/// Chooses landmarks from `data`, by the classes of its targets if the policy needs them.
Nystroem fit_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                       const NystroemOptions& options, const Context& context);

}  // namespace espalier
