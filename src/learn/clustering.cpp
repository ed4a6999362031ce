#include "espalier/learn/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"

namespace espalier {

namespace {

constexpr std::size_t rows_at_once = 64;

void for_rows(std::size_t rows, const Context& context,
              const std::function<void(std::size_t)>& work) {
  parallel((rows + rows_at_once - 1) / rows_at_once, context,
           [&](std::size_t, std::size_t task) {
             const std::size_t end = std::min(rows, (task + 1) * rows_at_once);
             for (std::size_t i = task * rows_at_once; i < end; ++i) work(i);
           },
           [](std::size_t) { return 1.0; });
}

using Clusters = std::vector<std::uint32_t>;

std::vector<std::size_t> sizes_of(const Clusters& clusters, std::size_t count) {
  std::vector<std::size_t> out(count, 0);
  for (const std::uint32_t c : clusters) ++out[c];
  return out;
}

// A space provides the distances for k-means: between() two examples, and to_centres(), the squared
// distance of each example from the centre of each non-empty cluster.

class VectorSpace {
 public:
  explicit VectorSpace(const Matrix<float>& vectors) : vectors_(vectors) {}

  std::size_t size() const { return vectors_.rows(); }

  double between(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t k = 0; k < vectors_.columns(); ++k) {
      const double difference =
          static_cast<double>(vectors_(i, k)) - static_cast<double>(vectors_(j, k));
      sum += difference * difference;
    }
    return sum;
  }

  void to_centres(const Clusters& clusters, Matrix<double>& out, const Context& context) const {
    const Matrix<double> centres = centres_of(clusters, out.columns());
    for_rows(size(), context, [&](std::size_t i) {
      for (std::size_t c = 0; c < out.columns(); ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < vectors_.columns(); ++k) {
          const double difference = static_cast<double>(vectors_(i, k)) - centres(c, k);
          sum += difference * difference;
        }
        out(i, c) = sum;
      }
    });
  }

 private:
  Matrix<double> centres_of(const Clusters& clusters, std::size_t count) const {
    const std::vector<std::size_t> sizes = sizes_of(clusters, count);
    Matrix<double> out(count, vectors_.columns());
    std::fill_n(out.data(), count * vectors_.columns(), 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t k = 0; k < vectors_.columns(); ++k) {
        out(clusters[i], k) += static_cast<double>(vectors_(i, k));
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      for (double& value : out.row(c)) value /= static_cast<double>(sizes[c]);
    }
    return out;
  }

  const Matrix<float>& vectors_;
};

class KernelSpace {
 public:
  explicit KernelSpace(const Matrix<float>& gram) : gram_(gram) {}

  std::size_t size() const { return gram_.rows(); }

  double between(std::size_t i, std::size_t j) const {
    return std::max(0.0, value(i, i) + value(j, j) - 2 * value(i, j));
  }

  void to_centres(const Clusters& clusters, Matrix<double>& out, const Context& context) const {
    const std::vector<std::size_t> sizes = sizes_of(clusters, out.columns());
    // First the mean kernels with each cluster.
    for_rows(size(), context, [&](std::size_t i) {
      std::ranges::fill(out.row(i), 0.0);
      for (std::size_t j = 0; j < size(); ++j) out(i, clusters[j]) += value(i, j);
      for (std::size_t c = 0; c < sizes.size(); ++c) out(i, c) /= static_cast<double>(sizes[c]);
    });
    std::vector<double> squares(sizes.size(), 0);  // squared lengths of the centres
    for (std::size_t i = 0; i < size(); ++i) {
      squares[clusters[i]] += out(i, clusters[i]) / static_cast<double>(sizes[clusters[i]]);
    }
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        out(i, c) = std::max(0.0, value(i, i) - 2 * out(i, c) + squares[c]);
      }
    }
  }

 private:
  double value(std::size_t i, std::size_t j) const { return static_cast<double>(gram_(i, j)); }

  const Matrix<float>& gram_;
};

/// k-means++: assigns each example to the nearest of k examples. The first is random, the others
/// are drawn with probability proportional to the squared distance from those before.
template <class Space>
Clusters start(const Space& space, std::size_t count, Random& random) {
  Clusters out(space.size(), 0);
  std::vector<double> nearest(space.size(), std::numeric_limits<double>::infinity());
  auto centre = static_cast<std::size_t>(random.below(space.size()));
  for (std::uint32_t c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < space.size(); ++i) {
      const double distance = i == centre ? 0 : space.between(i, centre);
      if (distance >= nearest[i] && i != centre) continue;
      nearest[i] = distance;
      out[i] = c;
    }
    double left = random.uniform() * std::accumulate(nearest.begin(), nearest.end(), 0.0);
    for (std::size_t i = 0; i < space.size(); ++i) {
      if (nearest[i] <= 0) continue;
      centre = i;
      left -= nearest[i];
      if (left < 0) break;
    }
  }
  return out;
}

