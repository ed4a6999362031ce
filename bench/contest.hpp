#pragma once

// One kernel on one set of trees: our time and that of the tree-by-tree algorithm.

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "baseline/all_pairs.hpp"
#include "baseline/matched_pairs.hpp"
#include "baseline/paper_pairs.hpp"
#include "baseline/tiles.hpp"
#include "espalier/gram/gram.hpp"
#include "stopwatch.hpp"

namespace espalier::bench {

/// The trees in both forms; making them is not part of any time.
struct Trees {
  explicit Trees(std::span<const Tree> trees) : flat(trees) {
    for (const Tree& tree : trees) {
      Example example;
      example.trees.push_back({"t", tree});
      data.add(example);
    }
  }
  std::size_t pairs() const { return flat.size() * (flat.size() + 1) / 2; }

  baseline::FlatTrees flat;
  Dataset data;
};

struct BaselineTime {
  double seconds = 0;  ///< of the processor
  double share = 1;    ///< of the pairs that were computed; the time is extrapolated from them
  double error = 0;    ///< largest relative difference between its values and ours
};

inline BaselineTime shorter(const BaselineTime& a, const BaselineTime& b) {
  return a.seconds < b.seconds ? a : b;
}

/// The algorithms we compare with.
enum class Algorithm {
  paper,      ///< matched pairs and a memo, to the letter; not for ST
  matched,    ///< the same, as fast as we can make it tree by tree
  quadratic,  ///< all pairs of nodes; not for ST
};

/// Calls use(pair_kernel) with an algorithm for a kernel.
template <class Use>
void with_algorithm(Algorithm algorithm, const baseline::FlatTrees& trees, const Kernel& kernel,
                    Use&& use) {
  const auto run = [&](auto pairs) { use(pairs); };
  const auto& options = std::get<TreeKernelNode>(kernel.root().what).options;
  if (const auto* st = std::get_if<SubtreeOptions>(&options)) {
    run(baseline::MatchedSubtrees(trees, *st));
  } else if (const auto* sst = std::get_if<SubsetTreeOptions>(&options)) {
    if (algorithm == Algorithm::paper) run(baseline::PaperSubsetTrees(trees, *sst));
    if (algorithm == Algorithm::matched) run(baseline::MatchedSubsetTrees(trees, *sst));
    if (algorithm == Algorithm::quadratic) run(baseline::QuadraticSubsetTrees(trees, *sst));
  } else {
    const auto& pt = std::get<PartialTreeOptions>(options);
    if (algorithm == Algorithm::paper) run(baseline::PaperPartialTrees(trees, pt));
    if (algorithm == Algorithm::matched) run(baseline::MatchedPartialTrees(trees, pt));
    if (algorithm == Algorithm::quadratic) run(baseline::QuadraticPartialTrees(trees, pt));
  }
}

/// The time of an algorithm for the whole matrix, on one thread. If it would take longer than
/// `limit` seconds, a part of the tiles is computed, spread over the matrix, and the rest
/// extrapolated.
inline BaselineTime time_pairs(Algorithm algorithm, const Kernel& kernel, const Trees& trees,
                               const Matrix<double>& ours, double limit) {
  const std::size_t size = trees.flat.size();
  // Smaller tiles if there are few trees, so that a part of them can be taken.
  const std::size_t tile = size < 512 ? 8 : 64;
  const std::size_t tiles = (size + tile - 1) / tile;
  const std::size_t all = tiles * (tiles + 1) / 2;
  Matrix<double> values(size, size);
  const auto run = [&](std::size_t every) {
    std::fill_n(values.data(), size * size, std::numeric_limits<double>::quiet_NaN());
    std::size_t pairs = 0;
    Time time;
    with_algorithm(algorithm, trees.flat, kernel, [&](auto& pair_kernel) {
      time = time_of([&] { pairs = tiled_gram(pair_kernel, values, every, tile); });
    });
    const double share = static_cast<double>(pairs) / static_cast<double>(trees.pairs());
    return BaselineTime{time.processor / share, share, 0};
  };
  BaselineTime out = run(std::max<std::size_t>(1, all / 20));
  if (out.share < 1) {
    out = run(std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(out.seconds / limit))));
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (std::isnan(values(i, j)) || values(i, j) == ours(i, j)) continue;
      out.error = std::max(
          out.error, std::abs(values(i, j) - ours(i, j)) / std::max(values(i, j), ours(i, j)));
    }
  }
  return out;
}

inline Context with_threads(std::size_t threads) {
  Context context;
  context.threads = threads;
  return context;
}

/// Matrices that are there already, so that nothing is paid for new memory.
class Outputs {
 public:
  Outputs(const Trees& trees, std::size_t count) {
    const std::size_t size = trees.data.size();
    for (std::size_t k = 0; k < count; ++k) {
      matrices_.emplace_back(size, size);
      data_.push_back(matrices_.back().data());
      std::fill_n(data_.back(), size * size, 0.0);
    }
  }
  std::span<double* const> first(std::size_t count) const { return std::span(data_).first(count); }

 private:
  std::vector<Matrix<double>> matrices_;
  std::vector<double*> data_;
};

/// Our time for one matrix, or for the matrices of a sweep.
inline Time our_time(std::span<const FittedKernel> kernels, const Trees& trees,
                     const Outputs& outputs, std::size_t threads) {
  return shortest([&] {
    gram_into<double>(kernels, trees.data, nullptr, outputs.first(kernels.size()),
                      with_threads(threads));
  });
}

}  // namespace espalier::bench
