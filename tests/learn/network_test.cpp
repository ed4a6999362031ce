#include "espalier/learn/network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "espalier/base/random.hpp"
#include "learn/backpropagation.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;

DenseLayer<double> random_layer(std::size_t inputs, std::size_t outputs, bool rectified,
                                Random& random) {
  DenseLayer<double> out{inputs, outputs, std::vector<double>(inputs * outputs),
                         std::vector<double>(outputs), rectified};
  for (double& weight : out.weights) weight = random.uniform() - 0.5;
  for (double& bias : out.bias) bias = random.uniform() - 0.5;
  return out;
}

/// A network in double precision with a batch, to compare gradients with finite differences.
class Checked {
 public:
  Checked(NetworkLoss loss, double dropout)
      : loss_(loss),
        dropout_(dropout / 2, dropout, 5),
        random_(static_cast<std::uint64_t>(loss) + 1) {
    layers_ = {random_layer(7, 7, false, random_), random_layer(7, 9, true, random_),
               random_layer(9, 5, true, random_), random_layer(5, 3, false, random_)};
    for (double& value : inputs_) value = random_.uniform() - 0.3;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        targets_[i * 3 + k] = loss == NetworkLoss::squared ? random_.uniform() : (i + k) % 3 == 0;
      }
    }
  }

  /// The mean loss; gradients go to `gradients`, layer by layer, weights before bias.
  double pass(std::vector<std::vector<double>>& gradients) {
    Backpropagation<double> passes(layers_, loss_, dropout_, count, pool_);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(inputs_.begin() + static_cast<std::ptrdiff_t>(7 * i), 7, passes.input(i).begin());
      std::copy_n(targets_.begin() + static_cast<std::ptrdiff_t>(3 * i), 3,
                  passes.target(i).begin());
    }
    gradients.assign(2 * layers_.size(), {});
    for (std::size_t l = 0; l < layers_.size(); ++l)
      gradients[2 * l].resize(layers_[l].weights.size());
    return passes.pass(1, count,
                       {[&](std::size_t l, std::size_t begin, std::size_t end, const double* g) {
                          std::copy_n(g, (end - begin) * layers_[l].outputs,
                                      gradients[2 * l].begin() +
                                          static_cast<std::ptrdiff_t>(begin * layers_[l].outputs));
                        },
                        [&](std::size_t l, std::span<const double> g) {
                          gradients[2 * l + 1].assign(g.begin(), g.end());
                        }}) /
           static_cast<double>(count);
  }

  void expect_right_gradients() {
    std::vector<std::vector<double>> gradients, ignored;
    pass(gradients);
    std::size_t checked = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      for (const bool bias : {false, true}) {
        std::vector<double>& numbers = bias ? layers_[l].bias : layers_[l].weights;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          constexpr double step = 1e-6;
          const double kept = numbers[k];
          numbers[k] = kept + step;
          const double above = pass(ignored);
          numbers[k] = kept - step;
          const double below = pass(ignored);
          numbers[k] = kept;
          const double expected = (above - below) / (2 * step);
          const double found = gradients[2 * l + (bias ? 1 : 0)][k];
          // Relative; finite differences are only accurate to 1e-9.
          ASSERT_NEAR(found, expected, 1e-4 * std::abs(expected) + 1e-8) << l << " " << bias << k;
          checked += std::abs(expected) > 1e-6 ? 1 : 0;
        }
      }
    }
    EXPECT_GT(checked, 60U);
  }

 private:
  static constexpr std::size_t count = 11;
  NetworkLoss loss_;
  Dropout dropout_;
  Random random_;
  ThreadPool pool_{2};
  std::vector<DenseLayer<double>> layers_;
  std::vector<double> inputs_ = std::vector<double>(7 * count);
  std::vector<double> targets_ = std::vector<double>(3 * count);
};

TEST(Network, GradientsMatchFiniteDifferences) {
  for (const auto loss : {NetworkLoss::softmax, NetworkLoss::logistic, NetworkLoss::squared}) {
    Checked(loss, 0).expect_right_gradients();
    Checked(loss, 0.3).expect_right_gradients();
  }
}

TEST(Network, LossesMatchTheFormulas) {
  std::vector<double> z = {1, -2, 0.5};
  const std::vector<double> target = {0, 0, 1};
  const double sum = std::exp(1) + std::exp(-2) + std::exp(0.5);
  EXPECT_NEAR(loss_and_derivative<double>(NetworkLoss::softmax, z, target),
              -std::log(std::exp(0.5) / sum), 1e-12);
  EXPECT_NEAR(z[2], std::exp(0.5) / sum - 1, 1e-12);
  z = {800, -800};
  EXPECT_NEAR(loss_and_derivative<double>(NetworkLoss::logistic, z, std::vector<double>{1, 1}), 800,
              1e-9);
  z = {2};
  EXPECT_NEAR(loss_and_derivative<double>(NetworkLoss::squared, z, std::vector<double>{5}), 4.5,
              1e-12);
}

struct Problem {
  Matrix<float> rows{300, 2};
  Matrix<float> targets{300, 2};
  std::vector<std::uint32_t> train, validation;
};

/// Inside or outside a circle: not linearly separable.
Problem circle() {
  Problem out;
  Random random(3);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const double x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    const bool inside = x * x + y * y < 0.5;
    out.rows(i, 0) = static_cast<float>(x);
    out.rows(i, 1) = static_cast<float>(y);
    out.targets(i, 0) = inside;
    out.targets(i, 1) = !inside;
    (i < 200 ? out.train : out.validation).push_back(i);
  }
  return out;
}

