#include "espalier/learn/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/matrix_product.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/base/random.hpp"
#include "learn/adam.hpp"
#include "learn/backpropagation.hpp"

namespace espalier {

namespace {

/// Uniform random weights that preserve the variance of values from layer to layer (He et al. 2015
/// for rectified layers).
DenseLayer<float> random_layer(std::size_t inputs, std::size_t outputs, bool rectified,
                               Random& random) {
  DenseLayer<float> out{inputs, outputs, std::vector<float>(inputs * outputs),
                        std::vector<float>(outputs, 0.0F), rectified};
  const double width = std::sqrt((rectified ? 6.0 : 3.0) / static_cast<double>(inputs));
  for (float& weight : out.weights) {
    weight = static_cast<float>(width * (2 * random.uniform() - 1));
  }
  return out;
}

DenseLayer<float> identity_layer(std::size_t size) {
  DenseLayer<float> out{size, size, std::vector<float>(size * size, 0.0F),
                        std::vector<float>(size, 0.0F), false};
  for (std::size_t i = 0; i < size; ++i) out.weights[i * size + i] = 1;
  return out;
}

std::vector<DenseLayer<float>> first_layers(std::size_t inputs, std::size_t outputs,
                                            const NetworkOptions& options) {
  Random random(options.seed);
  std::vector<DenseLayer<float>> out;
  if (options.train_projection) out.push_back(identity_layer(inputs));
  std::size_t width = inputs;
  for (const std::size_t wanted : options.hidden) {
    const std::size_t next = wanted == 0 ? inputs : wanted;
    out.push_back(random_layer(width, next, true, random));
    width = next;
  }
  out.push_back(random_layer(width, outputs, false, random));
  return out;
}

/// Whether the outputs predict the target.
bool decides(NetworkLoss loss, std::span<const float> z, std::span<const float> target) {
  if (loss == NetworkLoss::softmax) {
    return std::ranges::max_element(z) - z.begin() ==
           std::ranges::max_element(target) - target.begin();
  }
  return std::ranges::equal(z, target, [](float a, float b) { return (a > 0) == (b > 0.5F); });
}

class Trainer {
 public:
  Trainer(const Matrix<float>& rows, const Matrix<float>& targets, NetworkLoss loss,
          const NetworkOptions& options, const Context& context, const ValidationScore& score)
      : rows_(rows),
        targets_(targets),
        loss_(loss),
        options_(options),
        context_(context),
        score_(score),
        pool_(thread_count(context)),
        network_{first_layers(rows.columns(), targets.columns(), options)},
        passes_(network_.layers, loss,
                Dropout(options.input_dropout, options.dropout, options.seed), options.batch_size,
                pool_),
        order_random_(options.seed ^ 0x5DEECE66D) {
    for (const DenseLayer<float>& layer : network_.layers) {
      weight_steps_.emplace_back(layer.weights.size(), options.l2);
      bias_steps_.emplace_back(layer.bias.size(), 0.0);
    }
  }

  const Network& network() const { return network_; }

  /// One epoch, in a new random order. Returns the mean loss.
  double epoch(std::vector<std::uint32_t>& order) {
    order_random_.shuffle(std::span(order));
    last_step_ = options_.epochs * ((order.size() + options_.batch_size - 1) / options_.batch_size);
    double sum = 0;
    for (std::size_t begin = 0; begin < order.size(); begin += options_.batch_size) {
      if (context_.cancelled && context_.cancelled()) throw Cancelled();
      sum += step(
          std::span(order).subspan(begin, std::min(options_.batch_size, order.size() - begin)));
    }
    const double mean = sum / static_cast<double>(order.size());
    if (!std::isfinite(mean)) {
      throw Error("training diverged: use a lower learning rate");
    }
    return mean;
  }

  /// Computes the loss and score on the validation set.
  void judge(std::span<const std::uint32_t> validation, NetworkEpoch& epoch) const {
    Matrix<float> some(validation.size(), rows_.columns());
    for (std::size_t i = 0; i < validation.size(); ++i) {
      std::ranges::copy(rows_.row(validation[i]), some.row(i).begin());
    }
    Matrix<float> z = network_(some, context_without_progress());
    // Before the loop, which turns the outputs into derivatives.
    const std::optional<double> score = score_ ? std::optional(score_(z)) : std::nullopt;
    std::size_t right = 0;
    double sum = 0;
    for (std::size_t i = 0; i < validation.size(); ++i) {
      const std::span<const float> target = targets_.row(validation[i]);
      right += decides(loss_, z.row(i), target) ? 1 : 0;
      sum += loss_and_derivative<float>(loss_, z.row(i), target);
    }
    const auto count = static_cast<double>(validation.size());
    epoch.validation_loss = sum / count;
    epoch.validation_score =
        score.value_or(loss_ == NetworkLoss::squared ? -2 * epoch.validation_loss
                                                     : static_cast<double>(right) / count);
  }

