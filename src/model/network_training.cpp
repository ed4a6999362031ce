#include "model/network_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

namespace {

/// Splits off the validation set (test).
Split validation_split(std::span<const std::uint32_t> examples, const Targets& targets,
                       const TrainOptions& options) {
  Split out{{examples.begin(), examples.end()}, {}};
  if (options.validation_fraction == 0 || examples.size() < 2) return out;
  const Targets some = targets.select(examples);
  const std::vector<std::uint32_t> strata = some.task == Task::classification
                                                ? rarest_classes(some.classes)
                                                : std::vector<std::uint32_t>(examples.size(), 0);
  out = random_splits(strata, {1 - options.validation_fraction, 1, options.seed})[0];
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

}  // namespace

TrainedNetworkModel train_network_model(const Matrix<float>& vectors,
                                        std::span<const std::uint32_t> examples,
                                        const Targets& targets, const TrainOptions& options,
                                        const Context& context) {
  if (targets.task == Task::one_class)
    throw Error("a network cannot train a one-class model: use svm");
  const Split split = validation_split(examples, targets, options);
  NetworkOptions network = options.network;
  network.seed = options.seed;
  TrainedNetworkModel out;
  if (targets.task == Task::regression) {
    const Moments moments = moments_of(split.train, targets.numbers);
    out.trained.classifiers.functions.resize(1);
    out.network = train_network(vectors, number_rows(targets.numbers, moments),
                                NetworkLoss::squared, split.train, split.test, network, context);
    take_back(moments, out.network.network.layers.back());
    return out;
  }
  BinaryClassifiers& classifiers = out.trained.classifiers;
  classifiers = output_classifiers(examples, targets);
  if (targets.multi_label()) {
    out.trained.sigmoids.resize(classifiers.functions.size());
  } else {
    out.trained.softmax = true;
  }
  out.network = train_network(vectors, class_rows(targets, classifiers),
                              targets.multi_label() ? NetworkLoss::logistic : NetworkLoss::softmax,
                              split.train, split.test, network, context);
  return out;
}

}  // namespace espalier
