#include "espalier/evaluate/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "espalier/base/random.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using Items = std::vector<RankedItem>;

void expect_scores(const RankingScores& scores, double map, double mrr, double p1) {
  EXPECT_DOUBLE_EQ(scores.mean_average_precision, map);
  EXPECT_DOUBLE_EQ(scores.mean_reciprocal_rank, mrr);
  EXPECT_DOUBLE_EQ(scores.precision_at_1, p1);
}

TEST(Ranking, MatchesValuesComputedByHand) {
  // Group 7: relevant at ranks 2, 4, 5; group 1 at rank 1; group 3 at rank 4; group 2 nowhere.
  // scikit-learn's average_precision_score gives 0.5333.., 1 and 0.25 for the three.
  const Items items = {{7, false, 0.9}, {1, true, 3},    {7, true, 0.8}, {3, false, -1},
                       {3, false, -2},  {7, false, 0.7}, {1, false, 1},  {2, false, 1},
                       {7, true, 0.6},  {3, false, -3},  {7, true, 0.5}, {1, false, 2},
                       {3, true, -4},   {2, false, 2}};
  const RankingScores scores = evaluate_ranking(items);
  EXPECT_EQ(scores.items, 14U);
  EXPECT_EQ(scores.groups, 3U);
  EXPECT_EQ(scores.groups_without_relevant, 1U);
  expect_scores(scores, 0.5944444444444444, (0.5 + 1 + 0.25) / 3, 1.0 / 3);
}

TEST(Ranking, AveragesOverOrdersOfTies) {
  // Two items, one relevant: rank 1 or 2, each half of the time.
  expect_scores(evaluate_ranking(Items{{0, true, 1}, {0, false, 1}}), 0.75, 0.75, 0.5);
  // One before them: rank 2 or 3.
  expect_scores(evaluate_ranking(Items{{0, false, 2}, {0, true, 1}, {0, false, 1}}),
                (1.0 / 2 + 1.0 / 3) / 2, (1.0 / 2 + 1.0 / 3) / 2, 0);
  // Two relevant of three: RRN, RNR, NRR.
  expect_scores(evaluate_ranking(Items{{0, true, 1}, {0, false, 1}, {0, true, 1}}),
                (1 + 5.0 / 6 + 7.0 / 12) / 3, (1 + 1 + 0.5) / 3, 2.0 / 3);
}

TEST(Ranking, RanksInfiniteScoresAndTiesOfZeros) {
  const double infinite = std::numeric_limits<double>::infinity();
  expect_scores(evaluate_ranking(Items{{0, false, 0}, {0, true, infinite}, {0, false, -infinite}}),
                1, 1, 1);
  expect_scores(evaluate_ranking(Items{{0, true, -0.0}, {0, false, 0.0}}), 0.75, 0.75, 0.5);
}

TEST(Ranking, WithoutRelevantItemsIsZero) {
  expect_scores(evaluate_ranking(Items{}), 0, 0, 0);
  const RankingScores scores = evaluate_ranking(Items{{4, false, 1}, {5, false, 1}});
  expect_scores(scores, 0, 0, 0);
  EXPECT_EQ(scores.groups, 0U);
  EXPECT_EQ(scores.groups_without_relevant, 2U);
  EXPECT_EQ(scores.items, 2U);
}

TEST(Ranking, OfRelevantItemsOnlyIsPerfect) {
  expect_scores(evaluate_ranking(Items{{0, true, 1}, {0, true, 1}, {0, true, 2}}), 1, 1, 1);
}

TEST(Ranking, RejectsNaN) {
  EXPECT_TRUE(test::fails_with("the score of item 1 is not a number", [] {
    evaluate_ranking(Items{{0, true, 1}, {0, true, std::nan("")}});
  }));
}

// --- Against the definitions, on random data -----------------------------------------------------

Items random_items(Random& random, std::size_t count, std::size_t groups, std::size_t scores) {
  Items out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({static_cast<std::uint32_t>(random.below(groups)), random.below(3) == 0,
                   static_cast<double>(random.below(scores)) / 8 - 1});
  }
  return out;
}

struct Values {
  double ap = 0, rr = 0, p1 = 0;
};

