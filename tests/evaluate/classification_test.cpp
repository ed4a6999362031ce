#include "espalier/evaluate/classification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "espalier/base/random.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using Classes = std::vector<std::uint32_t>;
using Lists = std::vector<Classes>;
using Counts = std::vector<std::vector<std::uint64_t>>;

const std::vector<std::string> letters = {"a", "b", "c", "d", "e", "f", "g", "h"};

ClassLists lists(const Lists& classes, std::size_t class_count = letters.size()) {
  ClassLists out(class_count);
  for (const Classes& list : classes) out.add(list);
  return out;
}

void expect_scores(const PrecisionRecall& scores, double precision, double recall, double f1) {
  EXPECT_DOUBLE_EQ(scores.precision, precision);
  EXPECT_DOUBLE_EQ(scores.recall, recall);
  EXPECT_DOUBLE_EQ(scores.f1, f1);
}

/// Precision, recall, F1 and support, as scikit-learn lists them.
struct Row {
  std::string name;
  double precision, recall, f1;
  std::uint64_t support;
};

void expect_classes(const std::vector<ClassScores>& classes, const std::vector<Row>& rows) {
  ASSERT_EQ(classes.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].name);
    EXPECT_EQ(classes[i].name, rows[i].name);
    EXPECT_DOUBLE_EQ(classes[i].precision, rows[i].precision);
    EXPECT_DOUBLE_EQ(classes[i].recall, rows[i].recall);
    EXPECT_DOUBLE_EQ(classes[i].f1, rows[i].f1);
    EXPECT_EQ(classes[i].support, rows[i].support);
  }
}

TEST(Classification, MatchesTwoClassesComputedByHand) {
  // spam found: 2 of 3; said to be spam: 3, of which 2 are.
  const auto scores = evaluate_classification(Classes{1, 1, 1, 0, 0}, Classes{1, 1, 0, 1, 0},
                                              std::vector<std::string>{"ham", "spam"});
  EXPECT_EQ(scores.examples, 5U);
  EXPECT_FALSE(scores.multi_label);
  EXPECT_DOUBLE_EQ(scores.accuracy, 3.0 / 5);
  expect_scores(scores.micro, 3.0 / 5, 3.0 / 5, 3.0 / 5);
  expect_scores(scores.macro, (0.5 + 2.0 / 3) / 2, (0.5 + 2.0 / 3) / 2, (0.5 + 2.0 / 3) / 2);
  EXPECT_EQ(scores.confusion, (Counts{{1, 1}, {1, 2}}));
  const ClassScores& spam = scores.classes.at(1);
  EXPECT_EQ(spam.name, "spam");
  EXPECT_EQ(spam.true_positives, 2U);
  EXPECT_EQ(spam.false_positives, 1U);
  EXPECT_EQ(spam.false_negatives, 1U);
  EXPECT_EQ(spam.true_negatives, 1U);
}

// The references are what scikit-learn 1.9.1 prints for the same lists:
// accuracy_score, precision_recall_fscore_support(.., zero_division=0), confusion_matrix.

TEST(Classification, MatchesScikitLearnSingleLabel) {
  // "f" occurs only in the truth (the model never saw it), "e" only in the prediction (the data
  // lacks it), "g" and "h" in neither.
  const Classes truth = {0, 1, 2, 2, 1, 0, 3, 2, 2, 0, 1, 1, 5};
  const Classes predicted = {0, 2, 2, 2, 1, 1, 0, 2, 1, 0, 1, 4, 0};
  const auto scores = evaluate_classification(truth, predicted, letters);
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.5384615384615384);
  expect_scores(scores.macro, 0.2916666666666667, 0.3194444444444444, 0.30357142857142855);
  expect_scores(scores.micro, 0.5384615384615384, 0.5384615384615384, 0.5384615384615384);
  expect_classes(scores.classes, {{"a", 0.5, 2.0 / 3, 4.0 / 7, 3},
                                  {"b", 0.5, 0.5, 0.5, 4},
                                  {"c", 0.75, 0.75, 0.75, 4},
                                  {"d", 0, 0, 0, 1},
                                  {"e", 0, 0, 0, 0},
                                  {"f", 0, 0, 0, 1}});
  EXPECT_EQ(scores.confusion, (Counts{{2, 1, 0, 0, 0, 0},
                                      {0, 2, 1, 0, 1, 0},
                                      {0, 1, 3, 0, 0, 0},
                                      {1, 0, 0, 0, 0, 0},
                                      {0, 0, 0, 0, 0, 0},
                                      {1, 0, 0, 0, 0, 0}}));
}

