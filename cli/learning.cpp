#include "learning.hpp"

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/data/labels.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "output.hpp"

namespace espalier::cli {

void LearningOptions::add_to(CLI::App& command, bool cost) {
  if (cost) {
    flags_.add_to(command, train_);
  } else {
    flags_.add_to(command, train_, {"C"});
  }
}

TrainOptions LearningOptions::options() const {
  flags_.check_use(name_of(train_.learner));
  return train_;
}

TrainOptions LearningOptions::continue_options() const {
  for (const std::string& name : flags_.given()) {
    if (name == "epochs" || name == "shuffle" || name == "seed") continue;
    throw Error(flag_of(name) + " was settled when the model was first trained: leave it out");
  }
  return train_;
}

void warn_of_labels(const Dataset& data, const TrainOptions& options) {
  const std::string warning = options.task ? "" : count_labels(data).warning();
  if (!warning.empty()) warn(warning + "; --task sets what is learned");
}

void warn_of_solver(const FittedKernel& kernel, std::size_t examples, const TrainOptions& options,
                    const Context& context) {
  if (!uses_working_set(options, examples, context) || !has_explicit_features(kernel.kernel))
    return;
  warn(
      "this svm is trained without a Gram matrix, but the kernel has explicit features: --learner "
      "linear is cheaper");
}

void tell_task(const Dataset& data, const TrainOptions& options, const WorkOptions& work) {
  if (!work.quiet) tell(to_string(make_targets(data, options.task)));
}

void SplitOptions::add_to(CLI::App& command) { flags_.add_to(command, validation_, {"seed"}); }

ValidationOptions SplitOptions::options(std::uint64_t seed) const {
  flags_.check_use(name_of(validation_.split));
  ValidationOptions out = validation_;
  out.seed = seed;
  return out;
}

}  // namespace espalier::cli
