#include "model/landmarks.hpp"

#include "espalier/base/error.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

std::optional<NystroemOptions> landmark_options(const TrainOptions& options) {
  if (options.landmarks && options.learner != Learner::linear && options.learner != Learner::kda) {
    throw Error("landmarks are for the learners linear and kda");
  }
  if (!options.landmarks && options.learner == Learner::kda) {
    return NystroemOptions{.seed = options.seed};
  }
  return options.landmarks;
}

Nystroem fit_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                       const NystroemOptions& options, const Context& context) {
  std::vector<std::uint32_t> classes;
  if (targets.task == Task::classification) classes = rarest_classes(targets.classes);
  Nystroem out(kernel, options);
  out.fit(data, classes, context);
  return out;
}

}  // namespace espalier
