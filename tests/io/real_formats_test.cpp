// All of the real data sets load, with the numbers that are known of them. Skipped where they are
// not there.
#include <gtest/gtest.h>

#include "espalier/data/summary.hpp"
#include "support/archive.hpp"
#include "support/cases.hpp"
#include "support/files.hpp"
#include "support/shared_data.hpp"

namespace espalier {
namespace {

struct RealSet : test::Row {
  const char* file = "";
  const char* columns = "";  ///< of a table
  std::size_t trees = 0;
  std::size_t nodes = 0;
  double largest = 0;
  std::size_t classes = 0;
};

class RealSets : public testing::TestWithParam<RealSet> {};

TEST_P(RealSets, LoadWholeWithTheKnownNumbers) {
  const std::string path = test::shared_data(GetParam().file);
  ESPALIER_NEEDS_DATA(path);
  ReadOptions options;
  options.columns = GetParam().columns;
  const Summary summary = summarize(read(path, options));
  EXPECT_EQ(summary.examples, GetParam().trees);
  ASSERT_EQ(summary.trees.size(), 1U);
  EXPECT_EQ(summary.trees[0].trees, GetParam().trees);
  EXPECT_EQ(summary.trees[0].nodes, GetParam().nodes);
  EXPECT_EQ(summary.trees[0].size.max, GetParam().largest);
  EXPECT_EQ(summary.classes.size(), GetParam().classes);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RealSets,
    testing::Values(
        RealSet{{"HtmlPages"}, "htmldoc.tsv.gz", "", 2'203, 1'249'518, 18'118, 8},
        RealSet{{"TreeBase"}, "treebase.newick.tsv.gz", "newick=5", 9'512, 807'601, 1'363, 0},
        RealSet{{"Rna"},
                "rna_archiveII.csv.gz",
                "dot-bracket=dot_bracket,sequence=sequence",
                3'975,
                616'828,
                2'184,
                0},
        RealSet{{"Glycans"},
                "glycans_species.csv.gz",
                "class=kingdom,glycan=target",
                13'209,
                84'442,
                43,
                11},
        RealSet{
            {"JavaFunctions"}, "bcb_functions.sexpr.tsv.gz", "tree=2", 6'791, 1'443'563, 3'087, 0},
        RealSet{{"ProgramsToValidate"}, "poj104.val.sexpr.gz", "", 2'599, 1'142'816, 2'369, 104}),
    test::RowName());

INSTANTIATE_TEST_SUITE_P(
    Slow, RealSets,
    testing::Values(RealSet{
        {"ProgramsToLearn"}, "poj104.train.sexpr.gz", "", 38'999, 17'363'750, 15'903, 104}),
    test::RowName());

TEST(RealSets, DocumentsAsTerms) {
  const std::string path = test::shared_data("inex2005.tar.gz");
  ESPALIER_NEEDS_DATA(path);
  for (const auto& [name, examples] : {std::pair{"train", 4'820U}, std::pair{"test", 4'811U}}) {
    const std::string content =
        test::file_in_archive(path, "inex05." + std::string(name) + ".elastic.tree");
    const auto all = test::parsed("terms", content);
    EXPECT_EQ(all.size(), examples);
    for (const Example& example : all) ASSERT_EQ(example.labels.size(), 1U);
  }
}

TEST(RealSets, TreebankAsADirectory) {
  const std::string path = test::shared_data("gum_constituency.tar.gz");
  ESPALIER_NEEDS_DATA(path);
  const test::TempDir folder;
  ASSERT_EQ(std::system(("tar xzf '" + path + "' -C '" + folder.path() + "'").c_str()), 0);
  ReadOptions options;
  options.format = "directory";
  const Summary summary = summarize(read(folder.path(), options));
  EXPECT_EQ(summary.examples, 15'492U);
  EXPECT_EQ(summary.trees[0].nodes, 774'950U);
  EXPECT_EQ(summary.trees[0].size.max, 394);
}

}  // namespace
}  // namespace espalier
