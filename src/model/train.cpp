#include "espalier/model/train.hpp"

#include <numeric>

#include "espalier/gram/word_vectors.hpp"
#include "model/learned_kernel.hpp"
#include "model/learner.hpp"
#include "model/online_learner.hpp"

namespace espalier {

namespace {

std::vector<std::uint32_t> all_examples(const Dataset& data) {
  std::vector<std::uint32_t> out(data.size());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

/// For a kernel without weights to learn.
Model train_on_all(const Kernel& kernel, const Dataset& data, const Targets& targets,
                   const TrainOptions& options, const Context& context) {
  const PreparedLearners learners = prepare({{&kernel, 1}, data, targets, options, context});
  learners[0]->train(all_examples(data), options, context);
  return learners[0]->model(context);
}

}  // namespace

Model train(const Kernel& kernel, const Dataset& data, const TrainOptions& options,
            const Context& context) {
  check_parameters(options);
  if (data.size() == 0) throw Error("there are no examples to learn from");
  const Targets targets = make_targets(data, options.task);
  const Kernel complete = with_word_vectors(kernel, {&data});
  if (!needs_learning(complete)) return train_on_all(complete, data, targets, options, context);
  const LearnedKernel learned =
      learn_kernel(complete, data, targets, all_examples(data), options.seed);
  return train_on_all(learned.kernel, data.select(learned.examples),
                      targets.select(learned.examples), options, context);
}

void continue_training(Model& model, const Dataset& data, const TrainOptions& options,
                       const Context& context) {
  if (model.online() == nullptr) {
    throw Error("a model of " + in_quotes(model.training.learner) +
                " cannot continue training: only perceptron and pa models can");
  }
  const Targets targets = make_targets(data, model.task(), model.classes(), model.multi_label());
  learn_online(model, data, targets, options, context);
}

}  // namespace espalier
