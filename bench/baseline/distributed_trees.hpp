#pragma once

// Distributed trees as one would write them first: vectors of floats, full random permutations, a
// gather and a multiplication, or three transforms, for each composition.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef ESPALIER_KISSFFT
#include <kissfft/kiss_fftr.h>
#endif

#include "espalier/forest/tree.hpp"

namespace espalier::baseline {

/// Two permutations of the entries.
struct Permutations {
  explicit Permutations(std::size_t dimension) {
    std::mt19937_64 engine(1);
    for (auto& order : orders) {
      order.resize(dimension);
      std::iota(order.begin(), order.end(), 0U);
      std::shuffle(order.begin(), order.end(), engine);
    }
  }
  std::vector<std::uint32_t> orders[2];
};

/// a (x) b by a gather and a multiplication.
class GatheredProduct {
 public:
  explicit GatheredProduct(std::size_t dimension)
      : permutations_(dimension), factor_(std::sqrt(static_cast<float>(dimension))) {}

  void operator()(const float* a, const float* b, float* out) const {
    const std::uint32_t* const p1 = permutations_.orders[0].data();
    const std::uint32_t* const p2 = permutations_.orders[1].data();
    const std::size_t size = permutations_.orders[0].size();
    for (std::size_t i = 0; i < size; ++i) out[i] = factor_ * a[p1[i]] * b[p2[i]];
  }

 private:
  Permutations permutations_;
  float factor_;
};

#ifdef ESPALIER_KISSFFT
/// a (x) b by two transforms forward and one back.
class KissConvolution {
 public:
  explicit KissConvolution(std::size_t dimension)
      : permutations_(dimension),
        forward_(kiss_fftr_alloc(static_cast<int>(dimension), 0, nullptr, nullptr)),
        inverse_(kiss_fftr_alloc(static_cast<int>(dimension), 1, nullptr, nullptr)),
        shuffled_(dimension),
        spectra_{std::vector<kiss_fft_cpx>(dimension / 2 + 1),
                 std::vector<kiss_fft_cpx>(dimension / 2 + 1)} {}
  KissConvolution(const KissConvolution&) = delete;
  KissConvolution& operator=(const KissConvolution&) = delete;
  ~KissConvolution() {
    kiss_fftr_free(forward_);
    kiss_fftr_free(inverse_);
  }

  void operator()(const float* a, const float* b, float* out) {
    transform(a, 0);
    transform(b, 1);
    const float factor = 1 / static_cast<float>(shuffled_.size());
    for (std::size_t k = 0; k < spectra_[0].size(); ++k) {
      const kiss_fft_cpx x = spectra_[0][k], y = spectra_[1][k];
      spectra_[0][k] = {factor * (x.r * y.r - x.i * y.i), factor * (x.r * y.i + x.i * y.r)};
    }
    kiss_fftri(inverse_, spectra_[0].data(), out);
  }

 private:
  void transform(const float* v, int side) {
    const auto& order = permutations_.orders[side];
    for (std::size_t i = 0; i < order.size(); ++i) shuffled_[i] = v[order[i]];
    kiss_fftr(forward_, shuffled_.data(), spectra_[side].data());
  }

  Permutations permutations_;
  kiss_fftr_cfg forward_, inverse_;
  std::vector<float> shuffled_;
  std::vector<kiss_fft_cpx> spectra_[2];
};
#endif

/// The vectors of trees, node by node.
template <class Compose>
class DistributedTrees {
 public:
  DistributedTrees(std::size_t dimension, double decay)
      : dimension_(dimension), scale_(static_cast<float>(std::sqrt(decay))), compose_(dimension) {}

  std::vector<float> operator()(const Tree& tree) {
    sum_.assign(dimension_, 0);
    std::size_t node = 0;
    visit(tree, node);
    return sum_;
  }

  const std::vector<float>& label(std::string_view text) {
    std::vector<float>& vector = labels_[std::string(text)];
    if (vector.empty()) {
      std::mt19937_64 engine(std::hash<std::string_view>()(text));
      std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(dimension_)));
      for (std::size_t i = 0; i < dimension_; ++i) vector.push_back(normal(engine));
    }
    return vector;
  }

 private:
  /// c + sqrt(decay) s(c) of the node, which is moved behind its subtree.
  std::vector<float> visit(const Tree& tree, std::size_t& node) {
    const std::vector<float>& own = label(tree.label(node));
    const std::uint32_t arity = tree.children(node++);
    if (arity == 0) return own;
    std::vector<std::vector<float>> below;
    for (std::uint32_t i = 0; i < arity; ++i) below.push_back(visit(tree, node));
    std::vector<float> composed(dimension_);
    std::vector<float>& right = below.back();
    for (std::uint32_t i = arity - 1; i-- > 0;) {
      compose_(below[i].data(), right.data(), composed.data());
      right.swap(composed);
    }
    compose_(own.data(), right.data(), composed.data());
    for (std::size_t i = 0; i < dimension_; ++i) {
      sum_[i] += composed[i];
      composed[i] = own[i] + scale_ * composed[i];
    }
    return composed;
  }

  std::size_t dimension_;
  float scale_;
  Compose compose_;
  std::unordered_map<std::string, std::vector<float>> labels_;
  std::vector<float> sum_;
};

}  // namespace espalier::baseline
