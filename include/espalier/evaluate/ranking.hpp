#pragma once

#include <cstdint>
#include <span>

namespace espalier {

/// One candidate, such as an answer to a question.
struct RankedItem {
  std::uint32_t group = 0;  ///< the query; items of a group need not be adjacent
  bool relevant = false;
  double score = 0;  ///< higher is better; may be infinite
};

/// Means over the groups with a relevant item; other groups are only counted. All means are 0 if
/// there is no such group.
struct RankingScores {
  std::uint64_t items = 0;   ///< of all groups
  std::uint64_t groups = 0;  ///< with a relevant item
  std::uint64_t groups_without_relevant = 0;
  double mean_average_precision = 0;  ///< MAP: mean precision at the ranks of relevant items
  double mean_reciprocal_rank = 0;    ///< MRR: 1 / rank of the first relevant item
  double precision_at_1 = 0;          ///< fraction of groups whose first item is relevant

  void fields(auto&& field) const {
    field("items", items);
    field("groups", groups);
    field("groups_without_relevant", groups_without_relevant);
    field("mean_average_precision", mean_average_precision);
    field("mean_reciprocal_rank", mean_reciprocal_rank);
    field("precision_at_1", precision_at_1);
  }
};

/// Evaluates the ranking of the items of each group by score.
///
/// With ties, each value is the exact expectation over all orders of the tied items (McSherry &
/// Najork 2008): the order of the input does not matter, and a model that gives all items the same
/// score is as good as chance. trec_eval instead breaks ties by the names of the items.
///
/// O(n log n). The bits do not depend on the order of the items. Throws Error if a score is NaN.
RankingScores evaluate_ranking(std::span<const RankedItem> items);

}  // namespace espalier
