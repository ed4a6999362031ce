#include "espalier/model/train.hpp"

#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/gram/fingerprint.hpp"
#include "espalier/model/word_vectors.hpp"
#include "espalier/version.hpp"
#include "model/learned_kernel.hpp"
#include "model/learners.hpp"
#include "model/online_learner.hpp"

namespace espalier {

namespace {

struct LearnerRow {
  PreparedLearners (*prepare)(const Preparation&);
  bool tunable = false;
  bool cost = false;       ///< whether it has C
  bool solvers = false;    ///< whether it can do without the Gram matrix that it usually has
  bool landmarks = false;  ///< whether it can use landmarks
  bool fragments = false;  ///< whether it can use fragments as features
  bool online = false;     ///< whether training can continue, with classes that are new then
};

LearnerRow row_of(Learner learner) {
  switch (learner) {
    case Learner::svm:
      return {.prepare = prepare_svm, .tunable = true, .cost = true, .solvers = true};
    case Learner::linear:
      return {.prepare = prepare_linear,
              .tunable = true,
              .cost = true,
              .landmarks = true,
              .fragments = true};
    case Learner::kda:
      return {.prepare = prepare_kda, .tunable = true, .landmarks = true};
    case Learner::perceptron:
      return {.prepare = prepare_perceptron, .online = true};
    case Learner::passive_aggressive:
      return {.prepare = prepare_passive_aggressive, .online = true};
  }
  throw Error("there is no such learner");
}

std::vector<std::uint32_t> all_examples(const Dataset& data) {
  std::vector<std::uint32_t> out(data.size());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

/// For a kernel without weights to learn.
Model train_on_all(const FittedKernel& kernel, const Dataset& data, const Targets& targets,
                   const TrainOptions& options, const Context& context,
                   const Interruption& interruption) {
  const PreparedLearners learners =
      prepare({{&kernel, 1}, data, targets, options, context, interruption});
  learners[0]->train(all_examples(data), options, context);
  return learners[0]->model(context);
}

Provenance provenance(const Dataset& data, TrainOptions options) {
  return {version, Parameters(options).used_by(name_of(options.learner)), fingerprint(data),
          data.reading()};
}

}  // namespace

PreparedLearners prepare(const Preparation& with) {
  const LearnerRow row = row_of(with.options.learner);
  if (with.options.nystroem.landmarks > 0 && !row.landmarks) {
    throw Error("landmarks are for the learners linear and kda");
  }
  const bool fragments = with.options.fragments > 0 || with.options.hashed.hash_dim > 0;
  if (fragments && !row.fragments) {
    throw Error("fragments are features for the learner linear");
  }
  return row.prepare(with);
}

bool uses_working_set(const TrainOptions& options, std::size_t examples, const Context& context) {
  if (!row_of(options.learner).solvers) return false;
  if (options.solver != SvmSolver::automatic) return options.solver == SvmSolver::working_set;
  return !matrix_fits(examples, context);
}

Targets training_targets(const Dataset& data, const TrainOptions& options) {
  Targets out = make_targets(data, options.task);
  const bool single = out.task == Task::classification && out.names.size() == 1;
  if (single && !out.multi_label() && !row_of(options.learner).online) {
    throw Error(
        "there is only one class: classification needs at least two; novelty detection is --task "
        "one-class");
  }
  return out;
}

void check_tuning(const TrainOptions& options, std::size_t costs) {
  const LearnerRow row = row_of(options.learner);
  if (!row.tunable) throw Error("tuning is for svm, linear and kda");
  if (!row.cost && costs > 1) {
    throw Error(std::string(name_of(options.learner)) + " has no C: tune its kernels alone");
  }
}

Model train(const FittedKernel& kernel, const Dataset& data, const TrainOptions& options,
            const Context& context, const Interruption& interruption) {
  check_parameters(options);
  if (data.size() == 0) throw Error("there are no examples to learn from");
  const Targets targets = training_targets(data, options);
  const FittedKernel complete = load_word_vectors(kernel, {&data});
  const LearnedKernel learned =
      learn_kernel(complete, data, targets, all_examples(data), options.seed);
  Model model =
      learned.examples.size() == data.size()
          ? train_on_all(learned.kernel, data, targets, options, context, interruption)
          : train_on_all(learned.kernel, data.select(learned.examples),
                         targets.select(learned.examples), options, context, interruption);
  model.provenance = provenance(data, options);
  model.word_files.digests = word_file_digests(kernel);
  return model;
}

void continue_training(Model& model, const Dataset& data, const TrainOptions& options,
                       const Context& context) {
  if (model.online() == nullptr) {
    throw Error("a model of " + in_quotes(model.training.learner) +
                " cannot continue training: only perceptron and pa models can");
  }
  const Targets targets = make_targets(data, model.task(), model.classes(), model.multi_label());
  model.functions = with_words_of(data, std::move(model.functions), model.word_files);
  learn_online(model, data, targets, options, context);
}

}  // namespace espalier
