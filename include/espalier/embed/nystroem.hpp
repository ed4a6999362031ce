#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// Which examples become landmarks.
enum class LandmarkPolicy {
  uniform,    ///< any, all equally likely: nothing is computed
  kmeans,     ///< far from each other, as k-means++ starts (Arthur & Vassilvitskii 2007). Computes
              ///< the Gram matrix if it fits context.memory, else a row of it for each landmark
  leverage,   ///< those that others say little about: in proportion to ridge leverage scores,
              ///< estimated on uniform landmarks (Alaoui & Mahoney 2015): twice the work
  classwise,  ///< the same number of each class, as far as there are so many; any within a class
  support,    ///< those that a linear machine on uniform landmarks finds hard to tell apart, likely
              ///< in proportion to their coefficients in it: twice the work
};

/// Whether it looks at the classes of examples.
inline bool needs_classes(LandmarkPolicy policy) {
  return policy == LandmarkPolicy::classwise || policy == LandmarkPolicy::support;
}

/// How much each of several sets of landmarks counts.
enum class SetWeights {
  equal,
  error,  ///< those that come nearer to the kernel on a sample count more: 1 / squared error
};

struct NystroemOptions {
  std::size_t landmarks = 500;  ///< in a set; all examples if there are not so many
  LandmarkPolicy policy = LandmarkPolicy::uniform;
  std::uint64_t seed = 1;
  double tolerance = 1e-10;  ///< directions whose eigenvalue is below this share of the largest are
                             ///< dropped: duplicate landmarks give such
  std::size_t sets = 1;      ///< of landmarks, with a vector each (Kumar, Mohri & Talwalkar 2009):
                             ///< takes less time than one set with as many landmarks in all
  SetWeights set_weights = SetWeights::equal;
};

/// Turns any kernel into dense vectors: their dot products approximate it, and are exact between
/// landmarks (Williams & Seeger 2001). With W = U S U' the kernels of the landmarks and c those of
/// an example with them, its vector is c U S^(-1/2). With several sets the vectors of all sets,
/// each times the root of its weight, make one: the kernel is the weighted mean of what the sets
/// say.
class Nystroem {
 public:
  /// Throws Error if an option is out of range.
  explicit Nystroem(Kernel kernel, NystroemOptions options = {});

  /// Chooses the landmarks. `classes`, one number for each example or none, is for policies that
  /// need it. O(sets * landmarks^3) on top of their Gram matrix. Throws Error if there are no
  /// examples, or if all landmarks have the kernel 0.
  void fit(const Dataset& data, std::span<const std::uint32_t> classes = {},
           const Context& context = {});

  /// A row for each example: its kernels with all landmarks, and a product with a matrix. Requires
  /// fit(). The bits depend on neither threads nor memory.
  Matrix<float> transform(const Dataset& data, const Context& context = {}) const;
  /// So many examples are compared with the landmarks at a time: a data set cut into parts of this
  /// size has the same rows, to the bit. Requires fit().
  std::size_t rows_together() const;

  /// The kernel of x with each landmark, computed in one walk for all of them: vectors are the
  /// product of projection() with these. Requires fit().
  KernelFunctions landmark_kernels(const Context& context = {}) const;
  const Matrix<double>& projection() const { return projection_; }

  const Kernel& kernel() const { return kernel_; }
  const NystroemOptions& options() const { return options_; }
  const Dataset& landmarks() const { return landmarks_; }
  /// Where the landmarks stood in the data, rising.
  std::span<const std::uint32_t> chosen() const { return chosen_; }
  /// Numbers in a vector: landmarks of all sets, less the directions dropped.
  std::size_t rank() const { return projection_.rows(); }

 private:
  /// How much each set counts; 1 in all.
  std::vector<double> set_weights(const Dataset& data, const Dataset& landmarks,
                                  std::span<const std::vector<std::uint32_t>> sets,
                                  std::span<const Matrix<double>> projections,
                                  const Context& context) const;

  Kernel kernel_;
  NystroemOptions options_;
  std::vector<std::uint32_t> chosen_;
  Dataset landmarks_;
  Matrix<double> projection_;  ///< rank x landmarks: S^(-1/2) U', a block for each set
};

}  // namespace espalier