TEST(Classification, MatchesScikitLearnMultiLabel) {
  const auto truth = lists({{0}, {0, 2}, {}, {1}, {1, 2, 3}, {}, {3}, {0, 1}});
  const auto predicted = lists({{}, {2}, {}, {1, 2}, {1, 3}, {0}, {}, {0, 1, 4}});
  const auto scores = evaluate_classification(truth, predicted, letters);
  EXPECT_TRUE(scores.multi_label);
  EXPECT_TRUE(scores.confusion.empty());
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.125);
  expect_scores(scores.macro, 0.6, 0.4666666666666666, 0.5133333333333333);
  expect_scores(scores.micro, 0.6666666666666666, 0.6, 0.631578947368421);
  expect_classes(scores.classes, {{"a", 0.5, 1.0 / 3, 0.4, 3},
                                  {"b", 1, 1, 1, 3},
                                  {"c", 0.5, 0.5, 0.5, 2},
                                  {"d", 1, 0.5, 2.0 / 3, 2},
                                  {"e", 0, 0, 0, 0}});
}

TEST(Classification, IgnoresOrderWithinLists) {
  const auto scores = evaluate_classification(lists({{2, 0}, {1}}), lists({{0, 2}, {1}}), letters);
  EXPECT_EQ(scores.accuracy, 1);
  EXPECT_EQ(scores.classes.at(2).support, 1U);
}

TEST(Classification, IsZeroWithoutExamples) {
  const auto scores = evaluate_classification(lists({}), lists({}), letters);
  EXPECT_EQ(scores.examples, 0U);
  EXPECT_EQ(scores.accuracy, 0);
  expect_scores(scores.macro, 0, 0, 0);
  expect_scores(scores.micro, 0, 0, 0);
  EXPECT_TRUE(scores.classes.empty());
  EXPECT_TRUE(scores.confusion.empty());
}

TEST(Classification, HandlesASingleClass) {
  const auto scores = evaluate_classification(Classes{3, 3}, Classes{3, 3}, letters);
  EXPECT_EQ(scores.accuracy, 1);
  expect_scores(scores.macro, 1, 1, 1);
  EXPECT_EQ(scores.confusion, (Counts{{2}}));
  EXPECT_EQ(scores.classes.at(0).true_negatives, 0U);
}

TEST(Classification, HandlesExamplesWithoutClasses) {
  const auto scores = evaluate_classification(lists({{}, {}}), lists({{}, {}}), letters);
  EXPECT_TRUE(scores.multi_label);
  EXPECT_EQ(scores.accuracy, 1);
  expect_scores(scores.micro, 0, 0, 0);
}

TEST(Classification, RejectsBadInput) {
  EXPECT_TRUE(fails_with("the number of predictions, 1, is not that of the examples, 2", [] {
    evaluate_classification(Classes{0, 1}, Classes{0}, letters);
  }));
  EXPECT_TRUE(fails_with("the number of predictions, 0, is not that of the examples, 1",
                         [] { evaluate_classification(lists({{0}}), lists({}), letters); }));
  EXPECT_TRUE(fails_with("example 2 has class number 8, but there are 8 classes", [] {
    evaluate_classification(Classes{0, 8}, Classes{0, 1}, letters);
  }));
  EXPECT_TRUE(fails_with("example 1 has class number 9",
                         [] { evaluate_classification(Classes{1}, Classes{9}, letters); }));
  EXPECT_TRUE(fails_with("the true classes are numbered below 7, but the number of names is 8",
                         [] { evaluate_classification(lists({{1}}, 7), lists({{1}}), letters); }));
  EXPECT_TRUE(fails_with("the predicted classes are numbered below 9",
                         [] { evaluate_classification(lists({{1}}), lists({{1}}, 9), letters); }));
}

// --- Against the definitions, on random data -----------------------------------------------------

Lists random_lists(Random& random, std::size_t examples, std::size_t classes) {
  Lists out(examples);
  for (Classes& list : out) {
    for (std::uint32_t c = 0; c < classes; ++c) {
      if (random.below(4) == 0) list.push_back(c);
    }
  }
  return out;
}

bool has(const Classes& list, std::uint32_t c) { return std::ranges::count(list, c) > 0; }
double or_zero(double part, double whole) { return whole > 0 ? part / whole : 0; }

