#include "espalier/model/train.hpp"

#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/engine/discriminance.hpp"
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
  bool weights = false;     ///< whether examples can have weights
  bool solvers = false;     ///< whether it can do without the Gram matrix that it usually has
  bool landmarks = false;   ///< whether it can use landmarks
  bool fragments = false;   ///< whether it can use fragments as features
  bool validation = false;  ///< whether it stops early
  bool online = false;      ///< whether training can continue, with classes that are new then
};

LearnerRow row_of(Learner learner) {
  switch (learner) {
    case Learner::svm:
      return {.prepare = prepare_svm, .weights = true, .solvers = true};
    case Learner::linear:
      return {.prepare = prepare_linear, .weights = true, .landmarks = true, .fragments = true};
    case Learner::kda:
      return {.prepare = prepare_kda, .landmarks = true, .validation = true};
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

/// The same with a validation set.
Model train_validated(const FittedKernel& kernel, const Dataset& data, const Dataset& validation,
                      const TrainOptions& options, const Context& context) {
  if (!stops_early(options)) {
    throw Error(std::string("a validation set is for early stopping, which is for kda, not for ") +
                name_of(options.learner) + ": tune selects settings by one");
  }
  if (needs_learning(kernel)) {
    throw Error("a kernel that learns weights is trained without a validation set");
  }
  Dataset all = data;
  all.append(validation);
  const Targets targets = training_targets(all, options);
  const std::size_t classes = training_targets(data, options).names.size();
  if (targets.names.size() > classes) {
    throw Error("the validation set has a class that the training set lacks");
  }
  const FittedKernel complete = load_word_vectors(kernel, {&all});
  const PreparedLearners learners = prepare({{&complete, 1}, all, targets, options, context});
  std::vector<std::uint32_t> last(validation.size());
  std::iota(last.begin(), last.end(), static_cast<std::uint32_t>(data.size()));
  learners[0]->validate_on(last);
  learners[0]->train(all_examples(data), options, context);
  Model out = learners[0]->model(context);
  out.training.examples = data.size();
  return out;
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

bool stops_early(const TrainOptions& options) { return row_of(options.learner).validation; }

Targets training_targets(const Dataset& data, const TrainOptions& options) {
  Targets out = make_targets(data, options.task);
  const bool single = out.task == Task::classification && out.names.size() == 1;
  if (single && !out.multi_label() && !row_of(options.learner).online) {
    throw Error(
        "there is only one class: classification needs at least two; novelty detection is --task "
        "one-class");
  }
  if (!options.sample_weight.empty()) {
    if (!row_of(options.learner).weights || out.task == Task::one_class) {
      throw Error("sample_weight is for classification and regression by svm and linear");
    }
    if (options.sample_weight.size() != data.size()) {
      throw Error("sample_weight has " + counted(options.sample_weight.size(), "number") + " for " +
                  counted(data.size(), "example"));
    }
    out.weights = options.sample_weight;
  }
  return out;
}

Model train(const FittedKernel& kernel, const Dataset& data, const TrainOptions& options,
            const Context& context, const Interruption& interruption, const Dataset* validation) {
  check_parameters(options);
  if (data.size() == 0) throw Error("there are no examples to learn from");
  if (validation != nullptr) {
    Model out = train_validated(kernel, data, *validation, options, context);
    out.provenance = provenance(data, options);
    return out;
  }
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