/// The values of one order.
Values values_of(const std::vector<bool>& relevant) {
  Values out;
  double found = 0;
  for (std::size_t i = 0; i < relevant.size(); ++i) {
    if (!relevant[i]) continue;
    const auto rank = static_cast<double>(i + 1);
    if (++found == 1) out.rr = 1 / rank;
    out.ap += found / rank;
  }
  out.ap /= found;
  out.p1 = relevant[0] ? 1 : 0;
  return out;
}

/// The mean over all orders of a group that respect the scores, one by one.
Values mean_over_orders(const Items& group) {
  std::vector<std::size_t> order(group.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Values sum;
  double orders = 0;
  do {
    std::vector<bool> relevant;
    bool falling = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      relevant.push_back(group[order[i]].relevant);
      falling = falling && (i == 0 || group[order[i - 1]].score >= group[order[i]].score);
    }
    if (!falling) continue;
    const Values values = values_of(relevant);
    sum.ap += values.ap, sum.rr += values.rr, sum.p1 += values.p1;
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  return {sum.ap / orders, sum.rr / orders, sum.p1 / orders};
}

TEST(Ranking, IsTheExpectationOverOrdersOfTies) {
  Random random(23);
  for (int round = 0; round < 40; ++round) {
    Items items;
    Values sum;
    std::uint64_t counted = 0, left_out = 0;
    const std::size_t levels = 1 + random.below(4);
    for (std::uint32_t number = 0; number < 4; ++number) {
      Items group = random_items(random, 1 + random.below(6), 1, levels);
      for (RankedItem& item : group) item.group = number;
      items.insert(items.end(), group.begin(), group.end());
      if (std::ranges::none_of(group, &RankedItem::relevant)) {
        ++left_out;
        continue;
      }
      const Values values = mean_over_orders(group);
      sum.ap += values.ap, sum.rr += values.rr, sum.p1 += values.p1;
      ++counted;
    }
    random.shuffle(std::span(items));
    const RankingScores scores = evaluate_ranking(items);
    ASSERT_EQ(scores.groups, counted);
    ASSERT_EQ(scores.groups_without_relevant, left_out);
    const double groups = counted == 0 ? 1 : static_cast<double>(counted);
    ASSERT_NEAR(scores.mean_average_precision, sum.ap / groups, 1e-13);
    ASSERT_NEAR(scores.mean_reciprocal_rank, sum.rr / groups, 1e-13);
    ASSERT_NEAR(scores.precision_at_1, sum.p1 / groups, 1e-13);
  }
}

TEST(Ranking, IsBitIdenticalForAnyOrderOfItems) {
  Random random(9);
  Items items = random_items(random, 300, 20, 12);
  const RankingScores scores = evaluate_ranking(items);
  for (int round = 0; round < 10; ++round) {
    random.shuffle(std::span(items));
    const RankingScores again = evaluate_ranking(items);
    EXPECT_EQ(again.mean_average_precision, scores.mean_average_precision);
    EXPECT_EQ(again.mean_reciprocal_rank, scores.mean_reciprocal_rank);
    EXPECT_EQ(again.precision_at_1, scores.precision_at_1);
  }
}

TEST(Ranking, DependsOnlyOnTheOrderOfScores) {
  Random random(10);
  Items items = random_items(random, 200, 10, 20);
  const RankingScores scores = evaluate_ranking(items);
  for (RankedItem& item : items) {
    item.score = std::exp(3 * item.score) - 5;
    item.group = 1000 - item.group;
  }
  const RankingScores again = evaluate_ranking(items);
  EXPECT_DOUBLE_EQ(again.mean_average_precision, scores.mean_average_precision);
  EXPECT_DOUBLE_EQ(again.mean_reciprocal_rank, scores.mean_reciprocal_rank);
  EXPECT_DOUBLE_EQ(again.precision_at_1, scores.precision_at_1);
}

TEST(Ranking, FieldsListsAllMembers) {
  int fields = 0;
  RankingScores().fields([&](const char*, const auto&) { ++fields; });
  EXPECT_EQ(fields, 6);
}

}  // namespace
}  // namespace espalier
