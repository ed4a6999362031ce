#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;

TEST(DotBracketReader, MapsPairsToInnerNodesAndBasesToLeaves) {
  const struct {
    const char* why;
    const char* content;
    Example example;
  } cases[] = {
      {"structure alone", "((.)).", ExampleOf().tree("tree", "(RNA(pair(pair(base)))(base))")},
      {"with its sequence", "GCAGCA\n((.)).\n", ExampleOf().tree("tree", "(RNA(GC(CG(A)))(A))")},
      {"as RNAfold prints it", ">one \nGCAGC\n((.)) ( -0.10)\n",
       ExampleOf().text("id", "one").tree("tree", "(RNA(GC(CG(A))))")},
      {"a sequence over two lines", "GC\nAGC\n((.))", ExampleOf().tree("tree", "(RNA(GC(CG(A))))")},
      {"comments", "#Name: x\n#Length: 3\nGAC\n(.)\n", ExampleOf().tree("tree", "(RNA(GC(A)))")},
      {"lower case stays", "gac\n(.)", ExampleOf().tree("tree", "(RNA(gc(a)))")},
      {"a pseudoknot: round brackets first", "([)]",
       ExampleOf().tree("tree", "(RNA(pair(base))(base))")},
      {"other brackets that nest are pairs", "<({.})>",
       ExampleOf().tree("tree", "(RNA(pair(pair(pair(base)))))")},
      {"letters", "(A.)a", ExampleOf().tree("tree", "(RNA(pair(base)(base))(base))")},
      {"one kind may cross, another not", "([{)]}",
       ExampleOf().tree("tree", "(RNA(pair(base)(base))(base)(base))")},
  };
  for (const auto& [why, content, example] : cases) {
    EXPECT_EQ(parsed_one("dot-bracket", content), example) << why;
  }
}

TEST(DotBracketReader, ReadsManyRecords) {
  EXPECT_EQ(parsed("dot-bracket", ">a\nGAC\n(.)\n\n>b\n(.)\n(.)\n").size(), 3U);
}

TEST(DotBracketReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("dot-bracket",
                      {
                          {"GAC\n(.\n", "2:1", "a structure of 2 bases for a sequence of 3"},
                          {"((.)\n", "1:1", "an opening bracket without its closing bracket"},
                          {"(.))\n", "1:4", "a closing bracket without its opening bracket"},
                          {"(.)\n>x\nGAC\n", "2:1", "a record without a structure"},
                          {">x\n>y\n(.)\n", "1:1", "a record without a structure"},
                          {"(.!)\n", "1:3", "a structure is made of dots and brackets"},
                      });
}

}  // namespace
}  // namespace espalier
