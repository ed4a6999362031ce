#include "model/network_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/evaluate/splits.hpp"

namespace espalier {

namespace {

/// Which examples to train on, and which to pick the epoch by.
Split development_split(std::span<const std::uint32_t> examples, const Targets& targets,
                        const TrainOptions& options) {
  if (!(options.development >= 0 && options.development < 1)) {
    throw Error("development = " + print_number(options.development) + " is outside [0, 1)");
  }
  Split out{{examples.begin(), examples.end()}, {}};
  if (options.development == 0 || examples.size() < 2) return out;
  const Targets some = targets.select(examples);
  const std::vector<std::uint32_t> strata = some.task == Task::classes
                                                ? rarest_classes(some.classes)
                                                : std::vector<std::uint32_t>(examples.size(), 0);
  out = random_splits(strata, {1 - options.development, 1, options.seed})[0];
  for (auto* part : {&out.train, &out.test}) {
    for (std::uint32_t& place : *part) place = examples[place];
  }
  return out;
}

/// One output for each class that has examples.
Machines machines_of(std::span<const std::uint32_t> examples, const Targets& targets) {
  Machines out;
  out.class_sizes.assign(targets.names.size(), 0);
  for (const std::uint32_t i : examples) {
    for (const std::uint32_t c : targets.classes[i]) ++out.class_sizes[c];
  }
  for (std::uint32_t c = 0; c < out.class_sizes.size(); ++c) {
    if (out.class_sizes[c] > 0) out.separations.push_back({c});
  }
  if (out.separations.empty()) throw Error("no example has a class");
  out.machines.resize(out.separations.size());
  return out;
}

/// 1 for each class that an example has, else 0.
Matrix<float> class_rows(const Targets& targets, const Machines& machines) {
  Matrix<float> out(targets.classes.size(), machines.separations.size());
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t m = 0; m < out.columns(); ++m) {
      out(i, m) = std::ranges::count(targets.classes[i], machines.separations[m].positive) > 0;
    }
  }
  return out;
}

struct Spread {
  double mean = 0;
  double deviation = 1;
};

Spread spread_of(std::span<const std::uint32_t> examples, const std::vector<double>& numbers) {
  Spread out;
  double squares = 0;
  for (const std::uint32_t i : examples) out.mean += numbers[i];
  out.mean /= static_cast<double>(examples.size());
  for (const std::uint32_t i : examples) {
    squares += (numbers[i] - out.mean) * (numbers[i] - out.mean);
  }
  if (squares > 0) out.deviation = std::sqrt(squares / static_cast<double>(examples.size()));
  return out;
}

/// Numbers are brought to mean 0 and deviation 1 for training; the last layer takes them back.
Matrix<float> number_rows(const std::vector<double>& numbers, const Spread& spread) {
  Matrix<float> out(numbers.size(), 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    out(i, 0) = static_cast<float>((numbers[i] - spread.mean) / spread.deviation);
  }
  return out;
}

void take_back(const Spread& spread, DenseLayer<float>& layer) {
  const auto scale = static_cast<float>(spread.deviation);
  for (float& weight : layer.weights) weight *= scale;
  for (float& bias : layer.bias) bias = bias * scale + static_cast<float>(spread.mean);
}

}  // namespace

NetworkMachines train_network_machines(const Matrix<float>& vectors,
                                       std::span<const std::uint32_t> examples,
                                       const Targets& targets, const TrainOptions& options,
                                       const Context& context) {
  if (targets.task == Task::outliers) throw Error("networks know no outliers: use svm");
  const Split split = development_split(examples, targets, options);
  NetworkOptions network = options.network;
  network.seed = options.seed;
  NetworkMachines out;
  if (targets.task == Task::numbers) {
    const Spread spread = spread_of(split.train, targets.numbers);
    out.trained.machines.machines.resize(1);
    out.network = train_network(vectors, number_rows(targets.numbers, spread), NetworkLoss::squared,
                                split.train, split.test, network, context);
    take_back(spread, out.network.network.layers.back());
    return out;
  }
  Machines& machines = out.trained.machines;
  machines = machines_of(examples, targets);
  if (targets.several()) {
    out.trained.sigmoids.resize(machines.machines.size());
  } else {
    out.trained.softmax = true;
  }
  out.network = train_network(vectors, class_rows(targets, machines),
                              targets.several() ? NetworkLoss::logistic : NetworkLoss::softmax,
                              split.train, split.test, network, context);
  return out;
}

}  // namespace espalier
