// What a model says about its training, and what it says about other data.
#include <gtest/gtest.h>

#include "espalier/io/format.hpp"
#include "espalier/model/train.hpp"
#include "support/failure.hpp"
#include "support/small_trees.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

/// RNA of two families: without their sequence all structures are alike.
std::string rna_table() {
  std::string out = "family,structure,sequence\n";
  for (int i = 0; i < 10; ++i) out += "tRNA,((.)),GCAGC\nrRNA,((.)),AUCAU\n";
  return out;
}

ReadOptions with_columns(const std::string& columns) {
  ReadOptions out;
  out.columns = columns;
  return out;
}

class ProvenanceTest : public testing::Test {
 protected:
  test::TempDir folder;
  std::string file = folder.file("rna.csv", rna_table());
  Dataset data = read(file, with_columns("class=family,dot-bracket=structure,sequence=sequence"));
};

TEST_F(ProvenanceTest, IsSavedWithTheModel) {
  TrainOptions options;
  options.classifier.cost = 3;
  const Model model = model_from_bytes(model_bytes(train(Kernel("st()"), data, options)));
  const Provenance& from = model.provenance;
  EXPECT_FALSE(from.version.empty());
  EXPECT_TRUE(from.data.starts_with("20 examples "));
  const std::vector<Setting> expected = {
      {"columns", "class=family,dot-bracket=structure,sequence=sequence"}};
  EXPECT_EQ(from.reading, expected);
  const auto has = [&](const char* name, const char* value) {
    return std::ranges::find(from.parameters, Setting{name, value}) != from.parameters.end();
  };
  EXPECT_TRUE(has("C", "3"));
  EXPECT_TRUE(has("learner", "svm"));
  EXPECT_EQ(std::ranges::find(from.parameters, "dropout", &Setting::name), from.parameters.end());
}

TEST_F(ProvenanceTest, WarnsOfDataThatWasReadDifferently) {
  const Model model = train(Kernel("st()"), data);
  EXPECT_TRUE(warnings_about(model, data).empty());
  const Dataset other = read(file, with_columns("class=family,dot-bracket=structure"));
  const std::vector<std::string> found = warnings_about(model, other);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].find("was trained on data read with columns=class=family"), found[0].npos);
  EXPECT_NE(found[1].find("labels that the model has never seen"), found[1].npos);
  EXPECT_TRUE(warnings_about(model, data.view(std::vector<std::uint32_t>{1, 2})).empty());
  const auto no_classes = with_columns("dot-bracket=structure,sequence=sequence");
  EXPECT_TRUE(warnings_about(model, read(file, no_classes)).empty());
}

TEST(UnseenLabels, AreCountedByNode) {
  const Dataset data = test::dataset_of({"(a(b)(c))", "(a(b(d)))"});
  const Dataset half = test::dataset_of({"(a(x)(b)(y))"});
  Matrix<double> one(1, 2);
  one(0, 0) = one(0, 1) = 1;
  for (const char* expression : {"sst()", "norm(pt()) + st()", "sst()*sst()", "each(st())"}) {
    KernelFunctions functions{Kernel(expression)};
    functions.add(data, one);
    EXPECT_EQ(functions.unseen_labels(data), 0.0) << expression;
    EXPECT_EQ(functions.unseen_labels(half), 0.5) << expression;
  }
  for (const char* expression : {"dtk(dim=8)", "st(labels=false)", "2"}) {
    KernelFunctions functions{Kernel(expression)};
    functions.add(data, one);
    EXPECT_EQ(functions.unseen_labels(half), std::nullopt) << expression;
  }
}

}  // namespace
}  // namespace espalier
