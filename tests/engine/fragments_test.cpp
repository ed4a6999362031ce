// The enumerator that the kernels are tested against, itself tested by hand.
#include "support/fragments.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/cases.hpp"
#include "support/eigenvalues.hpp"

namespace espalier {
namespace {

using test::Fragment;

test::PlainTree plain(std::string_view brackets) { return test::to_plain(test::tree(brackets)); }

/// Each fragment with how often it occurs.
template <class Options>
std::map<std::string, int> counted(std::string_view brackets, const Options& options) {
  std::map<std::string, int> out;
  for (const Fragment& fragment : test::fragments_of(plain(brackets), options)) {
    ++out[fragment.text];
  }
  return out;
}

using Counts = std::map<std::string, int>;

TEST(Fragments, OfStAreCompleteSubtrees) {
  EXPECT_EQ(counted("(S(a(b)(c))(a(c)(b)))", SubtreeOptions{}),
            (Counts{{"(S(a(b)(c))(a(c)(b)))", 1}, {"(a(b)(c))", 1}, {"(a(c)(b))", 1}}));
  EXPECT_EQ(counted("(S(a(b)(c))(a(c)(b)))", SubtreeOptions{.leaves = true, .unordered = true}),
            (Counts{{"(S(a(b)(c))(a(b)(c)))", 1}, {"(a(b)(c))", 2}, {"(b)", 2}, {"(c)", 2}}));
  EXPECT_EQ(counted("(S(a)(b(c)))", SubtreeOptions{.leaves = true, .labels = false}),
            (Counts{{"(()(()))", 1}, {"(())", 1}, {"()", 2}}));
}

TEST(Fragments, OfSstKeepAllChildrenOrNone) {
  EXPECT_EQ(counted("(S(NP(D)(N))(VP(V)))", SubsetTreeOptions{}),
            (Counts{{"(S(NP)(VP))", 1},
                    {"(S(NP(D)(N))(VP))", 1},
                    {"(S(NP)(VP(V)))", 1},
                    {"(S(NP(D)(N))(VP(V)))", 1},
                    {"(NP(D)(N))", 1},
                    {"(VP(V))", 1}}));
  EXPECT_EQ(counted("(NP(D)(D))", SubsetTreeOptions{.leaves = true}),
            (Counts{{"(NP(D)(D))", 1}, {"(D)", 2}}));
}

TEST(Fragments, OfPtKeepAnyChildren) {
  EXPECT_EQ(counted("(A(b)(c)(b))", PartialTreeOptions{}), (Counts{{"(A)", 1},
                                                                   {"(b)", 2},
                                                                   {"(c)", 1},
                                                                   {"(A(b))", 2},
                                                                   {"(A(c))", 1},
                                                                   {"(A(b)(c))", 1},
                                                                   {"(A(c)(b))", 1},
                                                                   {"(A(b)(b))", 1},
                                                                   {"(A(b)(c)(b))", 1}}));
  EXPECT_EQ(counted("(A(b)(c))", PartialTreeOptions{.max_length = 1}),
            (Counts{{"(A)", 1}, {"(b)", 1}, {"(c)", 1}, {"(A(b))", 1}, {"(A(c))", 1}}));
}

TEST(Fragments, OfPtKnowWhatTheySkip) {
  for (const Gap gap : {Gap::skips, Gap::span}) {
    for (const Fragment& f : test::fragments_of(plain("(A(b)(c)(d))"), {.gap = gap})) {
      const std::map<std::string, std::uint32_t> skips = {{"(A(b)(d))", 1}};
      const std::map<std::string, std::uint32_t> spans = {
          {"(A(b)(c))", 1}, {"(A(c)(d))", 1}, {"(A(b)(d))", 2}, {"(A(b)(c)(d))", 2}};
      const auto& expected = gap == Gap::skips ? skips : spans;
      const auto found = expected.find(f.text);
      EXPECT_EQ(f.gaps, found == expected.end() ? 0 : found->second) << f.text;
    }
  }
}

TEST(Fragments, OfPtKnowWhichLeavesEndTheTree) {
  std::map<std::string, std::uint64_t> terminals;
  for (const Fragment& f : test::fragments_of(plain("(A(b)(c(d))(e))"), PartialTreeOptions{})) {
    terminals[f.text] = f.terminals;
  }
  EXPECT_EQ(terminals.at("(A)"), 0U);
  EXPECT_EQ(terminals.at("(e)"), 1U);
  EXPECT_EQ(terminals.at("(A(b)(c)(e))"), 0b101U);
  EXPECT_EQ(terminals.at("(A(c(d)))"), 1U);
  EXPECT_EQ(terminals.at("(A(c)(e))"), 0b10U);
}

TEST(Fragments, OfSubpathGoStraightDown) {
  EXPECT_EQ(counted("(a(b(a))(b))", SubpathOptions{}),
            (Counts{{"(a)", 2}, {"(b)", 2}, {"(a(b))", 2}, {"(b(a))", 1}, {"(a(b(a)))", 1}}));
}

struct Case : test::Row {
  std::string a, b;
  TreeKernelNode kernel;
  double value;
};

class EnumeratedKernel : public testing::TestWithParam<Case> {};

TEST_P(EnumeratedKernel, HasTheValueComputedByHand) {
  const std::vector<test::MaybeTree> trees = {plain(GetParam().a), plain(GetParam().b)};
  const test::Values values = test::enumerated(GetParam().kernel, trees);
  EXPECT_DOUBLE_EQ(values[0][1], GetParam().value);
  EXPECT_EQ(values[0][1], values[1][0]);
}

const char* const twins = "(S(a(b))(a(b)))";

INSTANTIATE_TEST_SUITE_P(
    ByHand, EnumeratedKernel,
    testing::Values(
        // a(b) twice in each: 4 * decay; S once: decay^2.
        Case{{"StHeight"}, twins, twins, {"", SubtreeOptions{.decay = 0.5}}, 4 * 0.5 + 0.25},
        Case{{"StSize"},
             twins,
             twins,
             {"", SubtreeOptions{.weight = SubtreeWeight::size}},
             4 * 0.25 + 0.03125},
        Case{{"StProductions"},
             twins,
             twins,
             {"", SubtreeOptions{.weight = SubtreeWeight::productions}},
             4 * 0.5 + 0.125},
        Case{
            {"StUniform"}, twins, twins, {"", SubtreeOptions{.weight = SubtreeWeight::uniform}}, 5},
        Case{{"StMin"}, twins, twins, {"", SubtreeOptions{.count = SubtreeCount::min}}, 1.25},
        Case{{"StBinary"}, twins, twins, {"", SubtreeOptions{.count = SubtreeCount::binary}}, 0.75},
        Case{{"StPoly"},
             twins,
             twins,
             {"", SubtreeOptions{.count = SubtreeCount::poly, .power = 3}},
             64 * 0.5 + 0.25},
        Case{{"StLeaves"}, twins, twins, {"", SubtreeOptions{.leaves = true}}, 2.25 + 4},
        Case{{"StOrdered"}, "(a(b)(c))", "(a(c)(b))", {"", SubtreeOptions{}}, 0},
        Case{{"StUnordered"},
             "(a(b)(c))",
             "(a(c)(b))",
             {"", SubtreeOptions{.unordered = true}},
             0.5},
        Case{{"StShape"}, "(a(b)(c))", "(x(y)(y))", {"", SubtreeOptions{.labels = false}}, 0.5},
        // D(a,a) = l for each of four pairs, D(S,S) = l (1 + l)^2.
        Case{{"Sst"}, twins, twins, {"", SubsetTreeOptions{}}, 4 * 0.4 + 0.4 * 1.4 * 1.4},
        Case{{"SstLeaves"},
             twins,
             twins,
             {"", SubsetTreeOptions{.leaves = true}},
             4 * 0.4 + 0.4 * 1.4 * 1.4 + 4 * 0.4},
        // One NP is a leaf of its tree: it matches as a child, not as a parent.
        Case{{"SstMixed"}, "(S(NP))", "(S(NP(n)))", {"", SubsetTreeOptions{}}, 0.4},
        // The two values that KeLP computes.
        Case{{"PtKelp"},
             "(A(b)(c))",
             "(A(b)(c))",
             {"", PartialTreeOptions{.decay = 0.5, .depth_decay = 0.5}},
             0.5078125},
        Case{{"PtKelpGap"},
             "(A(b)(x)(c))",
             "(A(b)(c))",
             {"", PartialTreeOptions{.decay = 0.5, .depth_decay = 0.5}},
             0.50390625},
        // mu (l^2 + D(b) + D(c) + l^2 D(b) D(c)) + D(b) + D(c) with D = mu l^2 = 0.125.
        Case{{"PtSpan"},
             "(A(b)(c))",
             "(A(b)(c))",
             {"", PartialTreeOptions{.decay = 0.5, .depth_decay = 0.5, .gap = Gap::span}},
             0.5 * (0.25 + 0.25 + 0.25 * 0.125 * 0.125) + 0.25},
        // A leaf against an inner node and two leaves: all are terminal.
        Case{{"PtTerminal"},
             "(A)",
             "(A(A))",
             {"", PartialTreeOptions{.decay = 0.5, .depth_decay = 0.5, .terminal = 4}},
             2 * 0.5 * 0.25 * 4},
        Case{{"PtInnerIsNotTerminal"},
             "(A(b))",
             "(A(c))",
             {"", PartialTreeOptions{.decay = 0.5, .depth_decay = 0.5, .terminal = 4}},
             0.5 * 0.25},
        Case{{"Subpath"},
             "(a(b)(b))",
             "(a(b))",
             {"", SubpathOptions{.decay = 0.5}},
             0.5 + 2 * 0.5 + 2 * 0.25}),
    test::RowName());

TEST(Eigenvalues, OfAKnownMatrix) {
  const std::vector<double> found = test::eigenvalues({{2, 1, 0}, {1, 2, 0}, {0, 0, -3}});
  EXPECT_NEAR(found[0], -3, 1e-12);
  EXPECT_NEAR(found[1], 1, 1e-12);
  EXPECT_NEAR(found[2], 3, 1e-12);
}

}  // namespace
}  // namespace espalier
