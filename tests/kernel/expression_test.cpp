#include "kernel/expression.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/error.hpp"
#include "espalier/kernel/kernel.hpp"
#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::failure_of;
using test::RowName;

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// The form of an expression, with a bracket around everything that has operands.
std::string form(const Syntax& syntax) {
  using Kind = Syntax::Kind;
  if (syntax.kind == Kind::word) return syntax.text;
  if (syntax.kind == Kind::quoted) return "'" + syntax.text + "'";
  std::string out = syntax.kind == Kind::list        ? "list"
                    : syntax.kind == Kind::sum       ? "+"
                    : syntax.kind == Kind::product   ? "*"
                    : syntax.kind == Kind::parameter ? syntax.text + "="
                                                     : syntax.text;
  out += "[";
  for (const Syntax& operand : syntax.operands) {
    out += (out.back() == '[' ? "" : " ") + form(operand);
  }
  return out + "]";
}

TEST(ParseExpression, FindsTheFormOfTheText) {
  const struct {
    std::string text, form;
  } cases[] = {
      {"sst()", "sst[]"},
      {"sst(grct, lambda=0.4)", "sst[grct lambda=[0.4]]"},
      {" \t\r\n sst ( grct , lambda = 0.4 ) ", "sst[grct lambda=[0.4]]"},
      {"a() + b()*c() + 2", "+[a[] *[b[] c[]] 2]"},
      {"(a() + b())*c()", "*[+[a[] b[]] c[]]"},
      {"a() + (b() + (c() + d()))", "+[a[] b[] c[] d[]]"},
      {"(a()*b())*(c()*d())", "*[a[] b[] c[] d[]]"},
      {"((((a()))))", "a[]"},
      {"{1,2}*f(x={3, 4e-1})", "*[list[1 2] f[x=[list[3 4e-1]]]]"},
      {"1e+9*1E+9*1e9*1e-9", "*[1e+9 1E+9 1e9 1e-9]"},
      {"1e+x()", "+[1e x[]]"},
      {"e+1", "+[e 1]"},
      {"f(\"a, (b)\")", "f['a, (b)']"},
      {R"(f("\"\\ "))", R"(f['"\ '])"},
      {"f(\"\")", "f['']"},
      {"f(\"日本\n\")", "f['日本\n']"},
      {"spt(lct, vectors=../a-b/glove.txt.gz)", "spt[lct vectors=[../a-b/glove.txt.gz]]"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(form(parse_expression(text)), expected);
}

TEST(ParseExpression, KnowsWhereThingsStand) {
  const Syntax root = parse_expression("  norm( sst(x, mu = {1,2}))");
  const Syntax& sst = root.operands[0];
  EXPECT_EQ(root.position, 2U);
  EXPECT_EQ(sst.position, 8U);
  EXPECT_EQ(sst.operands[0].position, 12U);
  EXPECT_EQ(sst.operands[1].position, 15U);
  EXPECT_EQ(sst.operands[1].operands[0].position, 20U);
  EXPECT_EQ(sst.operands[1].operands[0].operands[1].position, 23U);
}

TEST(IsWord, TellsWhatNeedsNoQuotes) {
  for (const std::string name : {"a", "A-Z_0", "glove.txt.gz", "a/b", "0", "-"}) {
    EXPECT_TRUE(is_word(name)) << name;
  }
  for (const std::string name : {"", "a b", "a\"", "\\", "é", "a+b", "a(", "a=b", "a\n"}) {
    EXPECT_FALSE(is_word(name)) << name;
  }
}

struct BadText : test::Row {
  std::string text;
  std::size_t position;
  std::string message;
};

class BadExpression : public testing::TestWithParam<BadText> {};

TEST_P(BadExpression, IsAnErrorWithItsPlaceAndWhatToDo) {
  const BadText& bad = GetParam();
  const std::string message = failure_of([&] { parse_sweep(bad.text); }).message;
  EXPECT_EQ(message,
            "kernel expression, position " + std::to_string(bad.position) + ": " + bad.message);
}

const std::string known_kernels = [] {
  std::string out = " (known: ";
  for (const KernelDescription& kernel : kernel_descriptions()) {
    out += std::string(kernel.name) + ", ";
  }
  return out + "norm, pair, cross, pairproduct, each, all, select)";
}();

INSTANTIATE_TEST_SUITE_P(
    Form, BadExpression,
    testing::Values(
        BadText{{"Empty"}, "", 1, "the expression is empty"},
        BadText{{"Blank"}, " \n", 1, "the expression is empty"},
        BadText{{"MissingTerm"}, "sst() + ", 9, "expected a kernel or a number, found the end"},
        BadText{{"MissingFactor"}, "2**sst()", 3, "expected a kernel or a number, found '*sst()'"},
        BadText{{"NoEnd"},
                "norm(sst()",
                11,
                "expected ',' or ')' (a bracket is open since position 5), found the end"},
        BadText{{"NoEndOfBracket"},
                "(1 + 2",
                7,
                "expected '+', '*' or ')' (a bracket is open since position 1), found the end"},
        BadText{{"NoArgument"}, "sst(", 5, "expected an argument, found the end"},
        BadText{{"NoArgumentAfterComma"}, "sst(a,)", 7, "expected an argument, found ')'"},
        BadText{{"TooManyEnds"}, "sst())", 6, "expected '+', '*' or the end, found ')'"},
        BadText{{"WrongBracket"},
                "sst(a}",
                6,
                "expected ',' or ')' (a bracket is open since position 4), found '}'"},
        BadText{{"TextAfterTheEnd"}, "sst() st()", 7, "expected '+', '*' or the end, found 'st()'"},
        BadText{{"Difference"}, "sst() - st()", 7, "expected '+', '*' or the end, found '- st()'"},
        BadText{{"ParameterOutside"}, "mu=1", 3, "expected '+', '*' or the end, found '=1'"},
        BadText{{"NoComma"},
                "sst(a lambda=1)",
                7,
                "expected ',' or ')' (a bracket is open since position 4), found 'lambda=1)'"},
        BadText{{"NoValue"},
                "sst(lambda=)",
                12,
                "expected a number, a word or a list of numbers, found ')'"},
        BadText{{"QuotedValue"}, "st(weight=\"size\")", 11, "weight takes no text in quotes"},
        BadText{{"EmptyList"}, "sst(lambda={})", 13, "expected a number, found '})'"},
        BadText{{"ListOfWords"},
                "st(weight={size,height})",
                12,
                "expected a number, found 'size,height})'"},
        BadText{{"OpenList"},
                "sst(lambda={1,0)",
                16,
                "expected ',' or '}' (a bracket is open since position 12), found ')'"},
        BadText{{"OpenQuote"}, "sst(\"a)", 5, "this double quote has no end"},
        BadText{{"EndInEscape"}, "sst(\"a\\", 7, "expected \\\" or \\\\ in a quoted name"},
        BadText{{"UnknownEscape"}, "sst(\"a\\n\")", 7, "expected \\\" or \\\\ in a quoted name"},
        BadText{{"ForeignCharacter"},
                "sst(日本)",
                5,
                "expected a kernel or a number, found '日本)'; names with such characters go in "
                "double quotes"},
        BadText{{"Deep"},
                repeated("norm(", 101) + "sst()" + repeated(")", 101),
                505,
                "nested more than 100 deep"},
        BadText{{"VeryDeep"}, repeated("(", 1'000'000), 101, "nested more than 100 deep"}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Names, BadExpression,
    testing::Values(
        BadText{{"UnknownKernel"},
                "norm(subpaht())",
                6,
                "unknown kernel 'subpaht'; did you mean 'subpath'?" + known_kernels},
        BadText{{"UnlikeAnyKernel"},
                "wolpertinger()",
                1,
                "unknown kernel 'wolpertinger'" + known_kernels},
        BadText{{"UnknownKernelWithoutBrackets"},
                "1 + nrom",
                5,
                "unknown kernel 'nrom'; did you mean 'norm'?" + known_kernels},
        BadText{{"KernelWithoutBrackets"}, "norm(sst)", 6, "sst needs brackets: sst(..)"},
        BadText{{"QuotedKernel"},
                "\"sst\"",
                1,
                "the name 'sst' is no kernel; it belongs inside one, as in sst(\"name\")"},
        BadText{{"UnknownParameter"},
                "sst(grct, lamda=0.4)",
                11,
                "unknown parameter 'lamda' of sst; did you mean 'lambda'? (known: lambda, leaves)"},
        BadText{{"UnknownParameterLikeTheOtherName"},
                "sst(dekay=0.4)",
                5,
                "unknown parameter 'dekay' of sst; did you mean 'decay'? (known: lambda, leaves)"},
        BadText{{"ParameterOfAnotherKernel"},
                "rbf(degree=2)",
                5,
                "unknown parameter 'degree' of rbf (known: gamma)"},
        BadText{{"NoParameters"},
                "linear(x, gamma=2)",
                11,
                "unknown parameter 'gamma' of linear (it has none)"},
        BadText{{"ParameterTwice"},
                "pt(gap=span, gap=span)",
                14,
                "parameter 'gap' of pt is given twice"},
        BadText{{"ParameterTwiceUnderTwoNames"},
                "sst(lambda=0.1, decay=0.2)",
                17,
                "parameter 'decay' of sst is given twice (lambda and decay are the same)"},
        BadText{{"TwoNames"},
                "sst(a, b)",
                8,
                "the name of a tree must be the first argument of sst, and the only name; "
                "parameters are written name=value"},
        BadText{{"NameAfterParameter"},
                "rbf(gamma=1, v)",
                14,
                "the name of a vector must be the first argument of rbf, and the only name; "
                "parameters are written name=value"},
        BadText{{"KernelInsteadOfName"},
                "sst(st())",
                5,
                "sst takes the name of a tree and parameters, nothing else"},
        BadText{{"ListInsteadOfName"},
                "sst({1,2})",
                5,
                "sst takes the name of a tree and parameters, nothing else"},
        BadText{{"NameInBrackets"},
                "linear((v))",
                9,
                "linear takes the name of a vector and parameters, nothing else"}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Values, BadExpression,
    testing::Values(
        BadText{{"TooLarge"}, "st(decay=2)", 10, "decay = 2 is outside [0, 1]"},
        BadText{{"TooSmall"}, "sst(decay=-0.1)", 11, "decay = -0.1 is outside [0, 1]"},
        BadText{{"NotWhole"}, "pt(max_length=2.5)", 15, "max_length = 2.5 is not a whole number"},
        BadText{{"DimensionNotWhole"}, "dtk(dim=1.5)", 9, "dim = 1.5 is not a whole number"},
        BadText{{"NoDimension"}, "dtk(dim=0)", 9, "dim = 0 is outside [1, 16777216]"},
        BadText{{"DegreeNotWhole"}, "poly(degree=1.5)", 13, "degree = 1.5 is not a whole number"},
        BadText{{"WordForNumber"}, "sst(lambda=true)", 12, "lambda takes a number, not 'true'"},
        BadText{{"Infinite"}, "rbf(gamma=inf)", 11, "gamma takes a number, not 'inf'"},
        BadText{{"NotANumber"}, "rbf(gamma=nan)", 11, "gamma takes a number, not 'nan'"},
        BadText{{"NumberForFlag"}, "sst(leaves=1)", 12, "leaves takes false or true, not '1'"},
        BadText{{"ListForFlag"}, "sst(leaves={0,1})", 13, "leaves takes false or true, not '0'"},
        BadText{{"UnknownChoice"},
                "st(weight=hight)",
                11,
                "weight takes one of height, size, productions, uniform, discriminance, not "
                "'hight'; did you mean "
                "'height'?"},
        BadText{{"LaterInList"}, "sst(lambda={0.1,0.2,3})", 21, "lambda = 3 is outside [0, 1]"},
        BadText{{"NegativeWeight"},
                "sst() + -0.5*st()",
                9,
                "the number -0.5 is negative: the result would not be a kernel"},
        BadText{{"NegativeWeightInList"},
                "{1,-1}*st()",
                4,
                "the number -1 is negative: the result would not be a kernel"},
        BadText{{"HugeNumber"}, "1e999*sst()", 1, "'1e999' is not a finite number"},
        BadText{{"LargeSweep"},
                "{1,2}*st(decay={" + repeated("0,", 5000) + "0})",
                1,
                "the lists make more than 10000 kernels"},
        BadText{{"OverflowingSweep"},
                "0" + repeated(" + {1,2}", 100),
                5,
                "the lists make more than 10000 kernels"}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Combinations, BadExpression,
    testing::Values(
        BadText{{"NoOperand"}, "1*norm()", 3, "norm needs a kernel, as in norm(sst())"},
        BadText{{"TwoOperands"}, "pair(sst(), st())", 13, "pair takes one kernel and nothing else"},
        BadText{{"Parameter"},
                "norm(lambda=1)",
                6,
                "expected a kernel, found a value of the parameter 'lambda'"},
        BadText{{"ParameterAfterKernel"},
                "norm(sst(), lambda=1)",
                13,
                "norm takes one kernel and nothing else"},
        BadText{{"PairInPair"}, "pair(pair(sst()))", 6, "pair cannot stand inside pair"},
        BadText{{"PairDeepInPair"},
                "pairproduct(norm(1 + 2*cross(sst())))",
                24,
                "cross cannot stand inside pairproduct"},
        BadText{{"PairInEach"}, "each(norm(pair(sst())))", 11, "pair cannot stand inside each"},
        BadText{{"EachInAll"}, "all(each(sst()))", 5, "each cannot stand inside all"},
        BadText{
            {"PairInEachInPair"}, "pair(each(cross(sst())))", 11, "cross cannot stand inside each"},
        BadText{{"NamedTreeInEach"},
                "each(norm(sst(grct)))",
                15,
                "each goes over all trees: sst inside it cannot name one"},
        BadText{{"NoTreeInAll"}, "all(linear(v) + 2)", 1, "all needs a kernel on trees inside it"}),
    RowName());

TEST(ParseExpression, TakesTheDeepestNestingThatIsAllowed) {
  const std::string text = repeated("norm(", 99) + "sst()" + repeated(")", 99);
  EXPECT_EQ(Kernel(text).to_string(), text);
}

TEST(ParseExpression, ShortensWhatItQuotes) {
  for (const std::string& text :
       {std::string(100'000, 'x'), "sst(" + std::string(100'000, 'x') + "=1)",
        "sst(lambda=" + std::string(100'000, '9') + ")", "sst(leaves=" + repeated("\xC3\xA9", 9999),
        std::string(100'000, '\x01'), "-" + std::string(300, '9') + "*sst()"}) {
    EXPECT_LT(failure_of([&] { Kernel kernel(text); }).message.size(), 300U);
  }
}

TEST(ParseExpression, ThrowsNothingButErrorsWhateverTheText) {
  const std::vector<std::string> valid = {
      "norm(pt(grct, mu=0.3)) + 0.5*norm(linear(bow))",
      "pair(sst(\"my \\\"tree\", lambda={0.1,0.2})) * rbf(v, gamma=1e+3)",
      "each(norm(st(weight=size, kappa=poly, power=3, leaves=true)))*(1 + {2, 3}*poly(degree=3))",
  };
  const std::vector<std::string> pieces = {
      "(",  ")",  "{",  "}",  ",",   "=",     "+", "*",
      "\"", "\\", "1e", "-1", "sst", "each(", "é", std::string(1, '\0')};
  test::Random random(3);
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random.one_of(valid);
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
      text.replace(random.below(text.size() + 1), random.below(4), random.text(pieces, 2));
    }
    try {
      for (const Kernel& kernel : parse_sweep(text)) {
        EXPECT_EQ(Kernel(kernel.to_string()), kernel) << text;
        ++accepted;
      }
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 28), "kernel expression, position ");
    }
  }
  EXPECT_GT(accepted, 1'000U);
}

}  // namespace
}  // namespace espalier
