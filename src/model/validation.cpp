#include "espalier/model/validation.hpp"

#include <algorithm>
#include <map>

#include "espalier/embed/explicit_features.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/word_vectors.hpp"
#include "espalier/learn/linear.hpp"
#include "espalier/learn/svm.hpp"
#include "model/landmarks.hpp"
#include "model/learned_kernel.hpp"
#include "model/network_training.hpp"

namespace espalier {

namespace {

FeatureMatrix features_of(const Kernel& kernel, const Dataset& data, const Context& context) {
  ExplicitFeatures features(kernel);
  features.fit(data);
  return features.matrix(data, context);
}

/// Nystroem vectors of all examples, with landmarks from the training part of a split.
class LandmarkVectors {
 public:
  LandmarkVectors(const Kernel& kernel, const Dataset& data, const Targets& targets,
                  const NystroemOptions& options, const Context& context)
      : kernel_(kernel), data_(data), targets_(targets), options_(options), context_(context) {
    context_.progress = nullptr;
  }

  /// The vectors of split `index`, cached as long as they fit into memory.
  const FeatureMatrix& of(std::size_t index, const Split& split) {
    const auto found = kept_.find(index);
    if (found != kept_.end()) return found->second;
    const std::size_t size =
        sizeof(float) * data_.size() * std::min(options_.landmarks * options_.sets, data_.size());
    if ((kept_.size() + 1) * size > context_.memory) kept_.clear();
    return kept_.emplace(index, compute(split.train)).first->second;
  }

 private:
  Matrix<float> compute(std::span<const std::uint32_t> examples) const {
    return fit_landmarks(kernel_, data_.select(examples), targets_.select(examples), options_,
                         context_)
        .transform(data_, context_);
  }

  const Kernel& kernel_;
  const Dataset& data_;
  const Targets& targets_;
  const NystroemOptions& options_;
  Context context_;
  std::map<std::size_t, FeatureMatrix> kept_;
};

/// Data shared by all splits, or by all trials of a split.
struct Prepared {
  const Matrix<float>* kernels = nullptr;   ///< Gram matrix of all examples, for svm
  const FeatureMatrix* features = nullptr;  ///< of all examples, for linear
  LandmarkVectors* landmarks = nullptr;     ///< for linear and kda on landmarks
};

/// Trains on one part of a data set and predicts the other.
class Trial {
 public:
  Trial(const Kernel& kernel, const Dataset& data, const Targets& targets,
        const TrainOptions& options, const Prepared& prepared, const Context& context)
      : kernel_(kernel),
        data_(data),
        targets_(targets),
        options_(options),
        prepared_(prepared),
        context_(context) {
    context_.progress = nullptr;
  }

  /// `index`: number of the split.
  Predictions operator()(std::size_t index, const Split& split) const {
    if (prepared_.landmarks != nullptr) {
      return on_features(split, prepared_.landmarks->of(index, split));
    }
    if (prepared_.kernels != nullptr) return on_kernels(split, *prepared_.kernels);
    if (prepared_.features != nullptr) return on_features(split, *prepared_.features);
    const LearnedKernel learned =
        learn_kernel(kernel_, data_, targets_, split.train, options_.seed);
    const Split rest{learned.examples, split.test};
    if (options_.learner == Learner::svm) {
      return on_kernels(rest, gram<float>(learned.kernel, data_, context_));
    }
    if (const auto landmarks = landmark_options(options_)) {
      LandmarkVectors vectors(learned.kernel, data_, targets_, *landmarks, context_);
      return on_features(rest, vectors.of(index, rest));
    }
    if (options_.learner == Learner::linear) {
      return on_features(rest, features_of(learned.kernel, data_, context_));
    }
    return on_examples(rest, learned.kernel);
  }

