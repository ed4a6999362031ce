#pragma once

#include <cstdint>
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

/// How long steps are.
enum class StepLengths {
  constant,  ///< all as long as the learning rate says
  linear,    ///< shorter and shorter: from there to 0 in the last of all epochs
};

struct NetworkOptions {
  std::vector<std::size_t> hidden = {0, 0};  ///< widths of the hidden layers; 0: as the input
  double dropout = 0.2;                      ///< share of each hidden layer left out at random
  double input_dropout = 0.2;                ///< share of the input
  double l2 = 0;                             ///< half the sum of the squared weights costs so much
  double learning_rate = 0.001;
  StepLengths steps = StepLengths::constant;
  std::size_t batch = 256;    ///< examples in a step
  std::size_t epochs = 500;   ///< how often each example is seen, at most
  std::size_t patience = 50;  ///< stop after so many epochs that are no better; 0: never
  bool train_input = false;   ///< a first layer that is linear and begins as it leaves off: the
                              ///< projection that made the vectors is trained with the rest
  std::uint64_t seed = 1;     ///< of first weights, order and dropout
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
  double validation_score = 0;  ///< accuracy; for regression -2 * loss

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

/// Trains with Adam (Kingma & Ba 2015) on the rows `train`, with early stopping on the rows
/// `validation`. targets: one row for each of `rows`, one number for each output. Throws Error if
/// an option is out of range, there are no training examples, or weights become infinite. The bits
/// do not depend on the number of threads. O(epochs * examples * weights).
TrainedNetwork train_network(const Matrix<float>& rows, const Matrix<float>& targets,
                             NetworkLoss loss, std::span<const std::uint32_t> train,
                             std::span<const std::uint32_t> validation,
                             const NetworkOptions& options = {}, const Context& context = {});

}  // namespace espalier
