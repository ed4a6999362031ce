#include "espalier/io/pairs.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::TempDir;
using test::tree;

constexpr const char* dogs =
    "# q = 1\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
constexpr const char* dog = "1\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n";

struct PairFiles : testing::Test {
  TempDir folder;
  std::string a = folder.file("a.conllu", std::string(dogs) + dogs);
  std::string b = folder.file("b.conllu", std::string(dog) + dog);

  static std::vector<Example> all(const std::string& a, const std::string& b,
                                  const std::string& labels = "", const PairOptions& options = {},
                                  const ReadOptions& read = {}) {
    const auto reader = open_pairs(a, b, labels, read, options);
    std::vector<Example> out;
    for (Example example; reader->next(example);) out.push_back(example);
    return out;
  }
};

TEST_F(PairFiles, BecomePairsWithMarksFeaturesLabelsAndGroups) {
  const std::string labels = folder.file("labels", "yes\n no \n");
  const auto pairs = all(a, b, labels, {.related = "lemma", .features = true, .group = "q"});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[1].labels[0].name, "no");
  EXPECT_EQ(pairs[0].texts, (std::vector<Named<std::string>>{{"q", "1"}}));
  EXPECT_EQ(
      pairs[0].members[0].trees[0].value,
      tree("(SYNT##REL-root(SYNT##REL-nsubj(POS##REL-NNS(LEX##dog::n)))(POS##VBP(LEX##bark::v)))"));
  EXPECT_EQ(pairs[0].members[1].trees[0].value, tree("(SYNT##REL-root(POS##REL-NN(LEX##dog::n)))"));
  EXPECT_EQ(pairs[0].vectors[0].name, "features");
  EXPECT_DOUBLE_EQ(pairs[0].vectors[0].value.values[1], 0.5);  // words_a
}

TEST_F(PairFiles, OfOtherTreesKeepTheirOwnLabels) {
  const std::string left = folder.file("a.tsv", "yes\t(S(NN(dog))(VB(bark)))\nno\t(S(NN(cat)))\n");
  const std::string right = folder.file("b.penn", "(S (NP (NN dog)))\n(S (NP (NN dog)))\n");
  const auto pairs = all(left, right, "", {.related = "form"});
  EXPECT_EQ(pairs[0].labels[0].name, "yes");
  EXPECT_TRUE(pairs[0].members[0].labels.empty());
  EXPECT_EQ(pairs[0].members[0].trees[0].value, tree("(REL-S(REL-NN(dog))(VB(bark)))"));
  EXPECT_EQ(pairs[1].members[0].trees[0].value, tree("(S(NN(cat)))"));
}

TEST_F(PairFiles, RelateWordsByTheirVectors) {
  const std::string vectors = folder.file("v.txt", "dog 1 0\npuppy 0.8 0.6\nbark 0 1\n");
  const std::string puppy =
      folder.file("p.conllu", "1\tpuppy\tpuppy\tNOUN\tNN\t_\t0\troot\t_\t_\n\n");
  const std::string one = folder.file("one.conllu", dogs);
  const auto marked = [&](const char* related) {
    return all(one, puppy, "", {.related = related, .vectors = vectors})[0]
        .members[0]
        .trees[0]
        .value;
  };
  EXPECT_EQ(marked("vectors:0.7"),
            tree("(SYNT##REL-root(SYNT##REL-nsubj(POS##REL-NNS(LEX##dog::n)))"
                 "(POS##VBP(LEX##bark::v)))"));
  EXPECT_EQ(marked("vectors:0.9"),
            tree("(SYNT##root(SYNT##nsubj(POS##NNS(LEX##dog::n)))(POS##VBP(LEX##bark::v)))"));
}

TEST_F(PairFiles, FailWithOneClearLine) {
  const std::string three = folder.file("c.conllu", std::string(dog) + dog + dog);
  const std::string one = folder.file("one", "yes\n");
  const std::string gap = folder.file("gap", "yes\n\n");
  const std::string many = folder.file("many", "yes\nno\nyes\n");
  const std::string broken = folder.file("d.conllu", std::string(dog) + "1\tx\ty\n\n");
  const auto run = [&](const std::string& first, const std::string& second,
                       const std::string& labels = "", const PairOptions& options = {}) {
    return [=] { all(first, second, labels, options); };
  };
  EXPECT_TRUE(fails_with("b.conllu ends after 2 examples, but", run(three, b)));
  EXPECT_TRUE(fails_with("a.conllu ends after 2 examples, but", run(a, three)));
  EXPECT_TRUE(
      fails_with("a missing label: it has 1 line, but there are more pairs", run(a, b, one)));
  EXPECT_TRUE(fails_with("gap:2", run(a, b, gap)));
  EXPECT_TRUE(fails_with("a label too many: there are 2 pairs", run(a, b, many)));
  EXPECT_TRUE(
      fails_with("pair 1 has no text 'x' to be its group: ", run(a, b, "", {.group = "x"})));
  EXPECT_TRUE(fails_with("d.conllu:3", run(a, broken)));
  EXPECT_TRUE(
      fails_with("expected form, lemma, or vectors:", run(a, b, "", {.related = "vectors:2"})));
  EXPECT_TRUE(fails_with("set vectors", run(a, b, "", {.related = "vectors:0.5"})));
  EXPECT_TRUE(fails_with("standard input", run("-", "-")));
  const std::string useless = folder.file("u.txt", "xyz 1 0\n");
  EXPECT_TRUE(fails_with("has a vector of none of the words",
                         run(a, b, "", {.vectors = useless, .features = true})));
  EXPECT_TRUE(fails_with("whole sentences", [&] {
    ReadOptions read;
    read.sentences.candidates = Candidates::arguments;
    open_pairs(a, b, "", read);
  }));
}

}  // namespace
}  // namespace espalier
