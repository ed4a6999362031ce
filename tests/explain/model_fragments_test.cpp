#include "espalier/explain/model_fragments.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "espalier/explain/explanation.hpp"
#include "espalier/gram/gram.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

Model toy_model(std::size_t kinds, const TrainOptions& options,
                const char* kernel = "norm(sst(t))") {
  return train(Kernel(kernel), test::toy_classes({.count = 60, .kinds = kinds}), options);
}

TEST(ModelFragments, OfTwoClassesAreListedOnce) {
  const Model model = toy_model(2, {});
  const ModelFragments all = model_fragments(model, {.top = 10});
  ASSERT_EQ(all.lists.size(), 1);
  EXPECT_EQ(all.lists[0].number, 0);
  for (const WeightedFragment& each : all.lists[0].found.fragments) {
    EXPECT_EQ(each.weights[0], -each.weights[1]);
  }
  const ModelFragments other = model_fragments(model, {.top = 10}, "k1");
  ASSERT_EQ(other.lists.size(), 1);
  EXPECT_EQ(other.lists[0].number, 1);
  EXPECT_EQ(to_string(other.lists[0].found.fragments[0].fragment),
            to_string(all.lists[0].found.fragments[0].fragment));
}

TEST(ModelFragments, SpeakForTheirClass) {
  const Model model = toy_model(3, {});
  const ModelFragments all = model_fragments(model, {.top = 3});
  ASSERT_EQ(all.lists.size(), 3);
  for (const auto& list : all.lists) {
    const WeightedFragment& first = list.found.fragments[0];
    EXPECT_GT(first.weights[list.number], 0);
    EXPECT_NE(to_string(first.fragment).find(all.classes[list.number]), std::string::npos);
  }
}

/// Contributions of all fragments and the bias are the score, for every learner that is linear.
TEST(ModelFragments, AddUpToTheScoresOfAllLinearModels) {
  const Dataset data = test::toy_classes({.count = 60, .kinds = 3});
  TrainOptions pairs, landmarks, online;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  landmarks.learner = Learner::linear;
  landmarks.nystroem.landmarks = 20;
  online.learner = Learner::perceptron;
  for (const TrainOptions& options : {TrainOptions(), pairs, landmarks, online}) {
    SCOPED_TRACE(name_of(options.learner));
    const Model model = train(Kernel("norm(sst(t))"), data, options);
    const Explanation why = explain(model, data, 3, {}, 1'000'000);
    double sum = why.decision.bias, subtrees = why.decision.bias;
    for (const FragmentContribution& each : why.decision.fragments) sum += each.value;
    for (const SubtreeContribution& each : why.decision.subtrees) subtrees += each.value;
    EXPECT_NEAR(sum, why.decision.score, 1e-9);
    EXPECT_NEAR(subtrees, why.decision.score, 1e-9);
    // The weights of the model are those in its explanations.
    const ModelFragments all = model_fragments(model, {.top = 1'000'000}, why.decision.name);
    const std::uint32_t c = all.lists[0].number;
    std::map<std::string, double> weights;
    for (const WeightedFragment& each : all.lists[0].found.fragments) {
      weights[to_string(each.fragment)] = each.weights[c];
    }
    for (const FragmentContribution& each : why.decision.fragments) {
      EXPECT_NEAR(each.weight, weights[each.fragment], 1e-5) << each.fragment;
    }
  }
}

TEST(ModelFragments, RefuseNetworksAndUnknownClasses) {
  TrainOptions kda;
  kda.learner = Learner::kda;
  kda.nystroem.landmarks = 10;
  kda.network.epochs = 2;
  EXPECT_NE(test::failure_of([&] {
              model_fragments(toy_model(3, kda), {});
            }).message.find("no sums over fragments"),
            std::string::npos);
  EXPECT_EQ(test::failure_of([&] { model_fragments(toy_model(3, {}), {}, "k9"); }).message,
            "the model has no class 'k9'; did you mean 'k0'?");
}

TEST(ModelFragments, OfATreeHaveItsSelfKernelAsSquareSum) {
  const Tree tree = test::tree("(S(NP(D(the))(N(dog)))(VP(V(sees))(NP(D(the))(N(dog)))))");
  for (const char* kernel : {"sst()", "pt()", "st()", "subpath()", "route()", "2*sst() + pt()"}) {
    const ModelFragments all = tree_fragments(Kernel(kernel), tree, {.top = 1'000'000});
    double squares = 0;
    for (const WeightedFragment& each : all.lists[0].found.fragments) {
      squares += each.weights[0] * each.weights[0];
    }
    const Dataset data = test::dataset_of(std::vector{tree});
    EXPECT_NEAR(squares, gram<double>(Kernel(kernel), data)(0, 0), 1e-12) << kernel;
  }
}

TEST(FragmentsPage, ShowsHostileLabelsAsText) {
  Dataset data;
  for (int i = 0; i < 4; ++i) {
    const std::string hostile = i % 2 == 0 ? "<script>alert</script>" : "</style>\"'&";
    data.add(
        test::ExampleOf().label(i % 2 == 0 ? "<b>A" : "B").tree("t", "(S(" + hostile + "(x)))"));
  }
  const Model model = train(Kernel("sst()"), data);
  const std::string page = fragments_page(model_fragments(model, {}, "", &data), "<i>model", &data);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<b>A"), std::string::npos);
  EXPECT_EQ(page.find("<i>model"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert"), std::string::npos);
  EXPECT_NE(page.find("in 2 of 4 examples"), std::string::npos);
}

TEST(FragmentSvg, MarksFrontierNodes) {
  const ModelFragments all =
      tree_fragments(Kernel("sst()"), test::tree("(S(NP(dog))(V(barks)))"), {.top = 100});
  for (const WeightedFragment& each : all.lists[0].found.fragments) {
    const std::string text = to_string(each.fragment), svg = fragment_svg(each.fragment);
    std::size_t frontier = 0, drawn = 0;
    for (const auto node : each.fragment.frontier) frontier += node;
    for (std::size_t at = svg.find("class=\"frontier\""); at != std::string::npos;
         at = svg.find("class=\"frontier\"", at + 1)) {
      ++drawn;
    }
    EXPECT_EQ(drawn, frontier) << text;
    EXPECT_EQ(svg.find("<svg xmlns"), 0);
  }
}

}  // namespace
}  // namespace espalier
