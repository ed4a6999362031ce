#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::fails_with;
using test::parsed;
using test::parsed_one;
using test::read_as;

TEST(NewickReader, ReadsUnusualFiles) {
  const struct {
    const char* why;
    const char* content;
    const char* tree;
  } cases[] = {
      {"labels of leaves and inner nodes", "(a,(b,c)bc)root;", "(root(a)(bc(b)(c)))"},
      {"no labels at all", "(,(,));", "(()(()()))"},
      {"one node", "a;", "(a)"},
      {"branch lengths are dropped", "(a:0.1,b:1e-3)r:5;", "(r(a)(b))"},
      {"blanks and line ends", " ( a ,\n\t( b , c ) bc\n) root ;", "(root(a)(bc(b)(c)))"},
      {"comments", "[&R] (a[one],[two]b)[x[nested]]r;", "(r(a)(b))"},
      {"annotations of NHX", "(a:0.1[&&NHX:S=human:E=1.1],b)r[&&NHX:D=Y];", "(r(a)(b))"},
      {"quotes, with a quote, a bracket and a semicolon in them", "('it''s; (a)',b);", nullptr},
      {"underscores stay", "(Homo_sapiens,b);", "((Homo_sapiens)(b))"},
      {"a number as support of an inner node", "((a,b)0.95:0.2,c);", "((0.95(a)(b))(c))"},
      {"the last ';' may be missing", "(a,b)\n", "((a)(b))"},
  };
  for (const auto& [why, content, tree] : cases) {
    const Example example = parsed_one("newick", content);
    if (tree == nullptr) {
      EXPECT_EQ(example.trees[0].value.label(1), "it's; (a)") << why;
    } else {
      EXPECT_EQ(example, ExampleOf().tree("tree", tree)) << why;
    }
  }
}

TEST(NewickReader, ReadsASequenceOfTrees) {
  EXPECT_EQ(parsed("newick", "(a,b);(c,d);\n\n(e,\nf);\n").size(), 3U);
}

TEST(NewickReader, KeepsBranchLengthsIfAsked) {
  ReadOptions options;
  options.mapping.lengths = true;
  EXPECT_EQ(read_as("newick", "(a:0.1,b[c]:2)r;", options)[0].trees[0].value,
            test::tree("(r(a:0.1)(b:2))"));
}

TEST(NewickReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("newick",
                      {
                          {"(a,b;", "1:1", "the bracket that starts here is missing its ')'"},
                          {"(a,b);\n(a,\n(b);", "2:1", "is missing its ')'"},
                          {"(a,b));", "1:6", "a ')' without its '('"},
                          {"(a b);", "1:4", "expected ',' or ')'"},
                          {"(a,b)c d;", "1:8", "a tree ends with ';'"},
                          {"(a:,b);", "1:4", "a branch length is missing"},
                          {"('a,b);", "1:2", "is missing its quote"},
                          {"(a[x,b);", "1:3", "is missing its ']'"},
                          {"(a,b)(c,d);", "1:6", "a tree ends with ';'"},
                      });
}

constexpr const char* nexus = R"(#NEXUS
[a comment; with a semicolon]
BEGIN TAXA;
  DIMENSIONS NTAX=3;
  TAXLABELS Homo Pan 'Pongo p.';
END;
begin trees;
  Translate
    1 Homo,
    2 Pan, [between]
    3 'Pongo p.';
  tree first = [&R] ((1:0.1,2:0.2)x,3);
  tree * 'the second' = [&U] (1,(2,3));
end;
begin trees;
  utree third = (1,2);
endblock;
)";

TEST(NexusReader, ReadsTreesBlocksAndTranslates) {
  const auto examples = parsed("nexus", nexus);
  ASSERT_EQ(examples.size(), 3U);
  EXPECT_EQ(examples[0],
            ExampleOf().text("id", "first").tree("tree", "((x(Homo)(Pan))(Pongo p.))"));
  EXPECT_EQ(examples[1],
            ExampleOf().text("id", "the second").tree("tree", "((Homo)((Pan)(Pongo p.)))"));
  EXPECT_EQ(examples[2], ExampleOf().text("id", "third").tree("tree", "((1)(2))"));
}

TEST(NexusReader, ReportsErrors) {
  EXPECT_TRUE(
      fails_with(":1:1: a Nexus file begins with #NEXUS", [] { parsed("nexus", "begin trees;"); }));
  EXPECT_TRUE(fails_with(":3:6: expected name = tree",
                         [] { parsed("nexus", "#NEXUS\nbegin trees;\ntree (a,b);"); }));
  EXPECT_TRUE(fails_with(":3:13: expected a label and its translation",
                         [] { parsed("nexus", "#NEXUS\nbegin trees;\ntranslate 1 , 2 b;"); }));
}

}  // namespace
}  // namespace espalier
