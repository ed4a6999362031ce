#include "model/online_learner.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "espalier/base/random.hpp"
#include "model/learners.hpp"
#include "model/online_batch.hpp"

namespace espalier {

namespace {

/// The examples of a batch are compared with each other, in quadratic time.
constexpr std::size_t batch_size = 512;

/// The score of each example (row) for each output of the model, which may be new.
Matrix<double> current_scores(const Model& model, const Dataset& data, const Context& context) {
  Matrix<double> out(data.size(), decision_functions(model.decision).size());
  std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
  if (model.functions.outputs() == 0) return out;
  const Matrix<double> known = model.functions(data, context);
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::ranges::copy(known.row(i), out.row(i).begin());
  }
  return out;
}

/// One pass over the examples. The result is that of learning one by one.
///
/// Without a budget, n examples take O(n log n) time: learn from the first half, add the functions
/// of what was learned there to the scores of the second half, and learn from that; each half is
/// halved in turn, down to batches. To evaluate all functions for each batch would take quadratic
/// time, for their weights are as many as there are subtrees in the examples so far.
class OnlinePass {
 public:
  /// Calls done(n) after every n examples.
  OnlinePass(Model& model, const OnlineExamples& examples, const Context& context,
             const std::function<void(std::size_t)>& done)
      : model_(model), examples_(examples), context_(context), done_(done) {}

  void learn() {
    if (std::get<OnlineState>(model_.kind).budget > 0) return learn_within_budget();
    const Dataset all = examples_.select();
    scores_ = current_scores(model_, all, context_);
    coefficients_ = Matrix<double>(scores_.columns(), scores_.rows());
    learn(0, all.size());
    model_.functions.add(all, coefficients_, context_);
  }

 private:
  void learn_within_budget() {
    for (std::size_t begin = 0; begin < examples_.order.size(); begin += batch_size) {
      const auto part = examples_.part(begin, std::min(begin + batch_size, examples_.order.size()));
      OnlineBatch batch(model_, part, current_scores(model_, part.select(), context_), context_);
      batch.learn();
      batch.commit();
      done_(part.order.size());
    }
  }

  void learn(std::size_t begin, std::size_t end) {
    if (end - begin <= batch_size) return learn_batch(begin, end);
    // The largest power of two: batches are full, except for the last one.
    const std::size_t middle = begin + std::bit_floor(end - begin - 1);
    learn(begin, middle);
    add_to_scores(begin, middle, end);
    learn(middle, end);
  }

  void learn_batch(std::size_t begin, std::size_t end) {
    OnlineBatch batch(model_, examples_.part(begin, end), rows(begin, end), context_);
    batch.learn();
    for (std::size_t o = 0; o < coefficients_.rows(); ++o) {
      std::ranges::copy(batch.coefficients().row(o),
                        coefficients_.row(o).begin() + static_cast<std::ptrdiff_t>(begin));
    }
    done_(end - begin);
  }

  /// Evaluates what was learned from [begin, middle) on [middle, end).
  void add_to_scores(std::size_t begin, std::size_t middle, std::size_t end) {
    Matrix<double> learned(coefficients_.rows(), middle - begin);
    for (std::size_t o = 0; o < learned.rows(); ++o) {
      std::ranges::copy(coefficients_.row(o).subspan(begin, middle - begin),
                        learned.row(o).begin());
    }
    KernelFunctions functions(model_.functions.kernel());
    functions.add(examples_.part(begin, middle).select(), learned, context_);
    const Matrix<double> more = functions(examples_.part(middle, end).select(), context_);
    for (std::size_t i = middle; i < end; ++i) {
      std::ranges::transform(scores_.row(i), more.row(i - middle), scores_.row(i).begin(),
                             std::plus());
    }
  }

  Matrix<double> rows(std::size_t begin, std::size_t end) const {
    Matrix<double> out(end - begin, scores_.columns());
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::copy(scores_.row(i), out.row(i - begin).begin());
    }
    return out;
  }

  Model& model_;
  OnlineExamples examples_;
  const Context& context_;
  const std::function<void(std::size_t)>& done_;
  Matrix<double> scores_;        ///< per example and output, by what was learned from before it
  Matrix<double> coefficients_;  ///< per output and example
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
  Context quiet = context;
  quiet.progress = nullptr;
  std::size_t count = 0;
  const std::function<void(std::size_t)> done = [&](std::size_t examples) {
    count += examples;
    if (!context.progress) return;
    context.progress(static_cast<double>(count) /
                     static_cast<double>(options.epochs * order.size()));
  };
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    if (options.shuffle) random.shuffle(std::span(order));
    OnlinePass(model, {data, targets, order}, quiet, done).learn();
  }
}

PreparedLearners prepare_perceptron(const Preparation& with) {
  return prepare_one<OnlineLearner>(with.problem(), true);
}

PreparedLearners prepare_passive_aggressive(const Preparation& with) {
  return prepare_one<OnlineLearner>(with.problem(), false);
}

}  // namespace espalier
