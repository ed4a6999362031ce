#include "espalier/model/evaluation.hpp"

#include <gtest/gtest.h>

#include "espalier/model/train.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::fails_with;

/// A model that predicts nothing itself: the tests make the predictions.
Model model_of(Task task, std::vector<std::string> classes = {}, bool several = false) {
  Model out(Kernel("sst()"));
  if (task == Task::classification) out.decision = Classification{std::move(classes), several};
  if (task == Task::regression) out.decision = Regression{};
  if (task == Task::one_class) out.decision = OneClass{};
  return out;
}

Predictions decided(std::vector<std::vector<std::uint32_t>> classes, std::size_t class_count) {
  Predictions out;
  out.scores = Matrix<double>(classes.size(), class_count);
  std::fill_n(out.scores.data(), classes.size() * class_count, 0.0);
  out.classes = std::move(classes);
  return out;
}

Predictions scored(const std::vector<std::vector<double>>& rows) {
  Predictions out;
  out.scores = Matrix<double>(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(rows[i], out.scores.row(i).begin());
    out.classes.push_back({0});
  }
  return out;
}

Dataset labelled(const std::vector<std::vector<std::string>>& all) {
  Dataset out;
  for (const auto& names : all) {
    ExampleOf example;
    for (const std::string& name : names) example.label(name);
    out.add(example);
  }
  return out;
}

TEST(Evaluation, ComparesClasses) {
  const Model model = model_of(Task::classification, {"a", "b"});
  const Dataset truth = labelled({{"b"}, {"a"}, {"a"}, {"strange"}});
  const Evaluation out = evaluate(model, decided({{1}, {0}, {1}, {0}}, 2), truth);
  ASSERT_TRUE(out.classification && !out.regression && !out.ranking);
  EXPECT_DOUBLE_EQ(out.classification->accuracy, 0.5);
  EXPECT_FALSE(out.classification->multi_label);
  ASSERT_EQ(out.classification->classes.size(), 3U);
  EXPECT_EQ(out.classification->classes[0].name, "a");
  EXPECT_DOUBLE_EQ(out.classification->classes[0].f1, 0.5);
  EXPECT_EQ(out.classification->classes[2].name, "strange");
  EXPECT_EQ(out.classification->classes[2].support, 1U);
}

