#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/model/evaluation.hpp"
#include "espalier/model/validation.hpp"
#include "model/landmark_vectors.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// Splits off the validation set (test).
Split validation_split(std::span<const std::uint32_t> examples, const LearningProblem& problem,
                       const TrainOptions& options) {
  Split out{{examples.begin(), examples.end()}, {}};
  if (options.validation_fraction == 0) return out;
  const auto groups = example_groups(problem.data, options.grouping).select(examples);
  // One group cannot be divided.
  if (std::ranges::all_of(groups, [&](std::uint32_t g) { return g == groups[0]; })) return out;
  const ValidationOptions random{.split = SplitKind::random,
                                 .train_fraction = 1 - options.validation_fraction,
                                 .seed = options.seed};
  out = make_splits(problem.targets.select(examples), examples.size(), random, groups)[0];
  for (auto* part : {&out.train, &out.test}) {
    for (std::uint32_t& place : *part) place = examples[place];
  }
  return out;
}

/// One output for each class with examples.
BinaryClassifiers output_classifiers(std::span<const std::uint32_t> examples,
                                     const Targets& targets) {
  BinaryClassifiers out;
  out.class_sizes.assign(targets.names.size(), 0);
  for (const std::uint32_t i : examples) {
    for (const std::uint32_t c : targets.classes[i]) ++out.class_sizes[c];
  }
  for (std::uint32_t c = 0; c < out.class_sizes.size(); ++c) {
    if (out.class_sizes[c] > 0) out.problems.push_back({c});
  }
  if (out.problems.empty()) throw Error("no example has a class");
  out.functions.resize(out.problems.size());
  return out;
}

/// One-hot targets: 1 for each class of an example, otherwise 0.
Matrix<float> class_rows(const Targets& targets, const BinaryClassifiers& classifiers) {
  Matrix<float> out(targets.classes.size(), classifiers.problems.size());
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t m = 0; m < out.columns(); ++m) {
      out(i, m) = std::ranges::count(targets.classes[i], classifiers.problems[m].positive) > 0;
    }
  }
  return out;
}

struct Moments {
  double mean = 0;
  double deviation = 1;
};

Moments moments_of(std::span<const std::uint32_t> examples, const std::vector<double>& numbers) {
  Moments out;
  double squares = 0;
  for (const std::uint32_t i : examples) out.mean += numbers[i];
  out.mean /= static_cast<double>(examples.size());
  for (const std::uint32_t i : examples) {
    squares += (numbers[i] - out.mean) * (numbers[i] - out.mean);
  }
  if (squares > 0) out.deviation = std::sqrt(squares / static_cast<double>(examples.size()));
  return out;
}

/// Targets are standardised for training; the last layer reverts that.
Matrix<float> number_rows(const std::vector<double>& numbers, const Moments& moments) {
  Matrix<float> out(numbers.size(), 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    out(i, 0) = static_cast<float>((numbers[i] - moments.mean) / moments.deviation);
  }
  return out;
}

void take_back(const Moments& moments, DenseLayer<float>& layer) {
  const auto scale = static_cast<float>(moments.deviation);
  for (float& weight : layer.weights) weight *= scale;
  for (float& bias : layer.bias) bias = bias * scale + static_cast<float>(moments.mean);
}

