#pragma once

#include "espalier/embed/nystroem.hpp"
#include "espalier/model/targets.hpp"
#include "espalier/model/train.hpp"

namespace espalier {

/// Nothing if the learner takes no landmarks. Throws Error if there are some all the same.
std::optional<NystroemOptions> landmark_options(const TrainOptions& options);

/// Landmarks out of `data`, by the classes of its targets where the policy asks for them.
Nystroem fit_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                       const NystroemOptions& options, const Context& context);

}  // namespace espalier
