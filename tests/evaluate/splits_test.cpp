#include "espalier/evaluate/splits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "espalier/base/id_index.hpp"
#include "espalier/base/random.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using Numbers = std::vector<std::uint32_t>;

/// Whether train and test are ascending and contain each example once.
testing::AssertionResult divides(const Split& split, std::size_t examples) {
  std::set<std::uint32_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  if (all.size() != examples || split.train.size() + split.test.size() != examples ||
      *all.rbegin() != examples - 1) {
    return testing::AssertionFailure() << "not every example once";
  }
  if (!std::ranges::is_sorted(split.train) || !std::ranges::is_sorted(split.test)) {
    return testing::AssertionFailure() << "not rising";
  }
  return testing::AssertionSuccess();
}

/// Whether each example is tested once and the sizes of the folds differ by at most 1.
testing::AssertionResult are_folds(const std::vector<Split>& splits, std::size_t examples) {
  Numbers tested;
  for (const Split& split : splits) {
    if (const auto right = divides(split, examples); !right) return right;
    tested.insert(tested.end(), split.test.begin(), split.test.end());
    if (split.test.size() != examples / splits.size() &&
        split.test.size() != (examples - 1) / splits.size() + 1) {
      return testing::AssertionFailure() << "a fold of " << split.test.size();
    }
  }
  std::ranges::sort(tested);
  for (std::uint32_t i = 0; i < examples; ++i) {
    if (tested.size() != examples || tested[i] != i) {
      return testing::AssertionFailure() << "not every example is tested once";
    }
  }
  return testing::AssertionSuccess();
}

std::map<std::uint32_t, std::size_t> counts(const Numbers& classes, const Numbers& examples) {
  std::map<std::uint32_t, std::size_t> out;
  for (const std::uint32_t c : classes) out[c] = 0;
  for (const std::uint32_t i : examples) ++out[classes[i]];
  return out;
}

/// `examples` classes, of which the first are frequent and the last rare.
Numbers random_classes(Random& random, std::size_t examples, std::size_t classes) {
  Numbers out;
  for (std::size_t i = 0; i < examples; ++i) {
    out.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(classes))));
  }
  return out;
}

TEST(KFold, TestsEachExampleOnce) {
  for (const auto& [examples, folds] :
       std::vector<std::pair<std::size_t, std::size_t>>{{2, 2}, {10, 3}, {10, 10}, {97, 5}}) {
    const auto splits = k_fold(examples, folds, 3);
    EXPECT_EQ(splits.size(), folds);
    EXPECT_TRUE(are_folds(splits, examples)) << examples << " " << folds;
  }
}

TEST(KFold, DependsOnlyOnTheSeed) {
  EXPECT_EQ(k_fold(50, 5, 8), k_fold(50, 5, 8));
  EXPECT_NE(k_fold(50, 5, 8), k_fold(50, 5, 9));
}

TEST(KFold, ShufflesTheExamples) {
  // Sorted input must not give folds of neighbours.
  for (const Split& split : k_fold(1000, 5, 1)) {
    const auto low = std::ranges::count_if(split.test, [](auto i) { return i < 500; });
    EXPECT_NEAR(static_cast<double>(low), 100, 35);
  }
}

TEST(StratifiedKFold, EachFoldHasItsFractionOfEachClass) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const std::size_t folds = 2 + random.below(9);
    const Numbers classes = random_classes(random, folds + random.below(200), 12);
    const auto splits = stratified_k_fold(classes, folds, random.next());
    ASSERT_EQ(splits.size(), folds);
    ASSERT_TRUE(are_folds(splits, classes.size()));
    std::map<std::uint32_t, std::set<std::size_t>> seen;
    for (const Split& split : splits) {
      for (const auto& [c, count] : counts(classes, split.test)) seen[c].insert(count);
    }
    for (const auto& [c, different] : seen) {
      ASSERT_LE(*different.rbegin() - *different.begin(), 1U) << "class " << c;
    }
  }
}

TEST(StratifiedKFold, TestsRareClassesInSomeFolds) {
  Numbers classes(20, 0);
  classes[4] = classes[11] = 1;  // two for five folds
  classes[7] = 2;
  int with_rare = 0, with_single = 0;
  for (const Split& split : stratified_k_fold(classes, 5, 1)) {
    const auto tested = counts(classes, split.test);
    EXPECT_LE(tested.at(1), 1U);
    with_rare += static_cast<int>(tested.at(1));
    with_single += static_cast<int>(tested.at(2));
    EXPECT_EQ(counts(classes, split.train).at(2), 1 - tested.at(2));
  }
  EXPECT_EQ(with_rare, 2);
  EXPECT_EQ(with_single, 1);
}

