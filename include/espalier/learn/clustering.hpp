#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

struct ClusterOptions {
  std::size_t clusters = 8;
  std::size_t restarts = 10;  ///< the best of so many starts is kept
  std::size_t max_iterations = 100;
  std::uint64_t seed = 1;
};

/// Which cluster each example belongs to.
struct Clustering {
  std::vector<std::uint32_t> clusters;  ///< per example, numbered by falling size; none is empty
  std::vector<double> distances;        ///< per example: squared, from the centre of its cluster
  double cost = 0;                      ///< the sum of the distances, which was minimised
  std::size_t iterations = 0;           ///< of the start that was kept
  bool converged = true;                ///< false: max_iterations came first

  std::size_t cluster_count() const;
  /// The examples of a cluster, those nearest to its centre first.
  std::vector<std::uint32_t> members(std::uint32_t cluster) const;
};

/// k-means (Lloyd 1982) from starts that are far from each other (k-means++, Arthur &
/// Vassilvitskii 2007). A cluster that gets empty takes the example farthest from its centre, of a
/// cluster that has others, so that all clusters asked for have examples. In parallel; the bits do
/// not depend on the threads. Throws Error if there are fewer examples than clusters, or if a value
/// is not finite.
///
/// O(restarts * iterations * clusters * values).
Clustering cluster_vectors(const Matrix<float>& vectors, const ClusterOptions& options = {},
                           const Context& context = {});

/// The same in the space of the kernel, from the Gram matrix: distances from a centre are means of
/// kernels (Dhillon, Guan & Kulis 2004). O(restarts * iterations * examples^2).
Clustering cluster_kernel(const Matrix<float>& gram, const ClusterOptions& options = {},
                          const Context& context = {});

}  // namespace espalier