/// A network on Nystroem vectors (kernel-based deep architecture).
class KdaLearner final : public PreparedLearner {
 public:
  KdaLearner(const LearningProblem& problem, const TrainOptions& options)
      : problem_(problem), landmarks_(problem, options) {
    // Before the work: there may be no such metric.
    if (options.validation_metric) Metric{*options.validation_metric};
  }

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    const Targets& targets = problem_.targets;
    landmarks_.fit(examples, context);
    if (targets.task == Task::one_class) {
      throw Error("a network cannot train a one-class model: use svm");
    }
    TrainedDecisionFunctions trained;
    const Split split = validation_.empty()
                            ? validation_split(examples, problem_, options)
                            : Split{{examples.begin(), examples.end()}, validation_};
    if (targets.task == Task::regression) {
      const Moments moments = moments_of(split.train, targets.numbers);
      trained.classifiers.functions.resize(1);
      decision_ = new_decision(targets, std::move(trained));
      train_network_on(number_rows(targets.numbers, moments), NetworkLoss::squared, split, options,
                       context, moments);
      take_back(moments, network_.network.layers.back());
    } else {
      trained.classifiers = output_classifiers(examples, targets);
      const bool multi_label = targets.multi_label();
      if (multi_label) {
        trained.probabilities = std::vector<Sigmoid>(trained.classifiers.functions.size());
      } else {
        trained.probabilities = Softmax{};
      }
      const Matrix<float> rows = class_rows(targets, trained.classifiers);
      decision_ = new_decision(targets, std::move(trained));
      train_network_on(rows, multi_label ? NetworkLoss::logistic : NetworkLoss::softmax, split,
                       options, context);
    }
  }

  void validate_on(std::span<const std::uint32_t> examples) override {
    validation_.assign(examples.begin(), examples.end());
  }

  Predictions score(std::span<const std::uint32_t> examples,
                    const Context& context) const override {
    const Matrix<float>& vectors = landmarks_.vectors();
    Matrix<float> rows(examples.size(), vectors.columns());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      std::ranges::copy(vectors.row(examples[i]), rows.row(i).begin());
    }
    return predictions(network_.network(rows, context));
  }

  std::size_t bytes() const override { return landmarks_.bytes(); }

  Model model(const Context& context) override {
    Model out = landmarks_.model("kda", std::move(decision_), std::move(network_.network), context);
    out.training.iterations = network_.curve.size();
    std::get<LandmarkScores>(out.kind).curve = std::move(network_.curve);
    return out;
  }

 private:
  Predictions predictions(const Matrix<float>& outputs, const Moments& moments = {}) const {
    Matrix<double> values(outputs.rows(), outputs.columns());
    for (std::size_t i = 0; i < outputs.rows(); ++i) {
      for (std::size_t m = 0; m < outputs.columns(); ++m) {
        values(i, m) = static_cast<double>(outputs(i, m)) * moments.deviation + moments.mean;
      }
    }
    return decide(decision_, values);
  }

  /// The metric that selects the best epoch; nothing if none was named.
  ValidationScore validation_score(const std::vector<std::uint32_t>& examples,
                                   const TrainOptions& options, const Moments& moments) const {
    if (!options.validation_metric) return {};
    std::vector<std::uint32_t> groups;
    if (options.grouping.groups) {
      const auto all = text_groups(problem_.data, *options.grouping.groups);
      for (const std::uint32_t i : examples) groups.push_back(all[i]);
    }
    return [this, &examples, moments, groups = std::move(groups),
            metric = Metric(*options.validation_metric)](const Matrix<float>& outputs) {
      Outcomes outcomes = outcomes_of(problem_.targets, examples, predictions(outputs, moments));
      outcomes.positive = usual_positive_class(problem_.targets.names);
      outcomes.groups = groups;
      return metric.value(outcomes) * (metric.greater_is_better() ? 1 : -1);
    };
  }

  /// `moments` of the numbers that the targets were.
  void train_network_on(const Matrix<float>& targets, NetworkLoss loss, const Split& split,
                        const TrainOptions& options, const Context& context,
                        const Moments& moments = {}) {
    NetworkOptions network = options.network;
    network.seed = options.seed;
    network_ = train_network(landmarks_.vectors(), targets, loss, split.train, split.test, network,
                             context, validation_score(split.test, options, moments));
  }

  LearningProblem problem_;
  LandmarkVectors landmarks_;
  std::vector<std::uint32_t> validation_;  ///< see validate_on()
  TrainedNetwork network_;
  Decision decision_;
};

}  // namespace

PreparedLearners prepare_kda(const Preparation& with) {
  return prepare_one<KdaLearner>(with.problem(), with.options);
}

}  // namespace espalier
