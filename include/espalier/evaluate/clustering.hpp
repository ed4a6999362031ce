#pragma once

#include <cstdint>
#include <span>

namespace espalier {

/// How well clusters agree with classes that the clustering did not know. All are 1 if they are the
/// same but for the numbers.
struct ClusterScores {
  std::uint64_t examples = 0;
  std::uint64_t clusters = 0;
  std::uint64_t classes = 0;
  /// Share of examples that are of the most frequent class of their cluster. Rises with the number
  /// of clusters.
  double purity = 0;
  /// Mutual information over the mean of the two entropies. 0 if they tell nothing about each
  /// other.
  double normalized_mutual_information = 0;
  /// Agreement on pairs of examples, corrected for chance (Hubert & Arabie 1985): around 0 for
  /// random clusters, and may be below.
  double adjusted_rand = 0;

  void fields(auto&& field) const {
    field("examples", examples);
    field("clusters", clusters);
    field("classes", classes);
    field("purity", purity);
    field("normalized_mutual_information", normalized_mutual_information);
    field("adjusted_rand", adjusted_rand);
  }
};

/// Compares clusters with classes, example by example; the values are those of scikit-learn.
/// O(n log n). Throws Error if the lengths differ or there are no examples.
ClusterScores evaluate_clustering(std::span<const std::uint32_t> classes,
                                  std::span<const std::uint32_t> clusters);

}  // namespace espalier
