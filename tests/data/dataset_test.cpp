#include "espalier/data/dataset.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/examples.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::dense;
using test::ExampleOf;
using test::number;
using test::sparse;
using test::tree;

Dataset dataset(std::span<const Example> examples) {
  Dataset data;
  for (const Example& example : examples) data.add(example);
  return data;
}

Dataset dataset(std::initializer_list<Example> examples) {
  return dataset(std::span(examples.begin(), examples.size()));
}

TEST(Slot, IsNamedAfterMemberAndName) {
  EXPECT_EQ(to_string(Slot{"", "grct"}), "grct");
  EXPECT_EQ(to_string(Slot{"a", "grct"}), "a/grct");
  EXPECT_EQ(to_string(Slot{"a/b", "grct"}), "a/b/grct");
}

TEST(Dataset, IsEmptyAtFirst) {
  const Dataset data;
  EXPECT_EQ(data.size(), 0U);
  EXPECT_TRUE(data.trees().empty());
  EXPECT_TRUE(data.vectors().empty());
  EXPECT_TRUE(data.texts().empty());
  EXPECT_TRUE(data.forests().empty());
}

TEST(Dataset, FindsColumnsByNameInAnyOrder) {
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("n" + std::to_string(i * 7 % 300));
  Example first, second;
  for (const std::string& name : names) first.trees.push_back({name, tree("(a)")});
  for (const std::string& name : names) first.vectors.push_back({name, sparse({{"x", 1}})});
  for (const std::string& name : names) first.texts.push_back({name, name});
  for (std::size_t i = names.size(); i-- > 100;) {
    second.trees.push_back({names[i], tree("(b)")});
    second.vectors.push_back({names[i], sparse({{"y", 2}})});
    second.texts.push_back({names[i], names[i] + "!"});
  }
  Dataset data = dataset({first, second});
  EXPECT_EQ(data.trees().size(), names.size());
  EXPECT_EQ(data.forests().size(), names.size());
  EXPECT_EQ(data.texts()[100].texts[1], names[100] + "!");
  EXPECT_EQ(data.texts()[99].texts[1], std::nullopt);
  // A view, and one that was loaded, know the columns too.
  const std::uint32_t last[] = {1};
  for (Dataset other : {data.view(last), data.select(last), Dataset::load(data.save())}) {
    other.add(second);
    EXPECT_EQ(other.trees().size(), names.size());
    EXPECT_EQ(other.example(other.size() - 1), other.example(other.size() - 2));
  }
}