NetworkOptions small_net() {
  NetworkOptions out;
  out.hidden = {20, 20};
  out.dropout = out.input_dropout = 0;
  out.learning_rate = 0.01;
  out.batch_size = 32;
  out.epochs = 150;
  return out;
}

TrainedNetwork trained(const Problem& problem, const NetworkOptions& options,
                       std::size_t threads = 1) {
  return train_network(problem.rows, problem.targets, NetworkLoss::softmax, problem.train,
                       problem.validation, options, test::working(threads));
}

TEST(Network, LearnsANonlinearProblem) {
  const TrainedNetwork net = trained(circle(), small_net());
  EXPECT_GT(net.curve[net.best].validation_score, 0.95);
  EXPECT_LT(net.curve.back().loss, net.curve.front().loss);
}

TEST(Network, StopsEarlyAndKeepsTheBestEpoch) {
  const Problem problem = circle();
  NetworkOptions options = small_net();
  options.patience = 5;
  const TrainedNetwork net = trained(problem, options);
  EXPECT_TRUE(net.curve.size() == options.epochs || net.curve.size() == net.best + 6);
  // The network that was kept is the one that was evaluated.
  const Matrix<float> z = net.network(problem.rows);
  std::size_t right = 0;
  for (const std::uint32_t i : problem.validation) {
    right += (z(i, 0) > z(i, 1)) == (problem.targets(i, 0) > 0) ? 1 : 0;
  }
  EXPECT_NEAR(net.curve[net.best].validation_score, static_cast<double>(right) / 100, 1e-12);
}

TEST(Network, WithoutValidationSetKeepsTheLastEpoch) {
  Problem problem = circle();
  problem.validation.clear();
  NetworkOptions options = small_net();
  options.epochs = 7;
  options.patience = 2;
  const TrainedNetwork net = trained(problem, options);
  EXPECT_EQ(net.best, 6U);
  EXPECT_EQ(net.curve.size(), 7U);
}

TEST(Network, IsBitIdenticalForAnyThreads) {
  NetworkOptions options = small_net();
  options.epochs = 5;
  options.dropout = options.input_dropout = 0.3;
  options.hidden = {300, 0};
  options.train_projection = true;
  const TrainedNetwork one = trained(circle(), options, 1), three = trained(circle(), options, 3);
  ASSERT_EQ(one.network.layers.size(), 4U);
  EXPECT_EQ(one.network.layers[2].outputs, 2U);  // as wide as the input
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_EQ(one.network.layers[l].weights, three.network.layers[l].weights);
    EXPECT_EQ(one.network.layers[l].bias, three.network.layers[l].bias);
  }
  options.seed = 2;
  EXPECT_NE(one.network.layers[1].weights, trained(circle(), options).network.layers[1].weights);
}

TEST(Network, LearningRateDecreasesLinearly) {
  Problem problem = circle();
  problem.validation.clear();
  NetworkOptions options = small_net();
  options.batch_size = problem.train.size();
  const auto weights = [&](Schedule steps, std::size_t epochs) {
    options.schedule = steps;
    options.epochs = epochs;
    return trained(problem, options).network.layers[0].weights;
  };
  const auto first = weights(Schedule::constant, 1);
  EXPECT_EQ(weights(Schedule::linear, 1), first);
  // The second of two steps has half the learning rate.
  const auto whole = weights(Schedule::constant, 2), half = weights(Schedule::linear, 2);
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_NEAR(half[k] - first[k], (whole[k] - first[k]) / 2, 1e-6);
  }
}

TEST(Network, AppliesInputDropout) {
  Problem problem = circle();
  NetworkOptions options = small_net();
  options.epochs = 3;
  const auto weights = [&](double input, double hidden) {
    options.input_dropout = input;
    options.dropout = hidden;
    return trained(problem, options).network.layers[0].weights;
  };
  EXPECT_NE(weights(0.3, 0), weights(0, 0));
  EXPECT_NE(weights(0.3, 0), weights(0, 0.3));
  EXPECT_NE(weights(0.3, 0), weights(0.3, 0.3));
}

TEST(Network, RegularisesWeights) {
  const auto length = [](const TrainedNetwork& net) {
    const auto& w = net.network.layers[0].weights;
    return std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  };
  Problem problem = circle();
  problem.validation.clear();
  NetworkOptions options = small_net();
  options.epochs = 40;
  const double free = length(trained(problem, options));
  options.l2 = 0.1;
  EXPECT_LT(length(trained(problem, options)), 0.5 * free);
}

TEST(Network, RejectsBadOptions) {
  const Problem problem = circle();
  const auto refuses = [&](const char* why, auto change) {
    NetworkOptions options = small_net();
    change(options);
    return fails_with(why, [&] { trained(problem, options); });
  };
  EXPECT_TRUE(refuses("dropout", [](auto& o) { o.dropout = 1; }));
  EXPECT_TRUE(refuses("input_dropout", [](auto& o) { o.input_dropout = -0.1; }));
  EXPECT_TRUE(refuses("l2", [](auto& o) { o.l2 = -1; }));
  EXPECT_TRUE(refuses("learning_rate", [](auto& o) { o.learning_rate = 0; }));
  EXPECT_TRUE(refuses("batch", [](auto& o) { o.batch_size = 0; }));
  EXPECT_TRUE(refuses("epochs", [](auto& o) { o.epochs = 0; }));
  EXPECT_TRUE(refuses("lower learning rate", [](auto& o) { o.learning_rate = 1e30; }));
  EXPECT_TRUE(fails_with("no examples", [&] {
    train_network(problem.rows, problem.targets, NetworkLoss::softmax, {}, {});
  }));
}

}  // namespace
}  // namespace espalier
