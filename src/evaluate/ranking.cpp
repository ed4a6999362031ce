#include "espalier/evaluate/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/base/error.hpp"
#include "evaluate/weighted.hpp"

namespace espalier {

namespace {

using Items = std::span<const RankedItem>;

double relevant_in(Items items) {
  return static_cast<double>(std::ranges::count(items, true, &RankedItem::relevant));
}

/// The longest prefix of `items` for which `same(first, item)` holds.
template <class Same>
Items leading(Items items, Same same) {
  const auto end = std::ranges::find_if(
      items, [&](const RankedItem& item) { return !same(items.front(), item); });
  return items.first(static_cast<std::size_t>(end - items.begin()));
}

bool same_group(const RankedItem& a, const RankedItem& b) { return a.group == b.group; }
bool same_score(const RankedItem& a, const RankedItem& b) { return a.score == b.score; }

/// The expected sum of the precisions at the relevant items among tied ones, after `before` items,
/// `found` of them relevant.
double precisions(double tied, double relevant, double before, double found) {
  // Given that the item at rank i is relevant, each of the i tied items above it is with this
  // probability.
  const double others = tied > 1 ? (relevant - 1) / (tied - 1) : 0;
  double sum = 0;
  for (double i = 0; i < tied; ++i) sum += (found + i * others + 1) / (before + i + 1);
  return sum * relevant / tied;
}

/// The expected 1 / rank of the first relevant item among tied ones, after `before` others.
double reciprocal_rank(double tied, double relevant, double before) {
  double sum = 0;
  double reached = 1;  // probability that no item before i is relevant
  for (double i = 0; i <= tied - relevant; ++i) {
    const double here = relevant / (tied - i);
    sum += reached * here / (before + i + 1);
    reached *= 1 - here;
  }
  return sum;
}

/// The part of `tied` items, some of them relevant, that comes within the first k after `before`.
double relevant_within(double tied, double relevant, double before, double k) {
  return relevant * std::clamp((k - before) / tied, 0.0, 1.0);
}

/// The scores of one group, sorted by descending score.
GroupScores scores_of(Items group, double k) {
  GroupScores out;
  const double all_relevant = relevant_in(group);
  out.has_relevant = all_relevant > 0;
  double before = 0, found = 0;
  while (found < all_relevant) {
    const Items ties = leading(group, same_score);
    const auto tied = static_cast<double>(ties.size());
    const double relevant = relevant_in(ties);
    if (relevant > 0) {
      if (found == 0) out.reciprocal_rank = reciprocal_rank(tied, relevant, before);
      out.average_precision += precisions(tied, relevant, before, found) / all_relevant;
      out.precision += relevant_within(tied, relevant, before, k) / k;
    }
    before += tied;
    found += relevant;
    group = group.subspan(ties.size());
  }
  return out;
}

/// One ranked item and its place in the input.
struct PlacedItem {
  RankedItem item;
  std::uint32_t place;
};

}  // namespace

std::vector<GroupScores> score_groups(std::span<const RankedItem> items, std::size_t k) {
  std::vector<PlacedItem> sorted;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (std::isnan(items[i].score)) {
      throw Error("the score of item " + std::to_string(i) +
                  " is not a number and cannot be ranked: look for nan in what was predicted");
    }
    sorted.push_back({items[i], i});
  }
  std::ranges::sort(sorted, [](const PlacedItem& a, const PlacedItem& b) {
    return a.item.group != b.item.group ? a.item.group < b.item.group : a.item.score > b.item.score;
  });
  std::vector<RankedItem> ranked;
  ranked.reserve(sorted.size());
  for (const PlacedItem& each : sorted) ranked.push_back(each.item);
  std::vector<GroupScores> out;
  for (Items rest = ranked; !rest.empty();) {
    const Items group = leading(rest, same_group);
    out.push_back(scores_of(group, static_cast<double>(k)));
    out.back().first = sorted[ranked.size() - rest.size()].place;
    rest = rest.subspan(group.size());
  }
  return out;
}

RankingScores evaluate_ranking(std::span<const RankedItem> items) {
  RankingScores out;
  out.items = items.size();
  for (const GroupScores& group : score_groups(items, 1)) {
    if (!group.has_relevant) {
      ++out.groups_without_relevant;
      continue;
    }
    ++out.groups;
    out.mean_average_precision += group.average_precision;
    out.mean_reciprocal_rank += group.reciprocal_rank;
    out.precision_at_1 += group.precision;
  }
  if (out.groups == 0) return out;
  const auto groups = static_cast<double>(out.groups);
  out.mean_average_precision /= groups;
  out.mean_reciprocal_rank /= groups;
  out.precision_at_1 /= groups;
  return out;
}

WeightedMetric weighted_ranking(const Outcomes& outcomes, double GroupScores::*score,
                                std::size_t k) {
  std::vector<RankedItem> items;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    items.push_back({outcomes.groups[i], outcomes.relevant(i), outcomes.ranking_score(i)});
  }
  std::vector<GroupScores> groups = score_groups(items, k);
  std::erase_if(groups, [](const GroupScores& group) { return !group.has_relevant; });
  return [groups = std::move(groups),
          score](std::span<const double> weights) -> std::optional<double> {
    double sum = 0, all = 0;
    for (const GroupScores& group : groups) {
      sum += weights[group.first] * group.*score;
      all += weights[group.first];
    }
    if (all == 0) return std::nullopt;
    return sum / all;
  };
}

}  // namespace espalier