/// Gives each empty cluster the example farthest from its centre, from a cluster with others.
void fill_empty(Clusters& clusters, std::vector<double>& distances, std::size_t count) {
  std::vector<std::size_t> sizes = sizes_of(clusters, count);
  for (std::uint32_t c = 0; c < count; ++c) {
    if (sizes[c] > 0) continue;
    std::size_t farthest = clusters.size();
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (sizes[clusters[i]] < 2) continue;
      if (farthest == clusters.size() || distances[i] > distances[farthest]) farthest = i;
    }
    --sizes[clusters[farthest]];
    clusters[farthest] = c;
    distances[farthest] = 0;
    sizes[c] = 1;
  }
}

/// The nearest centre of each example; on ties its own, otherwise the first.
void assign(const Matrix<double>& to_centres, Clusters& clusters, std::vector<double>& distances) {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto row = to_centres.row(i);
    const auto best = std::ranges::min_element(row);
    if (*best < row[clusters[i]]) clusters[i] = static_cast<std::uint32_t>(best - row.begin());
    distances[i] = row[clusters[i]];
  }
}

template <class Space>
Clustering descend(const Space& space, const ClusterOptions& options, Random& random,
                   const Context& context) {
  Clustering out;
  out.clusters = start(space, options.clusters, random);
  out.distances.assign(space.size(), 0);
  fill_empty(out.clusters, out.distances, options.clusters);
  Matrix<double> to_centres(space.size(), options.clusters);
  out.converged = false;
  while (!out.converged && out.iterations < options.max_iterations) {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    ++out.iterations;
    space.to_centres(out.clusters, to_centres, context);
    const Clusters before = out.clusters;
    assign(to_centres, out.clusters, out.distances);
    fill_empty(out.clusters, out.distances, options.clusters);
    out.converged = out.clusters == before;
  }
  // Recompute: if stopped early, examples were assigned by the previous centres.
  space.to_centres(out.clusters, to_centres, context);
  for (std::size_t i = 0; i < space.size(); ++i) {
    out.distances[i] = to_centres(i, out.clusters[i]);
  }
  out.cost = std::accumulate(out.distances.begin(), out.distances.end(), 0.0);
  return out;
}

/// Numbers the clusters by descending size; on ties, the one with the first example comes first.
void number_by_size(Clustering& clustering, std::size_t count) {
  const std::vector<std::size_t> sizes = sizes_of(clustering.clusters, count);
  Clusters order;
  for (const std::uint32_t c : clustering.clusters) {
    if (std::ranges::find(order, c) == order.end()) order.push_back(c);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t c) { return sizes[c]; });
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t k = 0; k < order.size(); ++k) numbers[order[k]] = k;
  for (std::uint32_t& c : clustering.clusters) c = numbers[c];
}

void check(const Matrix<float>& matrix, const ClusterOptions& options) {
  check_parameters(options);
  if (matrix.rows() < options.clusters) {
    throw Error("there are " + std::to_string(options.clusters) + " clusters, but only " +
                std::to_string(matrix.rows()) + " examples");
  }
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (std::ranges::all_of(matrix.row(i), [](float value) { return std::isfinite(value); })) {
      continue;
    }
    throw Error("a value of example " + std::to_string(i + 1) + " is infinite or NaN");
  }
}

template <class Space>
Clustering best_of(const Space& space, const ClusterOptions& options, const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  Random random(options.seed);
  Clustering best;
  for (std::size_t r = 0; r < options.restarts; ++r) {
    Clustering found = descend(space, options, random, quiet);
    if (r == 0 || found.cost < best.cost) best = std::move(found);
    if (context.progress) {
      context.progress(static_cast<double>(r + 1) / static_cast<double>(options.restarts));
    }
  }
  number_by_size(best, options.clusters);
  return best;
}

}  // namespace

std::size_t Clustering::cluster_count() const {
  return clusters.empty() ? 0 : std::ranges::max(clusters) + std::size_t{1};
}

std::vector<std::uint32_t> Clustering::members(std::uint32_t cluster) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i] == cluster) out.push_back(i);
  }
  std::ranges::stable_sort(out, {}, [&](std::uint32_t i) { return distances[i]; });
  return out;
}

Clustering cluster_vectors(const Matrix<float>& vectors, const ClusterOptions& options,
                           const Context& context) {
  check(vectors, options);
  return best_of(VectorSpace(vectors), options, context);
}

Clustering cluster_kernel(const Matrix<float>& gram, const ClusterOptions& options,
                          const Context& context) {
  if (gram.rows() != gram.columns()) throw Error("a Gram matrix is square");
  check(gram, options);
  return best_of(KernelSpace(gram), options, context);
}

}  // namespace espalier