TEST(Classification, MatchesTheDefinitions) {
  Random random(17);
  for (int round = 0; round < 50; ++round) {
    const std::size_t examples = 1 + random.below(12);
    const Lists truth = random_lists(random, examples, 6);
    const Lists predicted = random_lists(random, examples, 6);
    const auto scores = evaluate_classification(lists(truth), lists(predicted), letters);
    double exact = 0, f1_sum = 0, all_right = 0, all_wrong = 0, all_missed = 0;
    std::size_t occurring = 0;
    for (std::size_t i = 0; i < examples; ++i) exact += truth[i] == predicted[i] ? 1 : 0;
    for (std::uint32_t c = 0; c < 6; ++c) {
      double right = 0, wrong = 0, missed = 0, rest = 0;
      for (std::size_t i = 0; i < examples; ++i) {
        const bool is = has(truth[i], c), said = has(predicted[i], c);
        ++(is ? (said ? right : missed) : (said ? wrong : rest));
      }
      if (right + wrong + missed == 0) continue;
      const ClassScores& found = scores.classes.at(occurring++);
      EXPECT_EQ(found.name, letters[c]);
      EXPECT_EQ(static_cast<double>(found.true_positives), right);
      EXPECT_EQ(static_cast<double>(found.false_positives), wrong);
      EXPECT_EQ(static_cast<double>(found.false_negatives), missed);
      EXPECT_EQ(static_cast<double>(found.true_negatives), rest);
      const double p = or_zero(right, right + wrong), r = or_zero(right, right + missed);
      EXPECT_NEAR(found.f1, or_zero(2 * p * r, p + r), 1e-15);
      f1_sum += found.f1;
      all_right += right, all_wrong += wrong, all_missed += missed;
    }
    EXPECT_EQ(scores.classes.size(), occurring);
    EXPECT_DOUBLE_EQ(scores.accuracy, exact / static_cast<double>(examples));
    EXPECT_NEAR(scores.macro.f1, or_zero(f1_sum, static_cast<double>(occurring)), 1e-15);
    EXPECT_DOUBLE_EQ(scores.micro.precision, or_zero(all_right, all_right + all_wrong));
    EXPECT_DOUBLE_EQ(scores.micro.recall, or_zero(all_right, all_right + all_missed));
  }
}

/// Everything that a result holds, per class by name, in words.
std::multiset<std::string> content(const ClassificationScores& scores) {
  std::multiset<std::string> out;
  const auto print = [](const auto& result) {
    std::string text;
    result.fields([&](const char* name, const auto& member) {
      text += name + ("=" + testing::PrintToString(member)) + " ";
    });
    return text;
  };
  for (const ClassScores& c : scores.classes) out.insert(print(c));
  out.insert(testing::PrintToString(scores.accuracy));
  out.insert(print(scores.micro));
  for (std::size_t i = 0; i < scores.confusion.size(); ++i) {
    for (std::size_t j = 0; j < scores.confusion.size(); ++j) {
      out.insert(scores.classes[i].name + ">" + scores.classes[j].name + ":" +
                 std::to_string(scores.confusion[i][j]));
    }
  }
  return out;
}

TEST(Classification, IsInvariantToOrderAndClassNumbers) {
  Random random(4);
  Classes truth, predicted;
  for (int i = 0; i < 60; ++i) {
    truth.push_back(static_cast<std::uint32_t>(random.below(6)));
    predicted.push_back(random.below(2) == 0 ? truth.back()
                                             : static_cast<std::uint32_t>(random.below(7)));
  }
  const auto scores = evaluate_classification(truth, predicted, letters);
  Classes order(truth.size()), number = {5, 2, 7, 0, 1, 6, 3, 4};
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(std::span(order));
  Classes other_truth, other_predicted;
  std::vector<std::string> other_names(letters.size());
  for (const std::uint32_t i : order) {
    other_truth.push_back(number[truth[i]]);
    other_predicted.push_back(number[predicted[i]]);
  }
  for (std::size_t c = 0; c < letters.size(); ++c) other_names[number[c]] = letters[c];
  const auto other = evaluate_classification(other_truth, other_predicted, other_names);
  EXPECT_EQ(content(scores), content(other));
  EXPECT_DOUBLE_EQ(scores.macro.f1, other.macro.f1);
}

TEST(Classification, SingleLabelOverloadIsTheSame) {
  const Classes truth = {0, 1, 2, 2}, predicted = {0, 2, 2, 1};
  Lists truth_lists, predicted_lists;
  for (const std::uint32_t c : truth) truth_lists.push_back({c});
  for (const std::uint32_t c : predicted) predicted_lists.push_back({c});
  EXPECT_EQ(content(evaluate_classification(truth, predicted, letters)),
            content(evaluate_classification(lists(truth_lists), lists(predicted_lists), letters)));
}

TEST(Classification, FieldsListsAllMembers) {
  const auto count = [](const auto& result) {
    int fields = 0;
    result.fields([&](const char*, const auto&) { ++fields; });
    return fields;
  };
  EXPECT_EQ(count(PrecisionRecall()), 3);
  EXPECT_EQ(count(ClassScores()), 9);
  EXPECT_EQ(count(ClassificationScores()), 7);
}

}  // namespace
}  // namespace espalier