 private:
  double step(std::span<const std::uint32_t> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      std::ranges::copy(rows_.row(batch[i]), passes_.input(i).begin());
      std::ranges::copy(targets_.row(batch[i]), passes_.target(i).begin());
    }
    ++steps_;
    const double rate = length_of_step();
    return passes_.pass(
        steps_, batch.size(),
        {[&](std::size_t l, std::size_t begin, std::size_t end, const float* gradient) {
           DenseLayer<float>& layer = network_.layers[l];
           weight_steps_[l].move(steps_, rate, begin * layer.outputs, end * layer.outputs, gradient,
                                 layer.weights.data());
         },
         [&](std::size_t l, std::span<const float> gradient) {
           bias_steps_[l].move(steps_, rate, 0, gradient.size(), gradient.data(),
                               network_.layers[l].bias.data());
         }});
  }

  double length_of_step() const {
    if (options_.schedule == Schedule::constant) return options_.learning_rate;
    const double done = static_cast<double>(steps_ - 1) / static_cast<double>(last_step_);
    return options_.learning_rate * (1 - done);
  }

  Context context_without_progress() const {
    Context out = context_;
    out.progress = nullptr;
    return out;
  }

  const Matrix<float>& rows_;
  const Matrix<float>& targets_;
  NetworkLoss loss_;
  const NetworkOptions& options_;
  const Context& context_;
  const ValidationScore& score_;
  ThreadPool pool_;
  Network network_;
  Backpropagation<float> passes_;
  std::vector<Adam> weight_steps_;
  std::vector<Adam> bias_steps_;
  Random order_random_;
  std::uint64_t steps_ = 0;
  std::uint64_t last_step_ = 0;  ///< without early stopping
};

bool better(const NetworkEpoch& a, const NetworkEpoch& b) {
  if (a.validation_score != b.validation_score) {
    return a.validation_score > b.validation_score;
  }
  return a.validation_loss < b.validation_loss;
}

}  // namespace

Matrix<float> Network::operator()(const Matrix<float>& rows, const Context& context) const {
  constexpr std::size_t together = 192;
  const std::size_t outputs = layers.back().outputs;
  Matrix<float> out(rows.rows(), outputs);
  parallel((rows.rows() + together - 1) / together, context,
           [&](std::size_t, std::size_t task) {
             const std::size_t begin = task * together;
             const std::size_t count = std::min(together, rows.rows() - begin);
             ThreadPool alone(1);
             MatrixProduct<float> multiply(alone);
             std::vector<float> values(rows.row(begin).data(),
                                       rows.row(begin).data() + count * rows.columns());
             for (const DenseLayer<float>& layer : layers) {
               std::vector<float> next(count * layer.outputs);
               multiply(count, layer.outputs, layer.inputs, {values.data(), layer.inputs, 1},
                        {layer.weights.data(), layer.outputs, 1}, next.data());
               for (std::size_t i = 0; i < count; ++i) {
                 activate(layer, std::span(next).subspan(i * layer.outputs, layer.outputs));
               }
               values = std::move(next);
             }
             std::ranges::copy(values, out.row(begin).begin());
           },
           [](std::size_t) { return 1.0; });
  return out;
}

TrainedNetwork train_network(const Matrix<float>& rows, const Matrix<float>& targets,
                             NetworkLoss loss, std::span<const std::uint32_t> train,
                             std::span<const std::uint32_t> validation,
                             const NetworkOptions& options, const Context& context,
                             const ValidationScore& score) {
  check_parameters(options);
  if (train.empty()) throw Error("there are no examples to train a network on");
  Trainer trainer(rows, targets, loss, options, context, score);
  std::vector<std::uint32_t> order(train.begin(), train.end());
  TrainedNetwork out;
  for (std::size_t e = 0; e < options.epochs; ++e) {
    NetworkEpoch& epoch = out.curve.emplace_back();
    epoch.loss = trainer.epoch(order);
    if (!validation.empty()) trainer.judge(validation, epoch);
    if (e == 0 || validation.empty() || better(epoch, out.curve[out.best])) {
      out.best = e;
      out.network = trainer.network();
    }
    if (context.progress) {
      context.progress(static_cast<double>(e + 1) / static_cast<double>(options.epochs));
    }
    if (options.patience > 0 && e - out.best >= options.patience) break;
  }
  return out;
}

}  // namespace espalier