TEST(Dataset, KeepsLabelsOfAllKinds) {
  const Dataset data =
      dataset({ExampleOf().label("A"), ExampleOf(), ExampleOf().label("B").label("A"),
               ExampleOf().label(number(3.5)), ExampleOf().label(number(-1, "A"))});
  const auto names = [&](std::size_t i) {
    std::vector<std::string> out;
    for (const LabelEntry& entry : data.labels(i)) {
      out.push_back(std::string(data.label_names().text(entry.name)) +
                    (entry.value ? ":" + std::to_string(*entry.value) : ""));
    }
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(data.size(), 5U);
  EXPECT_EQ(names(0), Names{"A"});
  EXPECT_EQ(names(1), Names{});
  EXPECT_EQ(names(2), (Names{"B", "A"}));
  EXPECT_EQ(names(3), Names{":3.500000"});
  EXPECT_EQ(names(4), Names{"A:-1.000000"});
  EXPECT_EQ(data.labels(0)[0].name, data.labels(2)[1].name);
  EXPECT_TRUE(data.labels(0, "a").empty());
}

TEST(Dataset, PadsColumnsForExamplesWithoutThem) {
  const Dataset data = dataset({ExampleOf().label("A"), ExampleOf().tree("t", "(A(B))"),
                                ExampleOf().vector("v", sparse({{"x", 1}, {"y", 2}})),
                                ExampleOf().text("s", "words"),
                                ExampleOf().vector("d", dense({7, 8})), ExampleOf().label("B")});
  ASSERT_EQ(data.trees().size(), 1U);
  EXPECT_EQ(data.trees()[0].trees, (std::vector<TreeId>{none, 0, none, none, none, none}));
  ASSERT_EQ(data.vectors().size(), 2U);
  const VectorColumn& v = data.vectors()[0];
  EXPECT_FALSE(v.dense);
  EXPECT_EQ(v.present, (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(v.begin, (std::vector<std::uint64_t>{0, 0, 0, 2, 2, 2, 2}));
  EXPECT_EQ(v.features, (std::vector<LabelId>{0, 1}));
  EXPECT_EQ(v.values, (std::vector<double>{1, 2}));
  const VectorColumn& d = data.vectors()[1];
  EXPECT_TRUE(d.dense);
  EXPECT_EQ(d.dimension, 2U);
  EXPECT_EQ(d.begin, (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 2, 2}));
  EXPECT_TRUE(d.features.empty());
  ASSERT_EQ(data.texts().size(), 1U);
  ASSERT_EQ(data.texts()[0].texts.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(data.texts()[0].texts[i].has_value(), i == 3);
  EXPECT_EQ(data.labels(0).size(), 1U);
  EXPECT_TRUE(data.labels(3).empty());
  EXPECT_EQ(data.labels(5).size(), 1U);
}

TEST(Dataset, DistinguishesEmptyFromMissingTreesAndVectors) {
  const Dataset data =
      dataset({ExampleOf().tree("t", "").vector("v", sparse({})), ExampleOf().text("s", "")});
  EXPECT_EQ(data.trees()[0].trees, (std::vector<TreeId>{0, none}));
  EXPECT_EQ(data.vectors()[0].present, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(data.example(0), ExampleOf().tree("t", "").vector("v", sparse({})));
  EXPECT_EQ(data.example(1), ExampleOf().text("s", ""));
}

TEST(Dataset, HasOneForestPerTreeName) {
  const Dataset data = dataset({ExampleOf().tree("x", "(A)").tree("y", "(A(B))"),
                                ExampleOf().tree("y", "(A(B))").tree("z", "(C)")});
  ASSERT_EQ(data.forests().size(), 3U);
  EXPECT_EQ(data.forests()[0].name, "x");
  EXPECT_EQ(data.forests()[1].name, "y");
  EXPECT_EQ(data.forests()[1].value.tree_count(), 2U);
  EXPECT_EQ(data.forests()[1].value.vertex_count(), 2U);
  EXPECT_EQ(data.forests()[2].name, "z");
}

TEST(Dataset, MembersOfPairsShareAForest) {
  const Dataset data =
      dataset({ExampleOf().label("same").pair(ExampleOf().label("l").tree("t", "(A(B))"),
                                              ExampleOf().tree("t", "(C(A(B)))")),
               ExampleOf().tree("t", "(A(B))")});
  ASSERT_EQ(data.forests().size(), 1U);
  const Forest& forest = data.forests()[0].value;
  EXPECT_EQ(forest.tree_count(), 3U);
  EXPECT_EQ(forest.vertex_count(), 3U);
  ASSERT_EQ(data.trees().size(), 3U);
  EXPECT_EQ(data.trees()[0].slot, (Slot{"a", "t"}));
  EXPECT_EQ(data.trees()[1].slot, (Slot{"b", "t"}));
  EXPECT_EQ(data.trees()[2].slot, (Slot{"", "t"}));
  EXPECT_EQ(forest.root(data.trees("t", "a").trees[0]), forest.root(data.trees("t").trees[1]));
  EXPECT_EQ(data.labels(0, "a").size(), 1U);
  EXPECT_TRUE(data.labels(0, "b").empty());
  EXPECT_TRUE(data.labels(1, "a").empty());
}

const Example varied_examples[] = {
    ExampleOf(),
    ExampleOf().label("A").label(number(2.25, "score")).text("quest", "what ?"),
    ExampleOf().tree("t", "(A(B)(C))").tree("u", "").vector("v", sparse({{"x", 1}, {"y", -2}})),
    ExampleOf().vector("v", sparse({{"x", 4}})).vector("d", dense({1, 2, 3})),
    ExampleOf().label("P").pair(ExampleOf().tree("t", "(A)").text("quest", "a"),
                                ExampleOf().label("Q").vector("v", sparse({{"z", 1}}))),
    ExampleOf().pair(ExampleOf().pair(ExampleOf().tree("t", "(B)"), ExampleOf().label("R")),
                     ExampleOf().tree("t", "(C)")),
    ExampleOf().label("A").tree("t", "(A(B)(C))"),
};

TEST(Dataset, ReturnsExamplesAsTheyWereAdded) {
  const Dataset data = dataset(varied_examples);
  ASSERT_EQ(data.size(), std::size(varied_examples));
  for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(data.example(i), varied_examples[i]) << i;
}

TEST(Dataset, OrdersRepresentationsByFirstAppearance) {
  const Dataset data = dataset({ExampleOf().tree("x", "(A)").tree("y", "(B)"),
                                ExampleOf().tree("y", "(B)").tree("z", "(C)").tree("x", "(A)")});
  EXPECT_EQ(data.example(1), ExampleOf().tree("x", "(A)").tree("y", "(B)").tree("z", "(C)"));
}

TEST(Dataset, SumsRepeatedFeaturesAndOrdersThemByFirstAppearance) {
  const Dataset data = dataset({ExampleOf().vector("v", sparse({{"b", 1}, {"a", 2}, {"b", 4}})),
                                ExampleOf().vector("v", sparse({{"c", 1}, {"a", 2}, {"b", 3}}))});
  EXPECT_EQ(data.example(0).vectors[0].value, sparse({{"b", 5}, {"a", 2}}));
  EXPECT_EQ(data.example(1).vectors[0].value, sparse({{"b", 3}, {"a", 2}, {"c", 1}}));
}

TEST(Dataset, RejectsInconsistentExamplesWithoutAddingThem) {
  const Example first = ExampleOf()
                            .label("A")
                            .tree("t", "(A)")
                            .vector("v", sparse({{"x", 1}}))
                            .vector("d", dense({1, 2}))
                            .pair(ExampleOf().vector("d", dense({1})), ExampleOf().label("l"));
  const struct {
    const char* message;
    Example example;
  } cases[] = {
      {"vector 'd' has 3 values here and 2 before",
       ExampleOf().label("B").tree("t", "(B)").vector("d", dense({1, 2, 3}))},
      {"vector 'd' has 0 values here and 2 before", ExampleOf().vector("d", dense({}))},
      {"vector 'v' is dense in one example and sparse in another",
       ExampleOf().tree("new", "(B)").vector("v", dense({1}))},
      {"vector 'd' is dense in one example and sparse in another",
       ExampleOf().text("new", "x").vector("d", sparse({{"x", 1}}))},
      {"vector 'd' has 2 values here and 1 before",
       ExampleOf().pair(ExampleOf().vector("d", dense({1, 2})), ExampleOf())},
      {"two trees of one example are named 't'",
       ExampleOf().label("B").tree("t", "(B)").tree("t", "(C)")},
      {"two vectors of one example are named 'v'",
       ExampleOf().vector("v", sparse({})).vector("v", sparse({}))},
      {"two texts of one example are named 's'", ExampleOf().text("s", "").text("s", "")},
      {"two texts of one example are named 's'",
       ExampleOf().pair(ExampleOf().tree("t", "(B)"), ExampleOf().text("s", "").text("s", ""))},
  };
  for (const auto& [message, example] : cases) {
    Dataset data = dataset({first});
    EXPECT_TRUE(test::fails_with(message, [&] { data.add(example); }));
    EXPECT_EQ(data.size(), 1U);
    EXPECT_EQ(data.example(0), first);
    EXPECT_EQ(data.forests().size(), 1U);
    EXPECT_EQ(data.forests()[0].value.tree_count(), 1U);
    EXPECT_EQ(data.trees().size(), 1U);
    EXPECT_TRUE(data.texts().empty());
    EXPECT_EQ(data.label_names().find("B"), none);
    // What fits still goes in.
    data.add(ExampleOf().vector("d", dense({3, 4})));
    EXPECT_EQ(data.example(1), ExampleOf().vector("d", dense({3, 4})));
  }
}

TEST(Dataset, RejectsMixedVectorsWithinOneExample) {
  Dataset data;
  EXPECT_TRUE(test::fails_with("named 'v'", [&] {
    data.add(ExampleOf().vector("v", sparse({{"x", 1}})).vector("v", dense({1})));
  }));
  EXPECT_EQ(data.size(), 0U);
  EXPECT_TRUE(data.vectors().empty());
}

TEST(DatasetTrees, AreFoundByNameAndMember) {
  const Dataset data = dataset({ExampleOf().tree("x", "(A)").tree("y", "(B)"),
                                ExampleOf().pair(ExampleOf().tree("only", "(C)"), ExampleOf())});
  EXPECT_EQ(data.trees("x").slot, (Slot{"", "x"}));
  EXPECT_EQ(data.trees("y").slot, (Slot{"", "y"}));
  EXPECT_EQ(data.trees("only", "a").slot, (Slot{"a", "only"}));
  EXPECT_EQ(data.trees("", "a").slot, (Slot{"a", "only"}));
}

TEST(DatasetTrees, AreListedIfANameIsUnknown) {
  const Dataset data = dataset({ExampleOf().tree("grct", "(A)").tree("lct", "(B)"),
                                ExampleOf().pair(ExampleOf().tree("only", "(C)"), ExampleOf())});
  const test::Failure missing = test::failure_of([&] { data.trees("grtc"); });
  EXPECT_TRUE(test::contains(missing.message, "no tree named 'grtc'"));
  EXPECT_TRUE(test::contains(missing.message, "grct, lct"));
  const test::Failure several = test::failure_of([&] { data.trees(""); });
  EXPECT_TRUE(test::contains(several.message, "several trees"));
  EXPECT_TRUE(test::contains(several.message, "grct, lct"));
  EXPECT_TRUE(test::fails_with("'grct': they have only", [&] { data.trees("grct", "a"); }));
  EXPECT_TRUE(test::fails_with("no trees", [&] { data.trees("only", "b"); }));
  EXPECT_TRUE(test::fails_with("no trees", [] { Dataset().trees(""); }));
}

TEST(Dataset, SelectionHasAllColumns) {
  Dataset data;
  data.add(ExampleOf().label("a").tree("t", "(r)").text("id", "1"));
  data.add(ExampleOf().label("b").vector("v", test::dense({1, 2})));
  data.add(ExampleOf().pair(ExampleOf().tree("u", "(s)"), {}));
  const std::uint32_t wanted[] = {1, 0, 1};
  const Dataset some = data.select(wanted);
  ASSERT_EQ(some.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some.example(i), data.example(wanted[i]));
  EXPECT_EQ(some.trees("u", "a").trees.size(), 3U);
  const Dataset nothing = data.select({});
  EXPECT_EQ(nothing.size(), 0U);
  EXPECT_EQ(nothing.trees().size(), 2U);
  ASSERT_EQ(nothing.vectors().size(), 1U);
  EXPECT_EQ(nothing.vectors()[0].dimension, 2U);
  EXPECT_EQ(nothing.texts().size(), 1U);
}

TEST(Dataset, ViewSharesTheForests) {
  Dataset data;
  data.add(ExampleOf().label("a").tree("t", "(r)").text("id", "1"));
  data.add(ExampleOf().label("b").vector("v", test::dense({1, 2})));
  data.add(ExampleOf().pair(ExampleOf().tree("u", "(s)"), {}));
  data.add(ExampleOf().label("a").label("c").vector("w", test::sparse({{"x", 1}, {"y", 2}})));
  const std::uint32_t wanted[] = {1, 0, 3, 1, 2};
  const Dataset some = data.view(wanted);
  ASSERT_EQ(some.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(some.example(i), data.example(wanted[i]));
  EXPECT_EQ(some.forests().data(), data.forests().data());
  EXPECT_EQ(data.view({}).size(), 0U);
}

TEST(Dataset, AddingToAViewDoesNotChangeOthers) {
  Dataset data;
  data.add(ExampleOf().tree("t", "(r)"));
  const std::uint32_t all[] = {0};
  Dataset view = data.view(all);
  view.add(ExampleOf().tree("t", "(s)"));
  EXPECT_EQ(data.forests()[0].value.tree_count(), 1U);
  data.add(ExampleOf().tree("u", "(v)"));
  EXPECT_EQ(view.forests().size(), 1U);
  EXPECT_EQ(view.example(1), Example(ExampleOf().tree("t", "(s)")));
}

TEST(Dataset, LoadsWhatItSaved) {
  const Dataset all = dataset(varied_examples);
  const std::uint32_t some[] = {6, 1, 1};  // with columns that are empty for these
  for (const Dataset& data : {all, all.view(some), all.select({}), Dataset()}) {
    const Dataset again = Dataset::load(data.save());
    ASSERT_EQ(again.size(), data.size());
    for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(again.example(i), data.example(i));
    EXPECT_EQ(again.save(), data.save());
    ASSERT_EQ(again.trees().size(), data.trees().size());
    ASSERT_EQ(again.vectors().size(), data.vectors().size());
    EXPECT_EQ(again.texts().size(), data.texts().size());
  }
}

TEST(Dataset, RejectsDamagedBytes) {
  const std::string bytes = dataset(varied_examples).save();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(Dataset::load(std::string_view(bytes).substr(0, length)), Error) << length;
  }
  EXPECT_TRUE(test::fails_with("longer", [&] { Dataset::load(bytes + "x"); }));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x81);
    try {
      const Dataset data = Dataset::load(damaged);  // another label, for example
      for (std::size_t i = 0; i < data.size(); ++i) data.example(i);
    } catch (const Error&) {
    }
  }
}

TEST(Dataset, CanBeRelabelled) {
  Dataset data;
  data.add(ExampleOf().label("a").tree("t", "(r)"));
  data.add(ExampleOf().tree("t", "(s)"));
  const std::vector<Label> labels[] = {{{"x", {}}, {"", 2.5}}, {}};
  const Dataset other = data.relabelled(labels);
  EXPECT_EQ(other.example(0).labels, labels[0]);
  EXPECT_EQ(other.example(0).trees, data.example(0).trees);
  EXPECT_TRUE(other.labels(1).empty());
  EXPECT_EQ(data.example(0).labels[0].name, "a");
  EXPECT_TRUE(test::fails_with("one list", [&] { data.relabelled({}); }));
  const std::vector<Label> endless[] = {{}, {{"", std::numeric_limits<double>::infinity()}}};
  EXPECT_TRUE(test::fails_with("finite", [&] { data.relabelled(endless); }));
}

}  // namespace
}  // namespace espalier