 private:
  Predictions on_kernels(const Split& split, const Matrix<float>& kernels) const {
    TrainedDecisionFunctions trained = train_decision_functions(
        GramView(kernels, split.train), targets_.select(split.train), options_, context_);
    Matrix<double> scores(split.test.size(), trained.classifiers.functions.size());
    for (std::size_t t = 0; t < split.test.size(); ++t) {
      for (std::size_t m = 0; m < scores.columns(); ++m) {
        scores(t, m) = decision_value(trained.classifiers.functions[m], kernels.row(split.test[t]));
      }
    }
    return decided(std::move(trained), scores);
  }

  Predictions on_features(const Split& split, const FeatureMatrix& features) const {
    if (options_.learner == Learner::kda)
      return by_network(split, std::get<Matrix<float>>(features));
    const FeatureRows rows(features);
    LinearModel linear;
    TrainedDecisionFunctions trained = train_decision_functions(
        rows.select(split.train), targets_.select(split.train), options_, linear.weights, context_);
    linear.classifiers = trained.classifiers;
    return decided(std::move(trained), decision_values(linear, rows.select(split.test), context_));
  }

  Predictions by_network(const Split& split, const Matrix<float>& vectors) const {
    TrainedNetworkModel classifiers =
        train_network_model(vectors, split.train, targets_, options_, context_);
    Matrix<float> rows(split.test.size(), vectors.columns());
    for (std::size_t t = 0; t < split.test.size(); ++t) {
      std::ranges::copy(vectors.row(split.test[t]), rows.row(t).begin());
    }
    const Matrix<float> outputs = classifiers.network.network(rows, context_);
    Matrix<double> scores(outputs.rows(), outputs.columns());
    std::copy_n(outputs.data(), outputs.rows() * outputs.columns(), scores.data());
    return decided(std::move(classifiers.trained), scores);
  }

  Predictions decided(TrainedDecisionFunctions trained, const Matrix<double>& scores) const {
    Model model(kernel_);
    model.task = targets_.task;
    model.classes = targets_.names;
    model.multi_label = targets_.multi_label();
    model.classifiers = std::move(trained.classifiers);
    model.sigmoids = std::move(trained.sigmoids);
    model.softmax = trained.softmax;
    return decide(model, scores);
  }

  Predictions on_examples(const Split& split, const Kernel& kernel) const {
    // Task and multi-label are properties of the whole data set, not of a part.
    const Dataset part = data_.select(split.train);
    const Targets targets = make_targets(part, targets_.task, {}, targets_.multi_label());
    const Model model = train_learned(kernel, part, targets, options_, context_);
    Predictions out = predict(model, data_.select(split.test), context_);
    // Map class numbers of the part to those of the whole data set.
    for (auto& classes : out.classes) {
      for (std::uint32_t& c : classes) {
        c = static_cast<std::uint32_t>(std::ranges::find(targets_.names, out.class_names[c]) -
                                       targets_.names.begin());
      }
    }
    out.class_names = targets_.names;
    return out;
  }

  const Kernel& kernel_;
  const Dataset& data_;
  const Targets& targets_;
  const TrainOptions& options_;
  Prepared prepared_;
  Context context_;
};

/// True and predicted labels of some examples.
class Record {
 public:
  explicit Record(const Targets& targets)
      : targets_(targets), truth_(targets.names.size()), predicted_(targets.names.size()) {}

  void add(std::span<const std::uint32_t> examples, const Predictions& predictions) {
    for (std::size_t t = 0; t < examples.size(); ++t) {
      if (targets_.task == Task::regression) {
        true_numbers_.push_back(targets_.numbers[examples[t]]);
        numbers_.push_back(predictions.scores(t, 0));
      } else {
        truth_.add(targets_.classes[examples[t]]);
        predicted_.add(predictions.classes[t]);
      }
    }
  }
  Evaluation evaluation() const {
    Evaluation out;
    if (targets_.task == Task::regression) {
      out.regression = evaluate_regression(true_numbers_, numbers_);
    } else {
      out.classification = evaluate_classification(truth_, predicted_, targets_.names);
    }
    return out;
  }

