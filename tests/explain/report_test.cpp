#include "espalier/explain/report.hpp"

#include <gtest/gtest.h>

#include "espalier/model/train.hpp"
#include "explain/choose.hpp"
#include "report_sample.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

Dataset two_classes() {
  Dataset data;
  for (int i = 0; i < 4; ++i) {
    data.add(test::ExampleOf().label("A").tree("tree", "(r(p(q))(s))"));
    data.add(test::ExampleOf().label("B").tree("tree", i < 3 ? "(r(s))" : "(r(s)(p))"));
  }
  return data;
}

const ChosenSubtree& chosen(const Report& report, std::string_view label) {
  for (const ChosenSubtree& subtree : report.chosen) {
    if (report.forest.labels().text(report.forest.label(subtree.vertex)) == label) return subtree;
  }
  throw std::logic_error("not chosen");
}

TEST(Report, CountsTreesOfEachClass) {
  const Report report = make_report(two_classes(), {});
  ASSERT_TRUE(report.has_classes);
  const ChosenSubtree& q = chosen(report, "q");
  EXPECT_EQ(q.trees_of_class, (std::vector<std::uint32_t>{4, 0}));
  EXPECT_EQ(report.facts[q.vertex].weight, 1);
  EXPECT_EQ(report.groups[report.facts[q.vertex].group].name, "A");
  EXPECT_EQ(report.sizes, (std::vector<double>{4, 2, 4, 2, 4, 2, 4, 3}));
}

TEST(Report, OmitsUninformativeSubtrees) {
  const Report report = make_report(two_classes(), {});
  EXPECT_THROW(chosen(report, "s"), std::logic_error);  // in every tree
}

TEST(Report, ListsPartsOfALargerSubtreeOnce) {
  const Report report = make_report(two_classes(), {});
  const auto top = top_of_group(report, 0, 10);
  ASSERT_FALSE(top.empty());
  EXPECT_EQ(report.forest.size(report.chosen[top[0]].vertex), 4);  // (r(p(q))(s)) has p and q
  EXPECT_LT(top.size(), report.chosen.size());
}

TEST(Report, FallsBackToFrequency) {
  Dataset unlabelled, one_class, numbers;
  for (int i = 0; i < 3; ++i) {
    unlabelled.add(test::ExampleOf().tree("tree", "(a(b))"));
    one_class.add(test::ExampleOf().label("A").tree("tree", "(a(b))"));
    numbers.add(test::ExampleOf().label(test::number(0.5 + i)).tree("tree", "(a(b))"));
  }
  const std::pair<const Dataset*, const char*> cases[] = {
      {&unlabelled, "no labels"}, {&one_class, "only one class"}, {&numbers, "numbers"}};
  for (const auto& [data, reason] : cases) {
    const Report report = make_report(*data, {});
    EXPECT_FALSE(report.has_classes);
    EXPECT_NE(report.weights.find(reason), std::string::npos) << report.weights;
    EXPECT_EQ(report.facts[0].weight, 1);
    EXPECT_NE(report_html(report).find("frequent"), std::string::npos);
  }
}

TEST(Report, RejectsDataWithoutTrees) {
  EXPECT_EQ(test::failure_of([] { make_report({}, {}); }).message,
            "there are no examples to report on");
  Dataset empty, several;
  empty.add(test::ExampleOf().label("A").tree("tree", ""));
  EXPECT_EQ(test::failure_of([&] { make_report(empty, {}); }).message,
            "all trees are empty: there is nothing to report");
  several.add(test::ExampleOf().label("A").tree("x", "(a)").tree("y", "(a)"));
  EXPECT_EQ(test::failure_of([&] { make_report(several, {}); }).message,
            "the examples have several trees: name one of x, y");
}

TEST(Report, IgnoresOrderAndLabelsIfAsked) {
  Dataset data;
  data.add(test::ExampleOf().label("A").tree("tree", "(a(b)(c))"));
  data.add(test::ExampleOf().label("B").tree("tree", "(a(c)(b))"));
  EXPECT_EQ(make_report(data, {}).forest.vertex_count(), 4);
  EXPECT_EQ(make_report(data, {.unordered = true}).forest.vertex_count(), 3);
  EXPECT_EQ(make_report(data, {.labels = false}).forest.vertex_count(), 2);
}

TEST(Report, IsDeterministic) {
  const Dataset data = test::random_examples(11, 200);
  EXPECT_EQ(report_html(make_report(data, {.name = "x"})),
            report_html(make_report(data, {.name = "x"})));
}

TEST(Report, StaysSmallForLargeTrees) {
  Dataset data;
  for (int i = 0; i < 2; ++i) {
    const std::string name(1, static_cast<char>('A' + i));
    data.add(test::ExampleOf().label(name).tree("tree", test::path_tree(50000, name)));
    data.add(test::ExampleOf().label(name).tree("tree", test::star_tree(50000, name, name)));
  }
  const Report report = make_report(data, {});
  EXPECT_LT(report_html(report).size(), 3000000);
  for (const std::string& name : figure_names()) {
    if (name != "results") {
      EXPECT_LT(report_svg(report, name).size(), 1000000) << name;
    }
  }
}

TEST(Report, EscapesLabelsInEveryFigure) {
  Dataset data;
  const std::string evil = "</script><script>alert(1)</script>";
  for (const char* end : {"1", "2"}) {
    Tree tree;
    TreeBuilder builder;
    builder.start(tree);
    builder.open(evil + end);
    builder.leaf("\"'&<>" + std::string(end));
    builder.close();
    data.add(test::ExampleOf().label(evil + end).tree("tree", tree));
  }
  Report report = make_report(data, {.name = evil});
  report.results = {{evil, {{evil, {0.1, 0.2}}}}};
  EXPECT_EQ(report_html(report).find(evil), std::string::npos);
  for (const std::string& name : figure_names()) {
    EXPECT_EQ(report_svg(report, name).find("<script"), std::string::npos) << name;
  }
}

TEST(Report, ShowsTheWeightsOfAModel) {
  const Dataset data = test::random_examples(3, 60);
  const Model learned = train(Kernel("st(weight=discriminance, unordered=true)"), data, {});
  const Report report = make_report(data, {}, &learned);
  EXPECT_FALSE(report.forest.options().ordered);
  EXPECT_NE(report.weights.find("model"), std::string::npos);
  EXPECT_NE(report_html(report).find("unordered"), std::string::npos);
  const Model other = train(Kernel("sst()"), data, {});
  EXPECT_NE(make_report(data, {}, &other).model.back().second.find("no learned weights"),
            std::string::npos);
}

TEST(Report, ListsItsFigures) {
  const Report report = make_report(two_classes(), {});
  EXPECT_EQ(test::failure_of([&] { report_svg(report, "results"); }).message,
            "there are no results to draw: give some with --results");
  EXPECT_TRUE(test::fails_with("no figure 'frost'", [&] { report_svg(report, "frost"); }));
}

}  // namespace
}  // namespace espalier
