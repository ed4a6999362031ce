#include "model/landmarks.hpp"

#include "espalier/base/error.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

void check_landmarks(const TrainOptions& options) {
  if (options.landmarks && options.learner != Learner::linear) {
    throw Error("landmarks are for the linear learner");
  }
}

Nystroem fit_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                       const NystroemOptions& options, const Context& context) {
  std::vector<std::uint32_t> classes;
  if (targets.task == Task::classes) classes = rarest_classes(targets.classes);
  Nystroem out(kernel, options);
  out.fit(data, classes, context);
  return out;
}

}  // namespace espalier
