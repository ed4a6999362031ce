#include "espalier/io/brackets.hpp"

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::tree;

constexpr std::size_t longest = 100;
constexpr BracketStyle styles[] = {BracketStyle::compact, BracketStyle::spaced,
                                   BracketStyle::words};

Tree parse(std::string_view text, std::string_view special = bracket_special) {
  Tree out;
  BracketParser(special, {.label = longest}).parse(Text(text, "f", 7, 5), out);
  return out;
}

std::string print(const Tree& tree, BracketStyle style,
                  std::string_view special = bracket_special) {
  std::string out;
  append_brackets(out, tree, style, special);
  return out;
}

TEST(Brackets, ReadAllCommonNotations) {
  const struct {
    const char* text;
    const char* plain;
  } cases[] = {
      {"", ""},
      {"  \t ", ""},
      {"(A)", "(A)"},
      {"()", "()"},
      {"(NN dog)", "(NN(dog))"},
      {"(NN (dog))", "(NN(dog))"},
      {"(NN(dog))", "(NN(dog))"},
      {"  ( NN\n\t dog ) \r\n", "(NN(dog))"},
      {"(A b (C d))", "(A(b)(C(d)))"},
      {"(A b c)", "(A(b)(c))"},
      {"(A(b)c)", "(A(b)(c))"},
      {"((S (NP)))", "((S(NP)))"},
      {"(()(A))", "(()(A))"},
      {"(A ())", "(A())"},
      {"(%d\\n)", "(%d\\n)"},
      {"(CD 9\\/11)", "(CD(9\\/11))"},
      {"(-LRB- -LRB-)", "(-LRB-(-LRB-))"},
      {"(木(é))", "(木(é))"},
      {"(a|b)", "(a|b)"},
  };
  for (const auto& [text, plain] : cases) EXPECT_EQ(parse(text), tree(plain)) << text;
}

TEST(Brackets, ReadEscapedCharactersAsPartsOfLabels) {
  test::PlainTree plain{"a b", {{"(", {}}, {")", {}}, {"\\", {}}, {"c|d", {}}}};
  EXPECT_EQ(parse("(a\\ b \\( (\\)) \\\\ c|d)"), to_tree(plain));
  EXPECT_EQ(parse("(a\\ b \\( (\\)) \\\\ c\\|d)", bracket_special_bars), to_tree(plain));
}

TEST(Brackets, PrintInThreeStyles) {
  const Tree dog = tree("(S(NP(dog))(VP(V(barks))(loud)))");
  EXPECT_EQ(print(dog, BracketStyle::compact), "(S(NP(dog))(VP(V(barks))(loud)))");
  EXPECT_EQ(print(dog, BracketStyle::spaced), "(S (NP (dog))(VP (V (barks))(loud)))");
  EXPECT_EQ(print(dog, BracketStyle::words), "(S (NP dog) (VP (V barks) loud))");
  for (const BracketStyle style : styles) {
    EXPECT_EQ(print(Tree(), style), "");
    EXPECT_EQ(print(tree("(A)"), style), "(A)");
    EXPECT_EQ(print(tree("()"), style), "()");
  }
}

TEST(Brackets, AppendToTheOutput) {
  std::string out = "x\t";
  append_brackets(out, tree("(A(B))"), BracketStyle::compact);
  EXPECT_EQ(out, "x\t(A(B))");
}

TEST(Brackets, RoundTripArbitraryLabels) {
  test::Random random(1);
  for (int i = 0; i < 3'000; ++i) {
    const Tree before = test::nasty_tree(random);
    for (const BracketStyle style : styles) {
      for (const std::string_view special : {bracket_special, bracket_special_bars}) {
        const std::string text = print(before, style, special);
        ASSERT_EQ(parse(text, special), before) << text;
      }
    }
  }
}

TEST(Brackets, RoundTripEmptyLabelsEverywhere) {
  const char* const trees[] = {"()",       "(())",     "(()())",   "((x))",
                               "((x)(y))", "(()(x))",  "((x)())",  "(A())",
                               "(A(x)())", "(A()(x))", "(A((x)))", "(((x)(y))(z))"};
  for (const char* text : trees) {
    for (const BracketStyle style : styles) {
      EXPECT_EQ(parse(print(tree(text), style)), tree(text)) << print(tree(text), style);
    }
  }
}

