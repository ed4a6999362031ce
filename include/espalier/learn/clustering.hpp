#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

struct ClusterOptions {
  std::size_t clusters = 8;
  std::size_t restarts = 10;  ///< number of initialisations; the best is kept
  std::size_t max_iterations = 100;
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("clusters", self.clusters, "number of clusters", {.range = {1, 0x1p53}, .common = true});
    field("restarts", self.restarts, "random initialisations, of which the best is kept",
          {.range = {1, 0x1p53}, .common = true});
    field("max_iterations", self.max_iterations, "iterations per initialisation, at most",
          {.range = {1, 0x1p53}});
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

/// The result of k-means.
struct Clustering {
  std::vector<std::uint32_t> clusters;  ///< per example, numbered by descending size; none is empty
  std::vector<double> distances;        ///< per example: squared distance from its centre
  double cost = 0;                      ///< the sum of the distances (inertia)
  std::size_t iterations = 0;           ///< of the best initialisation
  bool converged = true;                ///< false: stopped at max_iterations

  std::size_t cluster_count() const;
  /// The examples of a cluster, nearest to its centre first.
  std::vector<std::uint32_t> members(std::uint32_t cluster) const;
};

/// k-means (Lloyd 1982), initialised by k-means++ (Arthur & Vassilvitskii 2007). An empty cluster
/// takes the example farthest from its centre, so no cluster is empty. In parallel; the bits do not
/// depend on the number of threads. Throws Error if there are fewer examples than clusters, or if a
/// value is not finite.
///
/// O(restarts * iterations * clusters * values).
Clustering cluster_vectors(const Matrix<float>& vectors, const ClusterOptions& options = {},
                           const Context& context = {});

/// Kernel k-means on a Gram matrix: distances from a centre are means of kernels (Dhillon, Guan &
/// Kulis 2004). O(restarts * iterations * examples^2).
Clustering cluster_kernel(const Matrix<float>& gram, const ClusterOptions& options = {},
                          const Context& context = {});

}  // namespace espalier
