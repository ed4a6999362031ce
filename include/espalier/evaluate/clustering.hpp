#pragma once

#include <cstdint>
#include <span>

namespace espalier {

/// Agreement of clusters with classes. All scores are 1 if clusters and classes are the same up to
/// numbering.
struct ClusterScores {
  std::uint64_t examples = 0;
  std::uint64_t clusters = 0;
  std::uint64_t classes = 0;
  /// Fraction of examples that belong to the most frequent class of their cluster. Increases with
  /// the number of clusters.
  double purity = 0;
  /// Mutual information divided by the mean of the two entropies. 0 if they are independent.
  double normalized_mutual_information = 0;
  /// Agreement on pairs of examples, corrected for chance (Hubert & Arabie 1985): around 0 for
  /// random clusters, possibly negative.
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

/// Compares clusters with classes; values as in scikit-learn. O(n log n). Throws Error if the
/// lengths differ or there are no examples.
ClusterScores evaluate_clustering(std::span<const std::uint32_t> classes,
                                  std::span<const std::uint32_t> clusters);

}  // namespace espalier
