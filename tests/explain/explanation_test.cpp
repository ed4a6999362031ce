#include "espalier/explain/explanation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/gram/gram.hpp"
#include "explain/relevance.hpp"
#include "model/toy_data.hpp"

namespace espalier {
namespace {

/// What the parts of a score add up to.
double sum_of(const ExplainedScore& score) {
  double out = score.bias;
  for (const SubtreeContribution& contribution : score.subtrees) out += contribution.value;
  for (const auto& rest : score.rest) out += rest.value;
  return out;
}

void expect_sums(const Model& model, const Dataset& data) {
  const Predictions predictions = predict(model, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Explanation explanation = explain(model, data, i);
    const ExplainedScore& decision = explanation.decision;
    const std::uint32_t best = predictions.classes[i][0];
    EXPECT_EQ(decision.name, model.classes()[best]);
    const double score = predictions.scores(i, best);
    EXPECT_NEAR(decision.score, score, 1e-5 * std::max(1.0, std::abs(score)));
    EXPECT_NEAR(sum_of(decision), decision.score, 1e-9 * std::max(1.0, std::abs(score)));
    ASSERT_EQ(explanation.rivals.size(), 1U);
    EXPECT_LE(explanation.rivals[0].score, decision.score + 1e-6);
    if (decision.landmarks.empty()) continue;
    double relevance = decision.bias + decision.like_none;
    for (const LandmarkContribution& contribution : decision.landmarks)
      relevance += contribution.value;
    EXPECT_NEAR(relevance, score, 1e-5 * std::max(1.0, std::abs(score)));
  }
}

TEST(Explanation, SubtreeContributionsAddUpToTheScore) {
  const Dataset data = test::toy_classes({.count = 40});
  for (const char* kernel :
       {"pt(t)", "norm(sst(t))", "norm(st(t, unordered=true)) + 0.5*norm(linear(v)) + 1",
        "each(norm(subpath()))", "norm(pt(t))*2 + norm(dtk(t, dim=64))",
        "norm(pt(t))*norm(sst(t))"}) {
    SCOPED_TRACE(kernel);
    expect_sums(train(Kernel(kernel), data), data);
  }
}

TEST(Explanation, OfTwoClassesAndOfPairsOfClassesIsTheMarginOfTheClass) {
  const Dataset two = test::toy_classes({.count = 40, .kinds = 2});
  expect_sums(train(Kernel("norm(pt(t))"), two), two);
  const Dataset data = test::toy_classes({.count = 40});
  TrainOptions options;
  options.classifier.multi_class = MultiClass::one_vs_one;
  const Model model = train(Kernel("norm(pt(t))"), data, options);
  const Explanation explanation = explain(model, data, 0);
  EXPECT_NEAR(sum_of(explanation.decision), explanation.decision.score, 1e-9);
}

TEST(Explanation, RelevanceOfLandmarksAddsUpToTheScore) {
  const Dataset data = test::toy_classes({.count = 60});
  TrainOptions options;
  options.learner = Learner::linear;
  options.nystroem = NystroemOptions{.landmarks = 20};
  expect_sums(train(Kernel("norm(pt(t))"), data, options), data);
  options.learner = Learner::kda;
  options.network.epochs = 20;
  expect_sums(train(Kernel("norm(pt(t))"), data, options), data);
}

TEST(Explanation, ValuesOfSubtreesAreKernelsOfSubtrees) {
  // f(x) = K(l, x) for one landmark: a subtree contributes the fragments that begin at its root.
  Dataset data;
  using test::PlainTree;
  const PlainTree b{"b", {PlainTree{"c", {}}}};
  data.add(test::ExampleOf().tree("t", test::to_tree(PlainTree{"a", {b, b, PlainTree{"d", {}}}})));
  KernelFunctions functions(Kernel("sst(t, lambda=1)"));
  Matrix<double> one(1, 1);
  one(0, 0) = 1;
  functions.add(data, one);
  const auto all = functions.contributions(data);
  const Contributions& parts = all[0];
  ASSERT_EQ(parts.trees.size(), 1U);
  const TreeContributions& tree = parts.trees[0];
  double sum = 0;
  for (std::size_t k = 0; k < tree.vertices.size(); ++k) sum += tree.counts[k] * tree.values(k, 0);
  EXPECT_NEAR(sum, gram(Kernel("sst(t, lambda=1)"), data)(0, 0), 1e-12);
  // (b c) begins one fragment, which occurs twice in the landmark.
  const Forest& forest = data.forests()[0].value;
  for (std::size_t k = 0; k < tree.vertices.size(); ++k) {
    if (forest.labels().text(forest.label(tree.vertices[k])) == "b") {
      EXPECT_EQ(tree.counts[k], 2U);
      EXPECT_NEAR(tree.values(k, 0), 2, 1e-12);
    }
  }
}

TEST(Explanation, RelevanceIsPropagatedInProportion) {
  // Two landmarks with nothing in common, one hidden unit: z = 2 x + 3 y, score = 4 z + 1.
  LandmarkScores scores;
  scores.landmarks.resize(2);
  scores.projection = {1, 0, 0, 1};
  scores.network.layers = {{2, 1, {2, 3}, {0}, true}, {1, 1, {4}, {1}, false}};
  const std::vector<double> kernels = {0.5, 1};
  const Relevance relevance = propagate_relevance(scores, kernels, std::vector<double>{1});
  EXPECT_NEAR(relevance.slopes[0], 8, 1e-9);
  EXPECT_NEAR(relevance.slopes[1], 12, 1e-9);
  EXPECT_NEAR(relevance.bias, 1, 1e-9);
  // The ridge holds back a tenth, in proportion.
  EXPECT_NEAR(relevance.landmarks[0], 4 / 1.1, 1e-9);
  EXPECT_NEAR(relevance.landmarks[1], 12 / 1.1, 1e-9);
  EXPECT_NEAR(relevance.rest, 16 - 16 / 1.1, 1e-9);
}

TEST(Explanation, IsAvailableAsSentenceTextAndPage) {
  const Dataset data = test::toy_classes({.count = 60});
  TrainOptions options;
  options.learner = Learner::linear;
  options.nystroem = NystroemOptions{.landmarks = 20};
  const Explanation explanation = explain(train(Kernel("norm(pt(t))"), data, options), data, 2);
  const std::string sentence = explanation_sentence(explanation);
  EXPECT_TRUE(sentence.starts_with(explanation.decision.name)) << sentence;
  EXPECT_NE(sentence.find("because it is like: "), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("; not "), std::string::npos) << sentence;
  EXPECT_TRUE(explanation_text(explanation).starts_with("3. "));
  const std::string page = explanation_page({&explanation, 1}, "a <title>");
  EXPECT_NE(page.find("a &lt;title&gt;"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

void expect_same(const ExplainedScore& a, const ExplainedScore& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_NEAR(a.score, b.score, 1e-12);  // the order of summation depends on the other examples
  ASSERT_EQ(a.subtrees.size(), b.subtrees.size());
  for (std::size_t k = 0; k < a.subtrees.size(); ++k) {
    EXPECT_EQ(a.subtrees[k].subtree, b.subtrees[k].subtree);
    EXPECT_EQ(a.subtrees[k].value, b.subtrees[k].value);
    EXPECT_EQ(a.subtrees[k].count, b.subtrees[k].count);
  }
  ASSERT_EQ(a.trees.size(), b.trees.size());
  for (std::size_t t = 0; t < a.trees.size(); ++t) EXPECT_EQ(a.trees[t].values, b.trees[t].values);
}

TEST(Explanation, OfSeveralExamplesIsThatOfEach) {
  const Dataset data = test::toy_classes({.count = 120});
  std::vector<std::uint32_t> chosen = {7, 3, 3};  // with more than 512 subtrees
  for (std::uint32_t i = 119; i > 0; --i) chosen.push_back(i);
  // The last one has memory for the contributions of one example at a time.
  const Context contexts[] = {{.threads = 1}, {.threads = 3}, {.memory = 1000}};
  for (const char* kernel : {"norm(sst(t))", "each(norm(subpath())) + rbf(d)", "pt(t)"}) {
    const Model model = train(Kernel(kernel), data);
    std::vector<Explanation> alone;
    for (const std::uint32_t i : chosen) alone.push_back(explain(model, data, i));
    for (const Context& context : contexts) {
      const auto several = explain(model, data, chosen, context);
      ASSERT_EQ(several.size(), chosen.size());
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        SCOPED_TRACE(k);
        EXPECT_EQ(several[k].example, chosen[k] + 1);
        EXPECT_EQ(several[k].text, alone[k].text);
        EXPECT_EQ(several[k].labels, alone[k].labels);
        expect_same(several[k].decision, alone[k].decision);
        ASSERT_EQ(several[k].rivals.size(), 1U);
        expect_same(several[k].rivals[0], alone[k].rivals[0]);
      }
    }
  }
}

TEST(Explanation, ContributionsAddUpWithinAnyMemory) {
  const Dataset data = test::toy_classes({.count = 120});
  for (const char* kernel : {"norm(sst(t))", "pt(t)", "st(t)"}) {
    KernelFunctions functions{Kernel(kernel)};
    Matrix<double> coefficients(1, data.size());
    for (std::size_t i = 0; i < data.size(); ++i) coefficients(0, i) = i % 3 == 0 ? 1 : -0.5;
    functions.add(data, coefficients);
    const Matrix<double> expected = functions(data);
    for (const Context& context : {Context{.threads = 3}, Context{.memory = 1000}}) {
      const auto parts = functions.contributions(data, context);
      for (std::size_t i = 0; i < data.size(); ++i) {
        double sum = 0;
        for (const TreeContributions& tree : parts[i].trees) {
          for (std::size_t k = 0; k < tree.counts.size(); ++k) {
            sum += tree.values(k, 0) * tree.counts[k];
          }
        }
        EXPECT_NEAR(sum, expected(i, 0), 1e-12 * (1 + std::abs(sum)));
      }
    }
  }
}

TEST(Explanation, PageSaysWhatItOmits) {
  EXPECT_NE(explanation_page({}, "t", 3, 19).find("19 more examples"), std::string::npos);
  EXPECT_EQ(explanation_page({}, "t", 3).find("more examples"), std::string::npos);
}

TEST(Explanation, OfRegressionHasNoRival) {
  const Dataset data = test::toy_numbers({.count = 40});
  const Model model = train(Kernel("norm(pt(t))"), data);
  const Explanation explanation = explain(model, data, 0);
  EXPECT_TRUE(explanation.rivals.empty());
  EXPECT_NEAR(explanation.decision.score, predict(model, data).scores(0, 0), 1e-9);
}

}  // namespace
}  // namespace espalier
