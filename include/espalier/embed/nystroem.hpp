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
};

struct NystroemOptions {
  std::size_t landmarks = 500;  ///< all examples if there are not so many
  LandmarkPolicy policy = LandmarkPolicy::uniform;
  std::uint64_t seed = 1;
  double tolerance = 1e-10;  ///< directions whose eigenvalue is below this share of the largest are
                             ///< dropped: duplicate landmarks give such
};

/// Turns any kernel into dense vectors: their dot products approximate it, and are exact between
/// landmarks (Williams & Seeger 2001). With W = U S U' the kernels of the landmarks and c those of
/// an example with them, its vector is c U S^(-1/2).
class Nystroem {
 public:
  /// Throws Error if an option is out of range.
  explicit Nystroem(Kernel kernel, NystroemOptions options = {});

  /// Chooses the landmarks. `classes`, one number for each example, is for classwise only.
  /// O(landmarks^3) on top of their Gram matrix. Throws Error if there are no examples, or if all
  /// landmarks have the kernel 0.
  void fit(const Dataset& data, std::span<const std::uint32_t> classes = {},
           const Context& context = {});

  /// A row for each example: its kernels with all landmarks, and a product with a matrix. Requires
  /// fit(). The bits depend on neither threads nor memory.
  Matrix<float> transform(const Dataset& data, const Context& context = {}) const;
  /// So many examples are compared with the landmarks at a time: a data set cut into parts of this
  /// size has the same rows, to the bit. Requires fit().
  std::size_t rows_together() const;

  /// The functions f_o(x) = weights.row(o) * vector of x, in terms of the kernel: a linear model
  /// on the vectors needs neither these nor the landmarks any more. Requires fit().
  KernelFunctions functions(const Matrix<double>& weights, const Context& context = {}) const;

  const Kernel& kernel() const { return kernel_; }
  const NystroemOptions& options() const { return options_; }
  const Dataset& landmarks() const { return landmarks_; }
  /// Where the landmarks stood in the data, rising.
  std::span<const std::uint32_t> chosen() const { return chosen_; }
  /// Numbers in a vector: landmarks, less the directions dropped.
  std::size_t rank() const { return projection_.rows(); }

 private:
  Kernel kernel_;
  NystroemOptions options_;
  std::vector<std::uint32_t> chosen_;
  Dataset landmarks_;
  Matrix<double> projection_;  ///< rank x landmarks: S^(-1/2) U'
};

}  // namespace espalier
