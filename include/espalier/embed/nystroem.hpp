#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/gram/kernel_functions.hpp"

namespace espalier {

/// How landmarks are sampled from the examples.
enum class LandmarkPolicy {
  uniform,   ///< uniformly at random, at no cost
  kmeans,    ///< by k-means++ (Arthur & Vassilvitskii 2007), far from each other. Computes the Gram
             ///< matrix if it fits context.memory, otherwise one row per landmark
  leverage,  ///< with probability proportional to ridge leverage scores, estimated on uniform
             ///< landmarks (Alaoui & Mahoney 2015): twice the work
  classwise,  ///< the same number from each class, as far as possible; uniformly within a class
  support,    ///< with probability proportional to the absolute coefficients in a linear SVM on
              ///< uniform landmarks: twice the work
};
constexpr std::array<const char*, 5> names_of(LandmarkPolicy) {
  return {"uniform", "kmeans++", "leverage", "classwise", "support"};
}

/// Whether the policy uses the classes of examples.
inline bool needs_classes(LandmarkPolicy policy) {
  return policy == LandmarkPolicy::classwise || policy == LandmarkPolicy::support;
}

/// Weights of several sets of landmarks.
enum class SetWeights {
  equal,
  error,  ///< 1 / squared error of the approximation on a sample
};
constexpr std::array<const char*, 2> names_of(SetWeights) { return {"equal", "error"}; }

struct NystroemOptions {
  std::size_t landmarks = 500;  ///< per set; all examples if there are fewer
  LandmarkPolicy policy = LandmarkPolicy::uniform;
  std::uint64_t seed = 1;
  double rank_tolerance = 1e-10;  ///< duplicate landmarks make such directions
  std::size_t sets =
      1;  ///< faster than one set of as many landmarks (Kumar, Mohri & Talwalkar 2009)
  SetWeights set_weights = SetWeights::equal;

  static void describe(auto& self, auto&& field) {
    field("landmarks", self.landmarks, "number of landmarks for Nystroem vectors; 0: none",
          {.range = {0, 0x1p53}, .common = true, .affects = Affects::preparation});
    field("policy", self.policy, "how landmarks are sampled",
          {.needs = "landmarks", .affects = Affects::preparation});
    field("sets", self.sets, "sets of landmarks, whose vectors are concatenated",
          {.range = {1, 0x1p53}, .needs = "landmarks", .affects = Affects::preparation});
    field("set_weights", self.set_weights,
          "weights of the sets: equal, or by their approximation error",
          {.needs = "landmarks", .affects = Affects::preparation});
    field("rank_tolerance", self.rank_tolerance,
          "drop directions whose eigenvalue is below this fraction of the largest",
          {.range = Range::below(1), .needs = "landmarks", .affects = Affects::preparation});
    field("seed", self.seed, "random seed",
          {.range = {0, 0x1p53}, .common = true, .affects = Affects::task});
  }
};

/// Nystroem approximation: dense vectors whose dot products approximate any kernel, exactly between
/// landmarks (Williams & Seeger 2001). With W = U S U' the Gram matrix of the landmarks and c the
/// kernels of an example with them, its vector is c U S^(-1/2). With several sets of landmarks, the
/// vectors of all sets are concatenated, each scaled by the root of its weight: the dot product is
/// the weighted mean over the sets.
class Nystroem {
 public:
  /// Throws Error if an option is out of range.
  explicit Nystroem(FittedKernel kernel, NystroemOptions options = {});

  /// Chooses the landmarks. `classes`, one number for each example or empty, is for policies that
  /// need classes. O(sets * landmarks^3) in addition to their Gram matrix. Throws Error if there
  /// are no examples, or if the kernel of all landmarks is 0.
  void fit(const Dataset& data, std::span<const std::uint32_t> classes = {},
           const Context& context = {});

  /// A row for each example: its kernels with all landmarks, multiplied by a matrix. Requires
  /// fit(). The bits do not depend on threads or memory.
  Matrix<float> transform(const Dataset& data, const Context& context = {}) const;
  /// Number of examples compared with the landmarks at a time: transforming a data set in parts of
  /// this size gives bit-identical rows. Requires fit().
  std::size_t rows_together() const;

  /// The kernels of x with all landmarks, computed in one pass: vectors are the product of
  /// projection() with these. Requires fit().
  KernelFunctions landmark_kernels(const Context& context = {}) const;
  const Matrix<double>& projection() const { return *projection_; }

  const FittedKernel& kernel() const { return kernel_; }
  /// Replaces what the kernel has loaded, as by the word vectors of more data.
  void set_state(KernelState state) { kernel_.state = std::move(state); }
  const NystroemOptions& options() const { return options_; }
  const Dataset& landmarks() const { return landmarks_; }
  /// Positions of the landmarks in the data, ascending.
  std::span<const std::uint32_t> chosen() const { return chosen_; }
  /// Components of a vector: landmarks of all sets, minus dropped directions.
  std::size_t rank() const { return projection_ ? projection_->rows() : 0; }

 private:
  /// The weights of the sets; their sum is 1.
  std::vector<double> set_weights(const Dataset& data, const Dataset& landmarks,
                                  std::span<const std::vector<std::uint32_t>> sets,
                                  std::span<const Matrix<double>> projections,
                                  const Context& context) const;

  FittedKernel kernel_;
  NystroemOptions options_;
  std::vector<std::uint32_t> chosen_;
  Dataset landmarks_;
  /// rank x landmarks: S^(-1/2) U', a block for each set. Shared by copies.
  std::shared_ptr<const Matrix<double>> projection_;
};

}  // namespace espalier
