#include "embed/landmarks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/eigen_decomposition.hpp"
#include "embed/row_product.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/learn/linear.hpp"

namespace espalier {

namespace {

using Places = std::vector<std::uint32_t>;

Places shuffled(std::size_t examples, Random& random) {
  Places out(examples);
  std::iota(out.begin(), out.end(), 0U);
  random.shuffle(std::span(out));
  return out;
}

Places choose_uniform(std::size_t examples, std::size_t count, Random& random) {
  Places out = shuffled(examples, random);
  out.resize(count);
  return out;
}

/// Round-robin over the classes, until there are enough.
Places choose_classwise(std::span<const std::uint32_t> classes, std::size_t count, Random& random) {
  std::map<std::uint32_t, Places> members;
  for (const std::uint32_t i : shuffled(classes.size(), random)) members[classes[i]].push_back(i);
  Places out;
  for (std::size_t round = 0; out.size() < count; ++round) {
    for (const auto& [number, places] : members) {
      if (round < places.size() && out.size() < count) out.push_back(places[round]);
    }
  }
  return out;
}

/// Draws an index with probability proportional to its weight.
std::uint32_t draw(std::span<const double> weights, Random& random) {
  double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

/// Rows of the Gram matrix: all computed at once if they fit into memory, otherwise on demand.
class GramRows {
 public:
  GramRows(const FittedKernel& kernel, const Dataset& data, const Context& context)
      : kernel_(kernel), data_(data), context_(context) {
    if (8.0 * std::pow(static_cast<double>(data.size()), 2) <=
        static_cast<double>(context.memory)) {
      all_ = gram(kernel, data, context);
    }
  }
  std::vector<double> operator()(std::uint32_t i) const {
    if (all_.rows() == 0) return gram_row(kernel_, data_, i, context_);
    return {all_.row(i).begin(), all_.row(i).end()};
  }

 private:
  const FittedKernel& kernel_;
  const Dataset& data_;
  const Context& context_;
  Matrix<double> all_;
};

/// k-means++: each with probability proportional to its squared distance from the nearest before.
Places choose_far(const FittedKernel& kernel, const Dataset& data, std::size_t count,
                  Random& random, const Context& context) {
  constexpr double rounding = 1e-12;
  const GramRows rows(kernel, data, context);
  const std::vector<double> selves = diagonal(kernel, data, context);
  std::vector<double> distances(data.size(), std::numeric_limits<double>::infinity());
  Places out;
  auto next = static_cast<std::uint32_t>(random.below(data.size()));
  while (true) {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    out.push_back(next);
    if (out.size() == count) return out;
    const std::vector<double> row = rows(next);
    for (std::size_t i = 0; i < data.size(); ++i) {
      const double distance = selves[i] + selves[next] - 2 * row[i];
      // For duplicates only rounding errors are left.
      const bool same = distance <= rounding * (selves[i] + selves[next]);
      distances[i] = std::min(distances[i], same ? 0 : distance);
    }
    distances[next] = 0;
    if (std::ranges::max(distances) == 0) return out;
    next = draw(distances, random);
  }
}

Nystroem uniform_landmarks(const FittedKernel& kernel, const Dataset& data,
                           const NystroemOptions& options, std::uint64_t seed,
                           const Context& context) {
  Nystroem out(kernel, {options.landmarks, LandmarkPolicy::uniform, seed, options.rank_tolerance});
  out.fit(data, {}, context);
  return out;
}

/// Ridge leverage scores: with vectors x_i of all examples and A = X'X + ridge, x_i A^-1 x_i'. The
/// part of an example outside the span of the vectors counts as a direction of its own. The ridge
/// is such that the scores add up to at most the number of landmarks.
std::vector<double> leverage_scores(const FittedKernel& kernel, const Dataset& data,
                                    const NystroemOptions& options, const Context& context) {
  const Nystroem uniform = uniform_landmarks(kernel, data, options, options.seed, context);
  const Matrix<float> vectors = uniform.transform(data, context);
  const std::vector<double> selves = diagonal(kernel, data, context);
  const double ridge =
      std::accumulate(selves.begin(), selves.end(), 0.0) / static_cast<double>(options.landmarks);
  Matrix<double> rows(vectors.rows(), vectors.columns());
  Matrix<double> columns(vectors.columns(), vectors.rows());
  for (std::size_t i = 0; i < vectors.rows(); ++i) {
    for (std::size_t k = 0; k < vectors.columns(); ++k) {
      columns(k, i) = rows(i, k) = static_cast<double>(vectors(i, k));
    }
  }
  Matrix<double> squares(uniform.rank(), uniform.rank());
  row_product(columns, columns, squares.data(), context);
  const EigenDecomposition spread = decompose_symmetric(squares);
  Matrix<double> turned(rows.rows(), rows.columns());
  row_product(rows, spread.vectors, turned.data(), context);
  std::vector<double> out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    double score = 0;
    double outside = selves[i];
    for (std::size_t k = 0; k < turned.columns(); ++k) {
      const double square = turned(i, k) * turned(i, k);
      score += square / (std::max(spread.values[k], 0.0) + ridge);
      outside -= square;
    }
    outside = std::max(outside, 0.0);
    out.push_back(score + outside / (outside + ridge));
  }
  return out;
}

/// The absolute coefficients of examples in one-vs-rest linear SVMs on uniform landmarks, with
/// squared hinge loss, summed over classes: high for examples near or beyond the margin.
std::vector<double> support_scores(const FittedKernel& kernel, const Dataset& data,
                                   std::span<const std::uint32_t> classes,
                                   const NystroemOptions& options, const Context& context) {
  constexpr double cost = 1;
  constexpr double least = 0.001;  // of the mean: every example can be drawn
  const Matrix<float> vectors =
      uniform_landmarks(kernel, data, options, options.seed + 1, context).transform(data, context);
  std::size_t count = 0;
  for (const std::uint32_t c : classes) {
    if (c != none) count = std::max(count, c + std::size_t{1});
  }
  if (count == 0) return std::vector<double>(data.size(), 1.0);
  ClassLists labels(count);
  for (const std::uint32_t& c : classes) labels.add({&c, c == none ? 0U : 1U});
  const LinearModel pilot =
      train_linear_classifier(FeatureRows(vectors), labels, {.cost = cost},
                              {.loss = LinearLoss::squared_hinge, .seed = options.seed}, context);
  std::vector<double> out(data.size(), 0.0);
  for (const DecisionFunction& function : pilot.classifiers.functions) {
    for (const SupportVector& s : function.support_vectors)
      out[s.example] += std::abs(s.coefficient);
  }
  const double mean =
      std::accumulate(out.begin(), out.end(), 0.0) / static_cast<double>(out.size());
  for (double& score : out) score = mean > 0 ? std::max(score, least * mean) : 1;
  return out;
}

/// Weighted sampling without replacement (Efraimidis & Spirakis 2006).
Places choose_by_score(std::span<const double> scores, std::size_t count, Random& random) {
  std::vector<std::pair<double, std::uint32_t>> keys;
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    const double key = -std::log(1 - random.uniform());
    keys.emplace_back(scores[i] > 0 ? key / scores[i] : std::numeric_limits<double>::infinity(), i);
  }
  std::ranges::sort(keys);
  Places out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(keys[k].second);
  return out;
}

Places choose(const FittedKernel& kernel, const Dataset& data,
              std::span<const std::uint32_t> classes, const NystroemOptions& options,
              const Context& context) {
  Random random(options.seed);
  const std::size_t count = std::min(options.landmarks, data.size());
  if (needs_classes(options.policy) && classes.size() != data.size()) {
    throw Error("such landmarks need a class for each example: choose another policy");
  }
  switch (options.policy) {
    case LandmarkPolicy::uniform:
      break;
    case LandmarkPolicy::kmeans:
      return choose_far(kernel, data, count, random, context);
    case LandmarkPolicy::leverage:
      return choose_by_score(leverage_scores(kernel, data, options, context), count, random);
    case LandmarkPolicy::classwise:
      return choose_classwise(classes, count, random);
    case LandmarkPolicy::support:
      return choose_by_score(support_scores(kernel, data, classes, options, context), count,
                             random);
  }
  return choose_uniform(data.size(), count, random);
}

}  // namespace

Places choose_landmarks(const FittedKernel& kernel, const Dataset& data,
                        std::span<const std::uint32_t> classes, const NystroemOptions& options,
                        const Context& context) {
  Places out = choose(kernel, data, classes, options, context);
  std::ranges::sort(out);
  return out;
}

}  // namespace espalier
