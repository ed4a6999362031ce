#include "espalier/evaluate/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/base/error.hpp"

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

/// Adds the scores of one group, sorted by descending score.
void add_group(Items group, RankingScores& out) {
  const double all_relevant = relevant_in(group);
  if (all_relevant == 0) {
    ++out.groups_without_relevant;
    return;
  }
  ++out.groups;
  double before = 0, found = 0, precision_sum = 0;
  while (found < all_relevant) {
    const Items ties = leading(group, same_score);
    const auto tied = static_cast<double>(ties.size());
    const double relevant = relevant_in(ties);
    if (before == 0) out.precision_at_1 += relevant / tied;
    if (found == 0 && relevant > 0) {
      out.mean_reciprocal_rank += reciprocal_rank(tied, relevant, before);
    }
    if (relevant > 0) precision_sum += precisions(tied, relevant, before, found);
    before += tied;
    found += relevant;
    group = group.subspan(ties.size());
  }
  out.mean_average_precision += precision_sum / all_relevant;
}

}  // namespace

RankingScores evaluate_ranking(std::span<const RankedItem> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!std::isnan(items[i].score)) continue;
    throw Error("the score of item " + std::to_string(i) +
                " is not a number and cannot be ranked: look for nan in what was predicted");
  }
  std::vector<RankedItem> sorted(items.begin(), items.end());
  std::ranges::sort(sorted, [](const RankedItem& a, const RankedItem& b) {
    return a.group != b.group ? a.group < b.group : a.score > b.score;
  });
  RankingScores out;
  out.items = items.size();
  for (Items rest = sorted; !rest.empty();) {
    const Items group = leading(rest, same_group);
    add_group(group, out);
    rest = rest.subspan(group.size());
  }
  if (out.groups == 0) return out;
  const auto groups = static_cast<double>(out.groups);
  out.mean_average_precision /= groups;
  out.mean_reciprocal_rank /= groups;
  out.precision_at_1 /= groups;
  return out;
}

}  // namespace espalier
