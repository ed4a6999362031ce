#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

// Feed-forward networks on dense vectors, as Croce et al. (2017) train on Nystroem vectors.

/// The loss, and the meaning of the outputs z.
enum class NetworkLoss {
  softmax,   ///< single-label classification: cross-entropy of exp(z) / sum of exp(z)
  logistic,  ///< multi-label classification: cross-entropy of 1 / (1 + exp(-z)) per output
  squared,   ///< regression: half the squared error
};

/// How the learning rate changes during training.
enum class Schedule {
  constant,
  linear,  ///< decreases linearly to 0 in the last epoch
};
constexpr std::array<const char*, 2> names_of(Schedule) { return {"constant", "linear"}; }

struct NetworkOptions {
  std::vector<std::size_t> hidden = {0, 0};
  double dropout = 0.2;
  double input_dropout = 0.2;
  double l2 = 0;
  double learning_rate = 0.001;
  Schedule schedule = Schedule::constant;
  std::size_t batch_size = 256;
  std::size_t epochs = 500;
  std::size_t patience = 50;
  bool train_projection = false;
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("hidden", self.hidden,
          "sizes of the hidden layers, as in 600,300; 0: as wide as the input",
          {.range = {0, 1e6}, .common = true});
    field("dropout", self.dropout, "fraction of each hidden layer that is dropped in training",
          {.range = Range::below(1)});
    field("input_dropout", self.input_dropout, "fraction of the input that is dropped in training",
          {.range = Range::below(1)});
    field("l2", self.l2, "L2 penalty on the weights", {.range = Range::at_least(0)});
    field("learning_rate", self.learning_rate, "learning rate of Adam", {.range = Range::above(0)});
    field("schedule", self.schedule, "learning-rate schedule: constant, or linear decay to 0");
    field("batch_size", self.batch_size, "examples in a mini-batch", {.range = {1, 0x1p53}});
    field("epochs", self.epochs, "passes over the training set, at most",
          {.range = {1, 0x1p53}, .common = true});
    field("patience", self.patience,
          "early stopping after this many epochs without improvement; 0: never",
          {.range = {0, 0x1p53}});
    field("train_projection", self.train_projection,
          "train the Nystroem projection together with the network");
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

/// z = x W + b, then max(z, 0) if rectified. W is row-major, a row for each input.
template <class T>
struct DenseLayer {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  std::vector<T> weights;
  std::vector<T> bias;
  bool rectified = false;
};

struct Network {
  std::vector<DenseLayer<float>> layers;

  /// The outputs of the last layer for each row. The bits of a row do not depend on the other rows,
  /// the number of threads or the machine.
  Matrix<float> operator()(const Matrix<float>& rows, const Context& context = {}) const;
};

/// Training progress after an epoch.
struct NetworkEpoch {
  double loss = 0;  ///< mean over the training examples, with dropout
  double validation_loss = 0;
  /// Accuracy; for regression -2 * loss; or what a ValidationScore says.
  double validation_score = 0;

  void fields(auto&& field) const {
    field("loss", loss);
    field("validation_loss", validation_loss);
    field("validation_score", validation_score);
  }
};

struct TrainedNetwork {
  Network network;  ///< of the best epoch
  std::vector<NetworkEpoch> curve;
  std::size_t best = 0;  ///< index of the epoch with the highest validation score, on ties the
                         ///< lowest validation loss; the last epoch if there is no validation set
};

/// A score of the outputs for the validation set, a row for each example: the higher the better.
using ValidationScore = std::function<double(const Matrix<float>& outputs)>;

/// Trains with Adam (Kingma & Ba 2015) on the rows `train`, with early stopping on the rows
/// `validation`. targets: one row for each of `rows`, one number for each output. Throws Error if
/// an option is out of range, there are no training examples, or weights become infinite. The bits
/// do not depend on the number of threads. O(epochs * examples * weights).
TrainedNetwork train_network(const Matrix<float>& rows, const Matrix<float>& targets,
                             NetworkLoss loss, std::span<const std::uint32_t> train,
                             std::span<const std::uint32_t> validation,
                             const NetworkOptions& options = {}, const Context& context = {},
                             const ValidationScore& score = {});

}  // namespace espalier
