#include "model/learned_kernel.hpp"

#include "espalier/base/error.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

LearnedKernel learn_kernel(const FittedKernel& kernel, const Dataset& data, const Targets& targets,
                           std::span<const std::uint32_t> examples, std::uint64_t seed) {
  if (!needs_learning(kernel)) return {kernel, {examples.begin(), examples.end()}};
  if (targets.task != Task::classification)
    throw Error("st(weight=discriminance) needs classification data");
  const ClassLists classes = targets.classes.select(examples);
  const RandomSplitOptions options{learning_fraction(kernel.kernel), 1, seed};
  const Split split = random_splits(rarest_classes(classes), options)[0];
  std::vector<std::uint32_t> first, rest;
  for (const std::uint32_t i : split.train) first.push_back(examples[i]);
  for (const std::uint32_t i : split.test) rest.push_back(examples[i]);
  return {learn_weights(kernel, data, first, classes.select(split.train)), std::move(rest)};
}

}  // namespace espalier
