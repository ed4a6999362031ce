#include "explain/relevance.hpp"

#include <algorithm>
#include <numeric>

namespace espalier {

namespace {

constexpr double epsilon = 1e-12;

/// A linear layer with weight(i, j) from input i to output j.
template <class Weight>
std::vector<double> outputs_of(std::span<const double> inputs, std::size_t outputs,
                               Weight&& weight) {
  std::vector<double> out(outputs, 0.0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < outputs; ++j) out[j] += inputs[i] * weight(i, j);
  }
  return out;
}

/// Relevance per unit of output: relevance / (z + epsilon).
std::vector<double> relevance_per_output(std::span<const double> relevance,
                                         std::span<const double> z) {
  std::vector<double> out(z.size());
  for (std::size_t j = 0; j < z.size(); ++j) {
    out[j] = relevance[j] == 0 ? 0 : relevance[j] / (z[j] + (z[j] < 0 ? -epsilon : epsilon));
  }
  return out;
}

template <class Weight>
std::vector<double> back(std::span<const double> inputs, std::span<const double> ratios,
                         Weight&& weight) {
  std::vector<double> out(inputs.size(), 0.0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < ratios.size(); ++j) out[i] += weight(i, j) * ratios[j];
    out[i] *= inputs[i];
  }
  return out;
}

auto weight_of(const DenseLayer<float>& layer) {
  return [&layer](std::size_t i, std::size_t j) {
    return static_cast<double>(layer.weights[i * layer.outputs + j]);
  };
}

/// Propagates relevance from the last layer back to the elements of the input vector. Adds the
/// relevance of the biases to `bias`.
std::vector<double> through_network(const Network& network, const std::vector<double>& vector,
                                    std::span<const double> weights, double& bias) {
  // values[l] is the input of layer l, sums[l] its output before rectification.
  std::vector<std::vector<double>> values = {vector}, sums;
  for (const DenseLayer<float>& layer : network.layers) {
    std::vector<double> z = outputs_of(values.back(), layer.outputs, weight_of(layer));
    for (std::size_t j = 0; j < z.size(); ++j) z[j] += static_cast<double>(layer.bias[j]);
    sums.push_back(z);
    if (layer.rectified) {
      std::ranges::transform(z, z.begin(), [](double x) { return std::max(x, 0.0); });
    }
    values.push_back(std::move(z));
  }
  std::vector<double> relevance = values.back();
  for (std::size_t j = 0; j < relevance.size(); ++j) relevance[j] *= weights[j];
  for (std::size_t l = network.layers.size(); l-- > 0;) {
    const DenseLayer<float>& layer = network.layers[l];
    const std::vector<double> ratios = relevance_per_output(relevance, sums[l]);
    for (std::size_t j = 0; j < ratios.size(); ++j) {
      bias += static_cast<double>(layer.bias[j]) * ratios[j];
    }
    relevance = back(values[l], ratios, weight_of(layer));
  }
  return relevance;
}

/// The eigenvalue s of each row u / sqrt(s) of the projection.
std::vector<double> eigenvalues(std::span<const double> projection, std::size_t landmarks) {
  std::vector<double> out;
  for (std::size_t k = 0; k < projection.size(); k += landmarks) {
    const auto row = projection.subspan(k, landmarks);
    out.push_back(1 / std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  }
  return out;
}

}  // namespace

Relevance propagate_relevance(const LandmarkScores& scores, std::span<const double> kernels,
                              std::span<const double> weights) {
  const std::size_t count = kernels.size();
  const auto projection = [&](std::size_t l, std::size_t k) {
    return scores.projection[k * count + l];
  };
  const std::vector<double> s = eigenvalues(scores.projection, count);
  const std::vector<double> vector = outputs_of(kernels, s.size(), projection);
  Relevance out;
  const std::vector<double> relevance = through_network(scores.network, vector, weights, out.bias);
  const std::vector<double> slopes = relevance_per_output(relevance, vector);
  constexpr double damping = 0.1;  // relative to the mean self-kernel of a landmark
  const double ridge =
      damping * std::accumulate(s.begin(), s.end(), 0.0) / static_cast<double>(count);
  out.rest = std::accumulate(relevance.begin(), relevance.end(), 0.0);
  for (std::size_t l = 0; l < count; ++l) {
    double slope = 0, part = 0, scored = 0;
    for (std::size_t k = 0; k < s.size(); ++k) {
      slope += slopes[k] * projection(l, k);
      part += projection(l, k) * s[k] / (s[k] + ridge) * vector[k];
      scored += slopes[k] * projection(l, k) * s[k];
    }
    out.slopes.push_back(slope);
    out.landmarks.push_back(part * scored);
    out.rest -= part * scored;
  }
  return out;
}

}  // namespace espalier
