#include "model/landmarks.hpp"

#include "espalier/base/error.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

std::optional<NystroemOptions> landmark_options(const TrainOptions& options) {
  const bool network = options.learner == Learner::kda;
  NystroemOptions out = options.nystroem;
  if (out.landmarks > 0 && !network && options.learner != Learner::linear) {
    throw Error("landmarks are for the learners linear and kda");
  }
  if (out.landmarks == 0 && !network) return std::nullopt;
  if (out.landmarks == 0) out.landmarks = NystroemOptions().landmarks;
  out.seed = options.seed;
  return out;
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