 private:
  const Targets& targets_;
  ClassLists truth_;
  ClassLists predicted_;
  std::vector<double> true_numbers_;
  std::vector<double> numbers_;
};

Context without_progress(Context context) {
  context.progress = nullptr;
  return context;
}

void report(const Context& context, std::size_t done, std::size_t all) {
  if (context.progress) context.progress(static_cast<double>(done) / static_cast<double>(all));
}

ValidationResult run(const Trial& trial, const Targets& targets, std::span<const Split> splits,
                     SplitKind split, const Context& context,
                     const std::function<void(std::size_t, const Evaluation&)>& finished) {
  ValidationResult out;
  Record all(targets);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    const Predictions predictions = trial(s, splits[s]);
    Record one(targets);
    one.add(splits[s].test, predictions);
    all.add(splits[s].test, predictions);
    const Evaluation evaluation = one.evaluation();
    if (split != SplitKind::leave_one_out) out.splits.push_back(evaluation);
    report(context, s + 1, splits.size());
    if (finished) finished(s, evaluation);
  }
  out.pooled = all.evaluation();
  return out;
}

/// Calls visit(k, prepared) for each kernel. Computes the matrices of as many kernels of a sweep as
/// fit into memory in one pass.
template <class Visit>
void for_each_prepared(std::span<const Kernel> kernels, const Dataset& data, const Targets& targets,
                       const TrainOptions& options, const Context& context, Visit&& visit) {
  const auto landmarks = landmark_options(options);
  if (options.learner != Learner::svm) {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (needs_learning(kernels[k]) || (!landmarks && options.learner != Learner::linear)) {
        visit(k, Prepared{});
      } else if (landmarks) {
        LandmarkVectors vectors(kernels[k], data, targets, *landmarks, context);
        visit(k, Prepared{.landmarks = &vectors});
      } else {
        const FeatureMatrix features = features_of(kernels[k], data, context);
        visit(k, Prepared{.features = &features});
      }
    }
    return;
  }
  check_memory(data.size(), context);
  const std::size_t together =
      std::max<std::size_t>(1, context.memory / (4 * data.size() * data.size() + 1));
  for (std::size_t first = 0; first < kernels.size(); first += together) {
    const auto group = kernels.subspan(first, std::min(together, kernels.size() - first));
    std::vector<Kernel> fixed;
    std::ranges::remove_copy_if(group, std::back_inserter(fixed), needs_learning);
    const std::vector<Matrix<float>> matrices = gram<float>(fixed, data, context);
    auto next = matrices.begin();
    for (std::size_t k = 0; k < group.size(); ++k) {
      visit(first + k, needs_learning(group[k]) ? Prepared{} : Prepared{.kernels = &*next++});
    }
  }
}

std::vector<Split> splits_for(const Kernel& kernel, const Targets& targets, std::size_t examples,
                              ValidationOptions options) {
  if (options.equal_parts) options.train_fraction = needs_learning(kernel) ? 2.0 / 3 : 0.5;
  return make_splits(targets, examples, options);
}

Targets targets_of(const Dataset& data, const TrainOptions& options) {
  Targets out = make_targets(data, options.task);
  if (out.task == Task::one_class)
    throw Error("a one-class model cannot be cross-validated: it has no labels to predict");
  return out;
}

}  // namespace

std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options) {
  check_parameters(options);
  if (options.split == SplitKind::leave_one_out) return leave_one_out(examples);
  const std::vector<std::uint32_t> strata = targets.task == Task::classification
                                                ? rarest_classes(targets.classes)
                                                : std::vector<std::uint32_t>(examples, 0);
  if (options.split == SplitKind::random) {
    return random_splits(strata, {options.train_fraction, options.repeats, options.seed});
  }
  std::vector<Split> out;
  for (std::size_t r = 0; r < options.repeats; ++r) {
    for (Split& split : stratified_k_fold(strata, options.folds, options.seed + r)) {
      out.push_back(std::move(split));
    }
  }
  return out;
}

