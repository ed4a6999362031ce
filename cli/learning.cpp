#include "learning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/data/labels.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "output.hpp"

namespace espalier::cli {

void LearningOptions::add_to(CLI::App& command, std::initializer_list<std::string_view> except) {
  flags_.add_to(command, train_, except);
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

std::string model_size(const Model& model) {
  if (const FragmentScores* scores = model.fragments()) {
    const auto weights = static_cast<std::uint64_t>(
        std::ranges::count_if(scores->weights, [](float weight) { return weight != 0; }));
    return counted(scores->features.columns(),
                   scores->features.hashed() ? "hashed column" : "fragment") +
           " with " + counted(weights, "weight");
  }
  const FunctionsSummary functions = model.functions.summary();
  return counted(functions.subtrees, "distinct subtree") + " with " +
         counted(functions.weights, "weight");
}

void SplitOptions::add_to(CLI::App& command) { flags_.add_to(command, validation_, {"seed"}); }

ValidationOptions SplitOptions::options(TrainOptions& training) const {
  flags_.check_use(name_of(validation_.split));
  training.grouping = validation_.grouping;
  ValidationOptions out = validation_;
  out.seed = training.seed;
  return out;
}

void tell_groups(const Dataset& data, const GroupOptions& options, const WorkOptions& work) {
  const ExampleGroups groups = example_groups(data, options);
  if (work.quiet || groups.count == data.size()) return;
  std::string text =
      fmt::format("{} in {}", counted(data.size(), "example"), counted(groups.count, "group"));
  if (groups.duplicates > 0) {
    text += fmt::format("; {} the trees of an earlier one (--no-group-duplicates splits them)",
                        groups.duplicates == 1 ? "1 has" : grouped(groups.duplicates) + " have");
  }
  tell(text);
}

void warn_of_undefined(const Metric& metric, std::size_t splits, const Spread& spread) {
  if (spread.count >= splits) return;
  warn(fmt::format("{} is not defined on {} of {} splits, which are left out", metric.name(),
                   splits - spread.count, splits));
}

}  // namespace espalier::cli
