#pragma once

#include <cstdint>
#include <span>

namespace espalier {

/// One candidate, such as an answer to a question.
struct RankedItem {
  std::uint32_t group = 0;  ///< what it is a candidate for; items of a group need not be adjacent
  bool relevant = false;
  double score = 0;  ///< the highest comes first; may be infinite
};

/// Means over the groups that have a relevant item; without one nothing could be found, and the
/// group is only counted. All means are 0 if no group has one.
struct RankingScores {
  std::uint64_t items = 0;   ///< of all groups
  std::uint64_t groups = 0;  ///< that the means are over
  std::uint64_t groups_without_relevant = 0;
  double mean_average_precision = 0;  ///< MAP: precision at the rank of each relevant item
  double mean_reciprocal_rank = 0;    ///< MRR: 1 / rank of the first relevant item
  double precision_at_1 = 0;          ///< share of groups in which a relevant item comes first

  void fields(auto&& field) const {
    field("items", items);
    field("groups", groups);
    field("groups_without_relevant", groups_without_relevant);
    field("mean_average_precision", mean_average_precision);
    field("mean_reciprocal_rank", mean_reciprocal_rank);
    field("precision_at_1", precision_at_1);
  }
};

/// How high the relevant items of each group are ranked.
///
/// Items of a group with equal scores are in no order. Each value is the exact mean over all orders
/// that they could be put in (McSherry & Najork 2008): the order of the input cannot help or hurt,
/// and a model that gives all items the same score is worth as much as chance. trec_eval instead
/// takes one order, by the names of the items; without ties both agree.
///
/// O(n log n). The order of the items does not change a bit of the result. Throws Error if a score
/// is not a number.
RankingScores evaluate_ranking(std::span<const RankedItem> items);

}  // namespace espalier
