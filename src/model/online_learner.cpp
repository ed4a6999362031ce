#include "model/online_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/random.hpp"
#include "espalier/gram/gram.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// Examples are scored in batches with the current functions; updates within a batch are added from
/// the kernels of its examples. The result is that of learning one by one, but the weighted forest
/// is read once per batch.
constexpr std::size_t batch_size = 512;

/// One pass over some examples of a data set.
class Batch {
 public:
  Batch(Model& model, const Dataset& data, const Targets& targets,
        std::span<const std::uint32_t> examples, const Context& context)
      : model_(model),
        state_(std::get<OnlineState>(model.kind)),
        targets_(targets),
        examples_(examples),
        context_(context) {
    data_ = data.select(examples);
    outputs_ = decision_functions(model.decision).size();
    coefficients_ = Matrix<double>(outputs_, data_.size());
    std::fill_n(coefficients_.data(), outputs_ * data_.size(), 0.0);
    kernels_ = gram<double>(model.functions.kernel(), data_, context);
    scores_ = Matrix<double>(data_.size(), outputs_);
    std::fill_n(scores_.data(), data_.size() * outputs_, 0.0);
  }

  void learn() {
    score();
    for (std::size_t t = 0; t < data_.size(); ++t) {
      const double self = kernels_(t, t);
      const auto updates = model_.task() == Task::regression
                               ? update_number(scores_(t, 0), targets_.numbers[examples_[t]],
                                               state_.epsilon, self, state_.options)
                               : update_classes(scores_.row(t), targets_.classes[examples_[t]],
                                                self, state_.options);
      for (const OnlineUpdate& update : updates) apply(t, update);
      model_.training.iterations += updates.empty() ? 0 : 1;
      if (!updates.empty() && state_.budget > 0) keep_to_budget(t);
    }
    commit();
  }

 private:
  void score() {
    if (model_.functions.outputs() == 0) return;
    const Matrix<double> known = model_.functions(data_, quiet());
    for (std::size_t t = 0; t < data_.size(); ++t) {
      std::ranges::copy(known.row(t), scores_.row(t).begin());
    }
  }

  Context quiet() const {
    Context out = context_;
    out.progress = nullptr;
    return out;
  }

  void apply(std::size_t t, const OnlineUpdate& update) {
    coefficients_(update.output, t) += update.coefficient;
    for (std::size_t later = t + 1; later < data_.size(); ++later) {
      scores_(later, update.output) += update.coefficient * kernels_(t, later);
    }
  }

  /// Drops the support vector with the smallest norm, from the state or from this batch up to t.
  void keep_to_budget(std::size_t t) {
    std::size_t count = 0;
    double shortest = 0;
    std::size_t which = none;
    const auto consider = [&](std::size_t number, double size) {
      if (size == 0) return;
      ++count;
      if (which == none || size < shortest) {
        which = number;
        shortest = size;
      }
    };
    for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
      consider(s, state_.lengths[s] * length(state_.coefficients[s]));
    }
    for (std::size_t s = 0; s <= t; ++s) {
      consider(state_.support_vectors.size() + s, std::sqrt(kernels_(s, s)) * length(column(s)));
    }
    if (count <= state_.budget) return;
    which < state_.support_vectors.size() ? drop_old(which, t)
                                          : drop_new(which - state_.support_vectors.size(), t);
  }

  void drop_new(std::size_t s, std::size_t t) {
    for (std::uint32_t o = 0; o < outputs_; ++o) {
      const double coefficient = std::exchange(coefficients_(o, s), 0);
      for (std::size_t later = t + 1; later < data_.size(); ++later) {
        scores_(later, o) -= coefficient * kernels_(s, later);
      }
    }
  }

  void drop_old(std::size_t s, std::size_t t) {
    const std::uint32_t dropped[] = {static_cast<std::uint32_t>(s)};
    const Dataset one = state_.support_vectors.select(dropped);
    const Matrix<double> row = gram<double>(model_.functions.kernel(), one, data_, quiet());
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double coefficient = std::exchange(state_.coefficients[s][o], 0);
      for (std::size_t later = t + 1; later < data_.size(); ++later) {
        scores_(later, o) -= coefficient * row(0, later);
      }
    }
  }

  /// Adds the updates of the batch to the functions.
  void commit() {
    if (state_.budget == 0) {
      model_.functions.add(data_, coefficients_, quiet());
      return;
    }
    OnlineState kept{state_.options, state_.epsilon, state_.budget, data_.select({}), {}, {}};
    const auto keep = [&](Example example, std::vector<double> coefficients, double size) {
      if (length(coefficients) == 0) return;
      kept.support_vectors.add(kernel_input(std::move(example)));
      kept.coefficients.push_back(std::move(coefficients));
      kept.lengths.push_back(size);
    };
    for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
      keep(state_.support_vectors.example(s), state_.coefficients[s], state_.lengths[s]);
    }
    for (std::size_t t = 0; t < data_.size(); ++t) {
      keep(data_.example(t), column(t), std::sqrt(kernels_(t, t)));
    }
    state_ = std::move(kept);
    Matrix<double> coefficients(outputs_, state_.support_vectors.size());
    for (std::size_t s = 0; s < state_.support_vectors.size(); ++s) {
      for (std::size_t o = 0; o < outputs_; ++o) coefficients(o, s) = state_.coefficients[s][o];
    }
    KernelFunctions functions(model_.functions.kernel());
    functions.add(state_.support_vectors, coefficients, quiet());
    model_.functions = std::move(functions);
    model_.training.support_vectors = state_.support_vectors.size();
  }

  std::vector<double> column(std::size_t t) const {
    std::vector<double> out;
    for (std::size_t o = 0; o < outputs_; ++o) out.push_back(coefficients_(o, t));
    return out;
  }

  static double length(const std::vector<double>& values) {
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
  }

  Model& model_;
  OnlineState& state_;
  const Targets& targets_;
  std::span<const std::uint32_t> examples_;
  const Context& context_;
  Dataset data_;
  std::size_t outputs_ = 0;
  Matrix<double> kernels_;
  Matrix<double> coefficients_;
  Matrix<double> scores_;
};