TEST(StratifiedKFold, IsInvariantToClassNumbers) {
  Random random(6);
  const Numbers classes = random_classes(random, 80, 5);
  const Numbers number = {4'000'000'000, 2, none, 0, 1};
  Numbers renamed;
  for (const std::uint32_t c : classes) renamed.push_back(number[c]);
  EXPECT_EQ(stratified_k_fold(classes, 4, 3), stratified_k_fold(renamed, 4, 3));
}

TEST(StratifiedKFold, IsTheSameOnEveryPlatform) {
  // From the definition, written down again in Python.
  const Numbers classes = {0, 0, 1, 0, 1, 2, 0, 1, 0, 0};
  Numbers fold_of(classes.size());
  const auto splits = stratified_k_fold(classes, 3, 42);
  for (std::uint32_t fold = 0; fold < 3; ++fold) {
    for (const std::uint32_t i : splits.at(fold).test) fold_of[i] = fold;
  }
  EXPECT_EQ(fold_of, (Numbers{2, 1, 1, 0, 2, 0, 0, 0, 1, 2}));
  const Split split = random_splits(classes, {.train_fraction = 0.6, .repeats = 1, .seed = 42})[0];
  EXPECT_EQ(split.train, (Numbers{0, 2, 6, 7, 8, 9}));
}

TEST(StratifiedKFold, RejectsBadInput) {
  EXPECT_TRUE(fails_with("folds = 8 is more than the 7 examples: use 7 or fewer",
                         [] { stratified_k_fold(Numbers(7), 8); }));
  EXPECT_TRUE(
      fails_with("folds = 1 leaves nothing to learn from: use 2 or more", [] { k_fold(7, 1); }));
  EXPECT_TRUE(fails_with("folds = 0", [] { k_fold(7, 0); }));
  EXPECT_TRUE(fails_with("at least 2 examples, but there is 1", [] { k_fold(1, 2); }));
  EXPECT_TRUE(fails_with("but there are 0", [] { stratified_k_fold({}, 2); }));
}

ClassLists lists(std::size_t class_count, const std::vector<Numbers>& classes) {
  ClassLists out(class_count);
  for (const Numbers& list : classes) out.add(list);
  return out;
}

TEST(RarestClasses, PrefersTheRarest) {
  // 0 occurs four times, 1 twice, 2 twice but later, 3 once, 4 never.
  EXPECT_EQ(rarest_classes(lists(5, {{0}, {0, 1}, {2, 1}, {}, {0, 3, 2}, {0}})),
            (Numbers{0, 1, 1, none, 3, 0}));
}

TEST(RarestClasses, BreaksTiesByFirstOccurrence) {
  EXPECT_EQ(rarest_classes(lists(3, {{2}, {0}, {0, 2}, {2, 0, 1}, {1, 2}, {1, 0}})),
            (Numbers{2, 0, 2, 1, 1, 1}));
}

TEST(RarestClasses, HandlesEmptyInput) {
  EXPECT_TRUE(rarest_classes(ClassLists(0)).empty());
  EXPECT_TRUE(rarest_classes(ClassLists(3)).empty());
}

TEST(RandomSplits, AreStratified) {
  Random random(12);
  for (int round = 0; round < 40; ++round) {
    const Numbers classes = random_classes(random, 2 + random.below(150), 9);
    const double share = 0.05 + 0.9 * random.uniform();
    const auto all = static_cast<double>(classes.size());
    const double train = std::clamp(std::round(share * all), 1.0, all - 1);
    Numbers everything;
    for (std::uint32_t i = 0; i < classes.size(); ++i) everything.push_back(i);
    const auto total = counts(classes, everything);
    for (const Split& split :
         random_splits(classes, {.train_fraction = share, .repeats = 3, .seed = random.next()})) {
      ASSERT_TRUE(divides(split, classes.size()));
      ASSERT_EQ(static_cast<double>(split.train.size()), train);
      for (const auto& [c, count] : counts(classes, split.train)) {
        const double exact = static_cast<double>(total.at(c)) * train / all;
        ASSERT_LT(std::abs(static_cast<double>(count) - exact), 1) << "class " << c;
      }
    }
  }
}

TEST(RandomSplits, UseEachExampleEquallyOften) {
  for (const Numbers& classes : {Numbers{0, 1, 1}, Numbers{0, 0, 0, 1, 1, 2, 0, 3, 3}}) {
    std::vector<int> learned(classes.size());
    for (const Split& split :
         random_splits(classes, {.train_fraction = 1.0 / 3, .repeats = 3000})) {
      for (const std::uint32_t i : split.train) ++learned[i];
    }
    // Five standard deviations.
    for (const int times : learned) EXPECT_NEAR(times, 1000, 130);
  }
}

TEST(RandomSplits, FirstSplitsDoNotDependOnTheirNumber) {
  const Numbers classes(30);
  const auto few = random_splits(classes, {.repeats = 2});
  auto many = random_splits(classes, {.repeats = 5});
  EXPECT_NE(many[0], many[1]);
  many.resize(2);
  EXPECT_EQ(few, many);
}

TEST(RandomSplits, NeitherPartIsEmpty) {
  for (const double share : {0.0001, 0.9999}) {
    const Split split = random_splits(Numbers(3), {.train_fraction = share, .repeats = 1})[0];
    EXPECT_EQ(split.train.size(), share < 0.5 ? 1U : 2U);
  }
}

TEST(RandomSplits, RejectBadOptions) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double share : {0.0, 1.0, -0.5, 80.0, not_a_number}) {
    EXPECT_TRUE(fails_with("is outside (0, 1)",
                           [&] { random_splits(Numbers(9), {.train_fraction = share}); }));
  }
  EXPECT_TRUE(fails_with("repeats = 0", [] { random_splits(Numbers(9), {.repeats = 0}); }));
  EXPECT_TRUE(fails_with("at least 2 examples", [] { random_splits(Numbers(1)); }));
}

TEST(LeaveOneOut, TestsEachExampleAlone) {
  EXPECT_EQ(leave_one_out(3), (std::vector<Split>{{{1, 2}, {0}}, {{0, 2}, {1}}, {{0, 1}, {2}}}));
  EXPECT_TRUE(fails_with("at least 2 examples", [] { leave_one_out(1); }));
}

TEST(Split, FieldsListsAllMembers) {
  int fields = 0;
  Split().fields([&](const char*, const auto&) { ++fields; });
  EXPECT_EQ(fields, 2);
}

}  // namespace
}  // namespace espalier
