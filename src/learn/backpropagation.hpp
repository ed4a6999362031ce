#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "base/matrix_product.hpp"
#include "espalier/learn/network.hpp"
#include "learn/layer_rows.hpp"
#include "learn/network_loss.hpp"

namespace espalier {

/// One forward and backward pass over a batch.
template <class T>
class Backpropagation {
 public:
  /// Called with rows [begin, end) of the gradient of a layer's weights as soon as they are
  /// complete, from several threads; and with that of its bias.
  struct Receiver {
    std::function<void(std::size_t layer, std::size_t begin, std::size_t end, const T* gradient)>
        weights;
    std::function<void(std::size_t layer, std::span<const T> gradient)> bias;
  };

  /// `layers` may change between passes, and the receiver may change them within one.
  Backpropagation(const std::vector<DenseLayer<T>>& layers, NetworkLoss loss,
                  const Dropout& dropout, std::size_t batch, ThreadPool& pool)
      : layers_(layers), loss_(loss), dropout_(dropout), pool_(pool), multiply_(pool) {
    std::size_t largest = 0;
    values_.emplace_back(batch * layers[0].inputs);
    for (const DenseLayer<T>& layer : layers) {
      values_.emplace_back(batch * layer.outputs);
      largest = std::max(largest, layer.weights.size());
    }
    deltas_ = values_;
    gradient_.resize(largest);
    targets_.resize(values_.back().size());
    losses_.resize(batch);
  }

  std::span<T> input(std::size_t row) { return row_of(values_[0], row, layers_[0].inputs); }
  std::span<T> target(std::size_t row) { return row_of(targets_, row, layers_.back().outputs); }

  /// The sum of the losses of the first `count` rows of input and target. Gradients are those of
  /// their mean.
  double pass(std::uint64_t step, std::size_t count, const Receiver& receiver) {
    forward(step, count);
    for (std::size_t l = layers_.size(); l-- > 0;) {
      if (l > 0) back(l, count);
      receive(l, count, receiver);
    }
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += losses_[i];
    return sum;
  }

 private:
  static std::span<T> row_of(std::vector<T>& rows, std::size_t i, std::size_t width) {
    return {rows.data() + i * width, width};
  }
  static Strided<T> by_rows(const std::vector<T>& values, std::size_t width) {
    return {values.data(), width, 1};
  }

  void forward(std::uint64_t step, std::size_t count) {
    pool_.run(count, [&](std::size_t, std::size_t i) { dropout_.apply(step, 0, i, input(i)); });
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const DenseLayer<T>& layer = layers_[l];
      std::vector<T>& out = values_[l + 1];
      multiply_(count, layer.outputs, layer.inputs, by_rows(values_[l], layer.inputs),
                by_rows(layer.weights, layer.outputs), out.data(),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    activate(layer, row_of(out, i, layer.outputs));
                    if (l + 1 < layers_.size()) {
                      dropout_.apply(step, l + 1, i, row_of(out, i, layer.outputs));
                    } else {
                      finish(i, count);
                    }
                  }
                });
    }
  }

  /// Computes the loss of a row, and the derivative of the mean loss, from its outputs.
  void finish(std::size_t i, std::size_t count) {
    const std::span<T> delta = row_of(deltas_.back(), i, layers_.back().outputs);
    std::ranges::copy(row_of(values_.back(), i, layers_.back().outputs), delta.begin());
    losses_[i] = loss_and_derivative<T>(loss_, delta, target(i));
    for (T& d : delta) d /= static_cast<T>(count);
  }

  /// The derivatives with respect to the inputs of a layer, the outputs of the previous one.
  void back(std::size_t l, std::size_t count) {
    const DenseLayer<T>& layer = layers_[l];
    const auto scale = static_cast<T>(dropout_.scale());
    multiply_(count, layer.inputs, layer.outputs, by_rows(deltas_[l + 1], layer.outputs),
              by_rows(layer.weights, layer.outputs).transposed(), deltas_[l].data(),
              [&](std::size_t begin, std::size_t end) {
                pass_back(values_[l].data() + begin * layer.inputs, scale,
                          deltas_[l].data() + begin * layer.inputs, (end - begin) * layer.inputs);
              });
  }

  void receive(std::size_t l, std::size_t count, const Receiver& receiver) {
    const DenseLayer<T>& layer = layers_[l];
    bias_gradient_.assign(layer.outputs, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<T> delta = row_of(deltas_[l + 1], i, layer.outputs);
      for (std::size_t k = 0; k < delta.size(); ++k) bias_gradient_[k] += delta[k];
    }
    multiply_(layer.inputs, layer.outputs, count, by_rows(values_[l], layer.inputs).transposed(),
              by_rows(deltas_[l + 1], layer.outputs), gradient_.data(),
              [&](std::size_t begin, std::size_t end) {
                receiver.weights(l, begin, end, gradient_.data() + begin * layer.outputs);
              });
    receiver.bias(l, bias_gradient_);
  }

  const std::vector<DenseLayer<T>>& layers_;
  NetworkLoss loss_;
  Dropout dropout_;
  ThreadPool& pool_;
  MatrixProduct<T> multiply_;
  std::vector<std::vector<T>>
      values_;  ///< the input, then the outputs of each layer, after dropout
  std::vector<std::vector<T>> deltas_;  ///< derivatives of the loss with respect to these
  std::vector<T> targets_;
  std::vector<T> gradient_;
  std::vector<T> bias_gradient_;
  std::vector<double> losses_;
};

}  // namespace espalier