Spread ValidationResult::spread_of(const std::string& name) const {
  // The same metric for all: a split may lack multi-label examples by chance.
  const std::string same = metric(pooled, name).name;
  std::vector<double> values;
  for (const Evaluation& evaluation : splits) values.push_back(metric(evaluation, same).value);
  if (splits.empty()) values.push_back(metric(pooled, same).value);
  return spread(values);
}

ValidationResult cross_validate(
    const Kernel& kernel, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context,
    const std::function<void(std::size_t, const Evaluation&)>& finished) {
  const Kernel complete = with_word_vectors(kernel, {&data});
  const Targets targets = targets_of(data, options);
  const auto splits = splits_for(complete, targets, data.size(), validation);
  ValidationResult out;
  for_each_prepared({&complete, 1}, data, targets, options, context,
                    [&](std::size_t, const Prepared& prepared) {
                      const Trial trial(complete, data, targets, options, prepared, context);
                      out = run(trial, targets, splits, validation.split, context, finished);
                    });
  return out;
}

std::vector<ValidationResult> cross_validate(
    std::span<const Kernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context,
    const std::function<void(std::size_t, const ValidationResult&)>& finished) {
  const std::vector<Kernel> complete = with_word_vectors(kernels, {&data});
  kernels = complete;
  const Targets targets = targets_of(data, options);
  const Context quiet = without_progress(context);
  std::vector<ValidationResult> out;
  for_each_prepared(kernels, data, targets, options, quiet,
                    [&](std::size_t k, const Prepared& prepared) {
                      const auto splits = splits_for(kernels[k], targets, data.size(), validation);
                      const Trial trial(kernels[k], data, targets, options, prepared, quiet);
                      out.push_back(run(trial, targets, splits, validation.split, quiet, {}));
                      if (finished) finished(k, out.back());
                      report(context, out.size(), kernels.size());
                    });
  return out;
}

std::vector<TunePoint> tune(std::span<const Kernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context,
                            const std::function<void(const TunePoint&)>& finished) {
  if (options.learner == Learner::kda) {
    if (tuning.costs.size() > 1) throw Error("kda has no C: tune its kernels alone");
  } else if (options.learner != Learner::svm && options.learner != Learner::linear) {
    throw Error("tuning is for svm, linear and kda");
  }
  check_metric(tuning.metric);
  const std::vector<Kernel> complete = with_word_vectors(kernels, {&data});
  kernels = complete;
  const Targets targets = targets_of(data, options);
  const Context quiet = without_progress(context);
  std::vector<TunePoint> out;
  for_each_prepared(
      kernels, data, targets, options, quiet, [&](std::size_t k, const Prepared& prepared) {
        const auto splits = splits_for(kernels[k], targets, data.size(), tuning.validation);
        for (const double cost : tuning.costs) {
          TrainOptions at = options;
          at.classifier.cost = cost;
          const Trial trial(kernels[k], data, targets, at, prepared, quiet);
          const ValidationResult result =
              run(trial, targets, splits, tuning.validation.split, quiet, {});
          out.push_back({kernels[k].to_string(), cost, result.spread_of(tuning.metric)});
          if (finished) finished(out.back());
          report(context, out.size(), kernels.size() * tuning.costs.size());
        }
      });
  return out;
}

const TunePoint& best_point(std::span<const TunePoint> points) {
  if (points.empty()) throw Error("there are no settings to choose from");
  return *std::ranges::max_element(points, [](const TunePoint& a, const TunePoint& b) {
    if (a.score.mean != b.score.mean) return a.score.mean < b.score.mean;
    return a.cost > b.cost;
  });
}

}  // namespace espalier
