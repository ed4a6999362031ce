#include "espalier/evaluate/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "espalier/base/error.hpp"
#include "evaluate/check_lengths.hpp"

namespace espalier {

namespace {

/// Contingency table: sizes of clusters, classes, and their intersections.
struct Counts {
  std::map<std::uint32_t, double> classes;
  std::map<std::uint32_t, double> clusters;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;  ///< cluster, class
};

double pairs(double count) { return count * (count - 1) / 2; }

double pairs_within(const auto& counts) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum += pairs(count);
  return sum;
}

double entropy(const auto& counts, double examples) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum -= count / examples * std::log(count / examples);
  return sum;
}

double purity(const Counts& counts, double examples) {
  std::map<std::uint32_t, double> largest;
  for (const auto& [key, count] : counts.both) {
    largest[key.first] = std::max(largest[key.first], count);
  }
  double sum = 0;
  for (const auto& [cluster, count] : largest) sum += count;
  return sum / examples;
}

double mutual_information(const Counts& counts, double examples) {
  double sum = 0;
  for (const auto& [key, count] : counts.both) {
    const double independent =
        counts.clusters.at(key.first) * counts.classes.at(key.second) / examples;
    sum += count / examples * std::log(count / independent);
  }
  return std::max(0.0, sum);
}

double normalized_mutual_information(const Counts& counts, double examples) {
  // One cluster and one class: identical.
  if (counts.classes.size() == 1 && counts.clusters.size() == 1) return 1;
  const double mean = (entropy(counts.classes, examples) + entropy(counts.clusters, examples)) / 2;
  return mutual_information(counts, examples) / mean;
}

double adjusted_rand(const Counts& counts, double examples) {
  const double classes = pairs_within(counts.classes);
  const double clusters = pairs_within(counts.clusters);
  const double most = (classes + clusters) / 2;
  const double expected = examples > 1 ? classes * clusters / pairs(examples) : 0;
  // Both are trivial partitions: identical.
  if (most == expected) return 1;
  return (pairs_within(counts.both) - expected) / (most - expected);
}

}  // namespace

ClusterScores evaluate_clustering(std::span<const std::uint32_t> classes,
                                  std::span<const std::uint32_t> clusters) {
  check_lengths(classes.size(), clusters.size());
  if (classes.empty()) throw Error("there are no examples to evaluate: check the data");
  Counts counts;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    ++counts.classes[classes[i]];
    ++counts.clusters[clusters[i]];
    ++counts.both[{clusters[i], classes[i]}];
  }
  const auto examples = static_cast<double>(classes.size());
  return {.examples = classes.size(),
          .clusters = counts.clusters.size(),
          .classes = counts.classes.size(),
          .purity = purity(counts, examples),
          .normalized_mutual_information = normalized_mutual_information(counts, examples),
          .adjusted_rand = adjusted_rand(counts, examples)};
}

}  // namespace espalier