TEST(Evaluation, MultiLabelAcceptsExamplesWithoutLabels) {
  const Model model = model_of(Task::classification, {"a", "b"}, true);
  const Evaluation out =
      evaluate(model, decided({{0}, {}, {0, 1}}, 2), labelled({{"a"}, {}, {"b"}}));
  EXPECT_TRUE(out.classification->multi_label);
  EXPECT_DOUBLE_EQ(out.classification->accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(out.classification->micro.f1, 4.0 / 5);
  EXPECT_TRUE(out.classification->multi_label);
  const Model single = model_of(Task::classification, {"a", "b"});
  EXPECT_TRUE(fails_with("example 2 has no label", [&] {
    evaluate(single, decided({{0}, {0}, {0}}, 2), labelled({{"a"}, {}, {"b"}}));
  }));
}

TEST(Evaluation, ComparesNumbers) {
  Dataset truth;
  for (const double value : {1.0, 2.0, 3.0, 1.0}) truth.add(ExampleOf().label(test::number(value)));
  const Evaluation out = evaluate(model_of(Task::regression), scored({{1}, {2}, {2}, {1}}), truth);
  ASSERT_TRUE(out.regression && !out.classification);
  EXPECT_DOUBLE_EQ(out.regression->mean_squared_error, 0.25);
  EXPECT_DOUBLE_EQ(out.regression->mean_absolute_error, 0.25);
  EXPECT_DOUBLE_EQ(*out.regression->r2, 1 - 1 / 2.75);
}

TEST(Evaluation, RegressionAcceptsZerosAndOnes) {
  Dataset truth;
  for (const double value : {0.0, 1.0}) truth.add(ExampleOf().label(test::number(value)));
  EXPECT_DOUBLE_EQ(evaluate(model_of(Task::regression), scored({{0}, {0.5}}), truth)
                       .regression->mean_absolute_error,
                   0.25);
}

TEST(Evaluation, NeedsAPredictionForEachExample) {
  const Dataset truth = labelled({{"a"}, {"b"}});
  EXPECT_TRUE(fails_with("predictions for 1 examples, but 2", [&] {
    evaluate(model_of(Task::classification, {"a", "b"}), decided({{0}}, 2), truth);
  }));
  EXPECT_TRUE(fails_with("predictions for 1 examples, but 2",
                         [&] { evaluate(model_of(Task::regression), scored({{1}}), truth); }));
  EXPECT_TRUE(fails_with("one-class", [&] {
    evaluate(model_of(Task::one_class), scored({{1}, {2}}), truth);
  }));
}

// --- Ranking -------------------------------------------------------------------------------------

/// Two questions and their answers, and one without a good answer.
Dataset answers() {
  Dataset out;
  const auto add = [&](const char* question, const char* label) {
    out.add(ExampleOf().label(label).text("question", question).text("id", "x"));
  };
  add("q1", "no");
  add("q2", "yes");
  add("q1", "yes");
  add("q2", "no");
  add("q2", "no");
  add("q3", "no");
  return out;
}

RankingScores ranking(const Model& model, const Predictions& predictions, const Dataset& data,
                      const RankingOptions& options) {
  return evaluate(outcomes_of(model, predictions, data, options)).ranking.value();
}

TEST(Ranking, OrdersWithinGroups) {
  const Model model = model_of(Task::classification, {"no", "yes"});
  // q1: the good one comes second; q2: first.
  const Predictions predictions =
      scored({{0, 0.9}, {9, 0.5}, {9, 0.2}, {9, 0.4}, {9, 0.1}, {0, 1}});
  const RankingScores out = ranking(model, predictions, answers(), {"question", ""});
  EXPECT_EQ(out.items, 6U);
  EXPECT_EQ(out.groups, 2U);
  EXPECT_EQ(out.groups_without_relevant, 1U);
  EXPECT_DOUBLE_EQ(out.mean_reciprocal_rank, 0.75);
  EXPECT_DOUBLE_EQ(out.mean_average_precision, 0.75);
  EXPECT_DOUBLE_EQ(out.precision_at_1, 0.5);
  // By the scores of the other class.
  const RankingScores other = ranking(model, predictions, answers(), {"question", "no"});
  EXPECT_EQ(other.groups, 3U);
  EXPECT_DOUBLE_EQ(other.precision_at_1, (0 + 2.0 / 3 + 1) / 3);
}

TEST(Ranking, RegressionTreatsPositiveTargetsAsRelevant) {
  Dataset truth;
  for (const double value : {0.0, 2.0, -1.0}) {
    truth.add(ExampleOf().label(test::number(value)).pair(ExampleOf().text("q", "same"), {}));
  }
  const Predictions predictions = scored({{3}, {2}, {1}});
  const RankingScores out = ranking(model_of(Task::regression), predictions, truth, {"a/q", ""});
  EXPECT_EQ(out.groups, 1U);
  EXPECT_DOUBLE_EQ(out.mean_reciprocal_rank, 0.5);
}

TEST(Ranking, RejectsBadInput) {
  const Model model = model_of(Task::classification, {"no", "yes"});
  const Predictions predictions = scored(std::vector<std::vector<double>>(6, {0, 0}));
  const auto rank = [&](const Model& m, const Dataset& truth, const char* group,
                        const char* relevant) {
    return [&predictions, &m, truth, group, relevant] {
      Metric("map").value(outcomes_of(m, predictions, truth, {group, relevant}));
    };
  };
  EXPECT_TRUE(fails_with("no text named 'quest': they have question, id",
                         rank(model, answers(), "quest", "")));
  EXPECT_TRUE(fails_with("no class 'yess': did you mean 'yes'?",
                         rank(model, answers(), "question", "yess")));
  EXPECT_TRUE(fails_with("name the relevant class", rank(model_of(Task::classification, {"a", "b"}),
                                                         answers(), "question", "")));
  EXPECT_TRUE(fails_with("no texts", rank(model, labelled({6, {"no"}}), "question", "")));
  Dataset lacking = test::part_of(answers(), 0, 5);
  lacking.add(ExampleOf().label("no"));
  EXPECT_TRUE(fails_with("example 6 has no text 'question'", rank(model, lacking, "question", "")));
}

}  // namespace
}  // namespace espalier
