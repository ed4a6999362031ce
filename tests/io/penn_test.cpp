#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::fails_with;
using test::parsed;
using test::printed;

/// Examples as the reader makes them from these trees.
std::vector<Example> trees(std::initializer_list<const char*> plain) {
  std::vector<Example> out;
  for (const char* brackets : plain) out.push_back(ExampleOf().tree("tree", brackets));
  return out;
}

TEST(PennReader, ReadsUnusualTreebankFiles) {
  const struct {
    const char* why;
    const char* content;
    std::vector<Example> examples;
  } cases[] = {
      {"one line", "(S (NP dog) (VP barks))\n", trees({"(S(NP(dog))(VP(barks)))"})},
      {"no line end", "(S (NP dog))", trees({"(S(NP(dog)))"})},
      {"several lines, indented with blanks and tabs",
       "( (S\n    (NP-SBJ (DT the)\n\t(NN dog))\n    (VP barks)) )\n",
       trees({"(S(NP-SBJ(DT(the))(NN(dog)))(VP(barks)))"})},
      {"one tree after the other", "(A b)\n(C d)\n\n(E f)\n",
       trees({"(A(b))", "(C(d))", "(E(f))"})},
      {"several on a line", "(A b)(C d) (E f)", trees({"(A(b))", "(C(d))", "(E(f))"})},
      {"words in brackets", "(NN (dog))", trees({"(NN(dog))"})},
      {"empty outer bracket", "((S (NP dog)))\n(())\n()", trees({"(S(NP(dog)))", "()", "()"})},
      {"empty outer bracket of two trees stays", "((A b) (C d))", trees({"((A(b))(C(d)))"})},
      {"only one bracket is taken off", "(((A)))", trees({"((A))"})},
      {"a named root stays", "(ROOT (S x))", trees({"(ROOT(S(x)))"})},
      {"line ends of Windows", "(S\r\n  (NP dog))\r\n\r\n(A b)\r\n",
       trees({"(S(NP(dog)))", "(A(b))"})},
      {"byte order mark", "\xEF\xBB\xBF(A b)", trees({"(A(b))"})},
      {"blank lines and blanks around", "\n \t\r\n  (A b)  \n\n \t", trees({"(A(b))"})},
      {"words and brackets mixed", "(A b (C d) e)", trees({"(A(b)(C(d))(e))"})},
      {"foreign backslashes", "(CD 9\\/11)(X %d\\n)", trees({"(CD(9\\/11))", "(X(%d\\n))"})},
  };
  for (const auto& [why, content, examples] : cases) {
    EXPECT_EQ(parsed("penn", content), examples) << why;
  }
}

TEST(PennReader, DistinguishesEscapedBrackets) {
  const auto examples = parsed("penn", "(A \\)) (B \\() (C \\\\) (D \\\\\\)x)");
  ASSERT_EQ(examples.size(), 4U);
  const char* const words[] = {")", "(", "\\", "\\)x"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(examples[i].trees[0].value.label(1), words[i]);
}

TEST(PennReader, ReadsTreesAcrossBlocksOfInput) {
  std::string content;
  for (int i = 0; i < 40'000; ++i) content += "(S\n  (N word" + std::to_string(i) + "))\n";
  const auto examples = parsed("penn", content);
  ASSERT_EQ(examples.size(), 40'000U);
  EXPECT_EQ(examples[39'999].trees[0].value, test::tree("(S(N(word39999)))"));
}

TEST(PennReader, ReportsTheRightLocationFarIntoTheFile) {
  std::string content;
  for (int i = 0; i < 30'000; ++i) content += "(S\n  (N word))\n";
  EXPECT_EQ(test::failure_of([&] { parsed("penn", content + "  (A b) c"); }).place(), "60001:9");
}

TEST(PennWriter, WritesOneTreePerLine) {
  EXPECT_EQ(printed("penn", trees({"(S(NP(dog))(VP(V(barks))))", "(A)"})),
            "(S (NP dog) (VP (V barks)))\n(A)\n");
}

TEST(PennWriter, WrapsRootsThatTheReaderWouldDrop) {
  const auto examples = trees({"((A))", "(())", "((A(b)))", "((x)(y))", "()"});
  EXPECT_EQ(parsed("penn", printed("penn", examples)), examples);
}

TEST(PennWriter, RejectsWhatTheFormatCannotStore) {
  const auto write = [](const Example& example) { return [=] { printed("penn", {example}); }; };
  EXPECT_TRUE(
      fails_with("example 1: penn cannot store empty trees", write(ExampleOf().tree("t", ""))));
  EXPECT_TRUE(fails_with("it has no tree", write(ExampleOf().label("A"))));
  EXPECT_TRUE(fails_with("(t, u)", write(ExampleOf().tree("t", "(A)").tree("u", "(B)"))));
  EXPECT_TRUE(fails_with("no vectors", write(ExampleOf().tree("t", "(A)").vector("v", {}))));
  EXPECT_TRUE(
      fails_with("cannot store pairs", write(ExampleOf().pair(ExampleOf().tree("t", "(A)"), {}))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().tree("t", "(A\tB)"))));
}

}  // namespace
}  // namespace espalier