/// Adds new classes, and counts examples.
void grow(Model& model, const Targets& targets) {
  auto* decision = std::get_if<Classification>(&model.decision);
  if (decision == nullptr) return;
  decision->classes = targets.names;
  decision->multi_label |= targets.multi_label();
  const std::size_t count = targets.names.size();
  BinaryClassifiers& classifiers = decision->classifiers;
  classifiers.class_sizes.resize(count, 0);
  const auto sizes = targets.classes.class_sizes();
  for (std::size_t c = 0; c < sizes.size(); ++c) classifiers.class_sizes[c] += sizes[c];
  for (auto c = static_cast<std::uint32_t>(classifiers.functions.size()); c < count; ++c) {
    classifiers.problems.push_back({c, none});
    classifiers.functions.emplace_back();
  }
  for (auto& each : std::get<OnlineState>(model.kind).coefficients) each.resize(count, 0);
}

/// An untrained model.
Model new_online_model(const FittedKernel& kernel, const Targets& targets, bool perceptron,
                       const TrainOptions& options) {
  if (targets.task == Task::one_class)
    throw Error("online learners cannot train a one-class model: use svm");
  if (perceptron && targets.task == Task::regression) {
    throw Error("the perceptron is a classifier: for regression use pa or svm");
  }
  Model model(kernel);
  if (targets.task == Task::regression) model.decision = Regression{};
  model.training.learner = perceptron ? "perceptron" : "pa";
  OnlineState& state = model.kind.emplace<OnlineState>();
  state.options = options.online;
  if (perceptron) state.options.rule = OnlineRule::perceptron;
  state.epsilon = options.epsilon;
  state.budget = options.budget;
  return model;
}

/// Perceptron and passive-aggressive learning, which share nothing between training sets.
class OnlineLearner final : public PreparedLearner {
 public:
  OnlineLearner(const LearningProblem& problem, bool perceptron)
      : problem_(problem), perceptron_(perceptron), model_(problem.kernel) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    const Dataset part = problem_.data.select(examples);
    // A class that a part lacks must not be predicted, but task and multi-label are those of all.
    const Targets& all = problem_.targets;
    const Targets targets = examples.size() == problem_.data.size()
                                ? all.select(examples)
                                : make_targets(part, all.task, {}, all.multi_label());
    model_ = new_online_model(problem_.kernel, targets, perceptron_, options);
    learn_online(model_, part, targets, options, context);
  }

  Predictions score(std::span<const std::uint32_t> examples,
                    const Context& context) const override {
    Predictions out = predict(model_, problem_.data.select(examples), context);
    const std::vector<std::string>& names = problem_.targets.names;
    for (auto& classes : out.classes) {
      for (std::uint32_t& c : classes) {
        c = static_cast<std::uint32_t>(std::ranges::find(names, out.class_names[c]) -
                                       names.begin());
      }
    }
    out.class_names = names;
    return out;
  }

  Model model(const Context&) override { return std::move(model_); }

 private:
  LearningProblem problem_;
  bool perceptron_;
  Model model_;
};

}  // namespace

void learn_online(Model& model, const Dataset& data, const Targets& targets,
                  const TrainOptions& options, const Context& context) {
  check_parameters(options);
  grow(model, targets);
  model.training.examples += data.size();
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0);
  Random random(options.seed);
  Context part = context;
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    if (options.shuffle) random.shuffle(std::span(order));
    for (std::size_t begin = 0; begin < order.size(); begin += batch_size) {
      const std::size_t size = std::min(batch_size, order.size() - begin);
      part.progress = nullptr;
      Batch(model, data, targets, std::span(order).subspan(begin, size), part).learn();
      if (context.progress) {
        context.progress(static_cast<double>(epoch * order.size() + begin + size) /
                         static_cast<double>(options.epochs * order.size()));
      }
    }
  }
}

PreparedLearners prepare_perceptron(const Preparation& with) {
  return prepare_one<OnlineLearner>(with.problem(), true);
}

PreparedLearners prepare_passive_aggressive(const Preparation& with) {
  return prepare_one<OnlineLearner>(with.problem(), false);
}

}  // namespace espalier
