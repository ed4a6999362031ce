// The engine against the enumerator, which lists every fragment.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

constexpr std::size_t sets = 84;
constexpr std::size_t trees_in_a_set = 25;  // 2,100 trees in all

/// All ways to append one of each list of choices to a text.
std::vector<std::string> combinations(std::string start,
                                      const std::vector<std::vector<std::string>>& choices) {
  std::vector<std::string> out = {std::move(start)};
  for (const auto& list : choices) {
    std::vector<std::string> longer;
    for (const std::string& text : out) {
      for (const std::string& choice : list) longer.push_back(text + choice);
    }
    out = std::move(longer);
  }
  for (std::string& text : out) text += ")";
  return out;
}

/// Every `share`-th expression goes to every `share`-th set of trees, each to some.
void expect_agreement(const std::vector<std::string>& expressions, std::size_t share) {
  test::Random random(2006);
  for (std::size_t set = 0; set < sets; ++set) {
    const auto trees = test::random_trees(random, trees_in_a_set, 9);
    const Dataset data = test::dataset_of(trees);
    for (std::size_t e = set % share; e < expressions.size(); e += share) {
      const Kernel kernel(expressions[e]);
      const Matrix<double> found = gram(kernel, data, test::working(1));
      ASSERT_TRUE(test::agree(found, test::enumerated(kernel, trees)))
          << expressions[e] << " in set " << set;
      // With a factor for leaves above 1 it need not be one: see the last test.
      if (expressions[e].find("terminal=3") != std::string::npos) continue;
      ASSERT_TRUE(test::is_gram(found)) << expressions[e] << " in set " << set;
    }
  }
}

TEST(GramByEnumeration, OfSt) {
  expect_agreement(combinations("st(", {{"decay=0.5", "decay=1", "decay=0.3", "decay=0"},
                                        {", weight=height", ", weight=size", ", weight=productions",
                                         ", weight=uniform"},
                                        {", kappa=product", ", kappa=min", ", kappa=binary",
                                         ", kappa=poly", ", kappa=poly, power=0.5"},
                                        {", leaves=false", ", leaves=true"},
                                        {", unordered=false", ", unordered=true"},
                                        {", labels=true", ", labels=false"}}),
                   61);
}

TEST(GramByEnumeration, OfSst) {
  expect_agreement(combinations("sst(", {{"lambda=0.4", "lambda=1", "lambda=0.05", "lambda=0"},
                                         {", leaves=false", ", leaves=true"}}),
                   2);
}

TEST(GramByEnumeration, OfPt) {
  expect_agreement(
      combinations("pt(", {{"lambda=0.4", "lambda=1", "lambda=0.7, mu=0.3", "lambda=0.2, mu=1",
                            "lambda=0", "mu=0"},
                           {"", ", gap=span"},
                           {"", ", terminal=0.5", ", terminal=3", ", terminal=0"},
                           {"", ", max_length=1", ", max_length=2", ", max_length=3"}}),
      31);
}

TEST(GramByEnumeration, OfSubpath) {
  expect_agreement({"subpath()", "subpath(lambda=1)", "subpath(lambda=0.1)", "subpath(lambda=0)"},
                   1);
}

/// The tree with the children of every node in another order.
test::PlainTree shuffled(const test::PlainTree& tree, test::Random& random) {
  test::PlainTree out{tree.label, {}};
  for (const test::PlainTree& child : tree.children) {
    const auto place = static_cast<std::ptrdiff_t>(random.below(out.children.size() + 1));
    out.children.insert(out.children.begin() + place, shuffled(child, random));
  }
  return out;
}

TEST(Gram, OfUnorderedKernelsIgnoresTheOrderOfChildren) {
  test::Random random(7);
  for (int set = 0; set < 20; ++set) {
    const auto trees = test::random_trees(random, 20, 15);
    auto others = trees;
    for (test::MaybeTree& tree : others) {
      if (tree) tree = shuffled(*tree, random);
    }
    for (const char* text : {"subpath(lambda=0.6)", "st(unordered=true, kappa=min)"}) {
      const Kernel kernel(text);
      EXPECT_TRUE(test::agree(gram(kernel, test::dataset_of(trees)),
                              gram(kernel, test::dataset_of(others))))
          << text;
    }
  }
}

TEST(Gram, OfPtWithALargeFactorForLeavesHasNegativeEigenvalues) {
  // So the formula is, where the factor counts if either node is a leaf; no fault of ours: one leaf
  // against two inner nodes that are unlike each other.
  const Dataset data = test::dataset_of({"(A)", "(A(b))", "(A(c))"});
  const auto at = [&](const char* text) {
    const auto all = test::eigenvalues(test::values_of(gram(Kernel(text), data)));
    return all.front() / all.back();
  };
  EXPECT_LT(at("pt(terminal=5)"), -0.01);
  EXPECT_GT(at("pt(terminal=1)"), 0);
}

TEST(SmallTerminal, KeepsAllDigits) {
  test::Random random(7);
  for (int round = 0; round < 10; ++round) {
    const auto trees = test::random_trees(random, 12, 8);
    const Dataset data = test::dataset_of(trees);
    for (const char* const terminal : {"1e-3", "1e-6", "1e-10", "1e-14", "1e-17", "0"}) {
      const Kernel kernel("pt(terminal=" + std::string(terminal) + ")");
      EXPECT_TRUE(test::agree(gram(kernel, data), test::enumerated(kernel, trees))) << terminal;
    }
  }
  const Dataset leaf = test::dataset_of({"(a)"});
  EXPECT_TRUE(test::is_near(gram(Kernel("pt(terminal=1e-10)"), leaf)(0, 0), 6.4e-12, 1e-15));
  EXPECT_TRUE(test::is_near(gram(Kernel("pt(terminal=1e-17)"), leaf)(0, 0), 6.4e-19, 1e-15));
}

}  // namespace
}  // namespace espalier