TEST(Brackets, RejectTabsLineBreaksAndNulBytes) {
  const std::string labels[] = {"a\tb", "a\nb", "a\r", std::string("a\0b", 3)};
  for (const std::string& label : labels) {
    Tree bad;
    TreeBuilder builder;
    builder.start(bad);
    builder.leaf(label);
    for (const BracketStyle style : styles) {
      EXPECT_TRUE(
          test::fails_with("holds a tab, line end or NUL byte", [&] { print(bad, style); }));
    }
  }
}

/// The text stands at line 7, column 5.
struct BadTree : test::Row {
  std::string text;
  const char* place = "";
  const char* message = "";
};

class BracketErrors : public testing::TestWithParam<BadTree> {};

TEST_P(BracketErrors, AreReportedWithLocationAndReason) {
  const test::Failure failure = test::failure_of([] { parse(GetParam().text); });
  EXPECT_EQ(failure.place(), GetParam().place);
  EXPECT_TRUE(test::contains(failure.message, GetParam().message));
  EXPECT_TRUE(failure.message.starts_with("f:" + failure.place() + ": "));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BracketErrors,
    testing::Values(
        BadTree{{"OneBracketOpen"}, "(A (b)", "7:5", "missing 1 closing bracket, near '(A (b)'"},
        BadTree{{"TwoBracketsOpen"}, "  (A (b", "7:7", "missing 2 closing brackets"},
        BadTree{{"OnlyAnOpenBracket"}, "(", "7:5", "missing 1 closing bracket"},
        BadTree{{"EscapedClosingBracket"}, "(A b\\)", "7:5", "missing 1 closing bracket"},
        BadTree{{"OneBracketTooMany"}, "(A (b)))", "7:12", "a ')' without its '('"},
        BadTree{{"OnlyAClosingBracket"}, " )", "7:6", "a ')' without its '('"},
        BadTree{{"TooManyOnTheNextLine"}, "(A\n  (b)))\n", "8:7", "a ')' without its '('"},
        BadTree{
            {"TextAfterTheTree"}, "(A b) c", "7:11", "unexpected text after the tree, near 'c'"},
        BadTree{{"SecondTree"}, "(A b)(C)", "7:10", "unexpected text after the tree, near '(C)'"},
        BadTree{{"WordInsteadOfATree"}, "word", "7:5", "a tree begins with '(', near 'word'"},
        BadTree{{"WordBeforeTheTree"}, "x (A)", "7:5", "a tree begins with '('"},
        BadTree{{"WordOnTheThirdLine"}, "\n\n word", "9:2", "a tree begins with '('"},
        BadTree{{"LongLabel"},
                "(A (" + std::string(101, 'x') + "))",
                "7:9",
                "a label of more than 100 bytes"},
        BadTree{{"LongWord"},
                "(A " + std::string(101, 'x') + ")",
                "7:8",
                "a label of more than 100 bytes"},
        BadTree{{"LongRootLabel"},
                "(" + std::string(101, 'x'),
                "7:6",
                "a label of more than 100 bytes"}),
    test::RowName());

TEST(Brackets, AcceptLabelsUpToTheLimit) {
  const std::string label(longest, 'x');
  EXPECT_EQ(parse("(" + label + ")").label(0), label);
}

TEST(Brackets, ParserIsReusableAfterAnError) {
  BracketParser parser(bracket_special, {.label = longest});
  Tree out;
  EXPECT_THROW(parser.parse(Text("(A (B", "f", 1), out), InputError);
  parser.parse(Text("(C)", "f", 1), out);
  EXPECT_EQ(out, tree("(C)"));
  EXPECT_THROW(parser.parse(Text("(A))", "f", 1), out), InputError);
  parser.parse(Text("", "f", 1), out);
  EXPECT_EQ(out, Tree());
}

}  // namespace
}  // namespace espalier
