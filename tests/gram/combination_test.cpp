// Sums, products, norms, pairs and several trees against explicit sums over the parts.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::agree;
using test::MaybeTree;
using test::Values;

Matrix<double> gram_of(std::string_view expression, const Dataset& data) {
  return gram(Kernel(expression), data);
}

Values enumerated(std::string_view expression, const std::vector<MaybeTree>& trees) {
  return test::enumerated(Kernel(expression), trees);
}

/// The matrix with f(i, j) at row i, column j.
template <class F>
Values matrix(std::size_t size, F&& f) {
  Values out(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) out[i][j] = f(i, j);
  }
  return out;
}

Values normed(const Values& k) {
  return matrix(k.size(), [&](std::size_t i, std::size_t j) {
    const double lengths = k[i][i] * k[j][j];
    return lengths > 0 ? k[i][j] / std::sqrt(lengths) : 0;
  });
}

class Combinations : public testing::Test {
 protected:
  static constexpr std::size_t count = 24;
  test::Random random{8};
  const std::vector<MaybeTree> trees = test::random_trees(random, count, 9);
  const Dataset data = test::dataset_of(trees);
  const Values sst = enumerated("sst(lambda=0.3)", trees);
  const Values pt = enumerated("pt()", trees);
  const Values st = enumerated("st(kappa=min)", trees);
};

TEST_F(Combinations, NormDividesByTheLengths) {
  EXPECT_TRUE(agree(gram_of("norm(sst(lambda=0.3))", data), normed(sst)));
  EXPECT_TRUE(agree(gram_of("norm(pt())", data), normed(pt)));
  EXPECT_TRUE(agree(gram_of("norm(st(kappa=min))", data), normed(st)));
}

TEST_F(Combinations, NormOfNormIsNorm) {
  EXPECT_TRUE(agree(gram_of("norm(norm(pt()))", data), normed(pt)));
}

TEST_F(Combinations, SumsHaveWeights) {
  EXPECT_TRUE(agree(gram_of("sst(lambda=0.3) + 2*pt() + 0.5", data),
                    matrix(count, [&](auto i, auto j) { return sst[i][j] + 2 * pt[i][j] + 0.5; })));
  EXPECT_TRUE(agree(gram_of("0.25*(sst(lambda=0.3) + pt())", data),
                    matrix(count, [&](auto i, auto j) { return 0.25 * (sst[i][j] + pt[i][j]); })));
}

TEST_F(Combinations, ProductsMultiply) {
  EXPECT_TRUE(
      agree(gram_of("sst(lambda=0.3)*pt()*st(kappa=min)", data),
            matrix(count, [&](auto i, auto j) { return sst[i][j] * pt[i][j] * st[i][j]; })));
  EXPECT_TRUE(
      agree(gram_of("(sst(lambda=0.3) + 1)*(pt() + 2)", data),
            matrix(count, [&](auto i, auto j) { return (sst[i][j] + 1) * (pt[i][j] + 2); })));
}

TEST_F(Combinations, NormOfASum) {
  EXPECT_TRUE(agree(gram_of("norm(sst(lambda=0.3) + pt())", data),
                    normed(matrix(count, [&](auto i, auto j) { return sst[i][j] + pt[i][j]; }))));
  EXPECT_TRUE(agree(gram_of("norm(sst(lambda=0.3)*(1 + norm(pt())))", data),
                    normed(matrix(count, [&, n = normed(pt)](auto i, auto j) {
                      return sst[i][j] * (1 + n[i][j]);
                    }))));
}

TEST_F(Combinations, ConstantsAreTheSameForEveryPair) {
  EXPECT_TRUE(agree(gram_of("2*3 + 1", data), matrix(count, [](auto, auto) { return 7; })));
  EXPECT_TRUE(agree(gram_of("norm(3)", data), matrix(count, [](auto, auto) { return 1; })));
  EXPECT_TRUE(agree(gram_of("0*sst()", data), matrix(count, [](auto, auto) { return 0; })));
}

/// Pairs of trees: tree 2i is member a of example i, tree 2i + 1 its member b.
class Pairs : public testing::Test {
 protected:
  Pairs() {
    for (std::size_t i = 0; i < count; ++i) {
      test::ExampleOf a, b;
      // An empty tree here stands for a member without the tree every other time.
      if (trees[2 * i] || i % 2 == 0) a.tree("t", test::to_tree(trees[2 * i]));
      if (trees[2 * i + 1] || i % 2 == 0) b.tree("t", test::to_tree(trees[2 * i + 1]));
      data.add(test::ExampleOf().pair(a, b));
    }
  }

  /// f(k(a1,a2), k(b1,b2), k(a1,b2), k(b1,a2)) for all examples.
  template <class F>
  static Values combined(const Values& k, F&& f) {
    return matrix(count, [&](std::size_t i, std::size_t j) {
      return f(k[2 * i][2 * j], k[2 * i + 1][2 * j + 1], k[2 * i][2 * j + 1], k[2 * i + 1][2 * j]);
    });
  }
  static double pair(double aa, double bb, double, double) { return aa + bb; }
  static double cross(double aa, double bb, double ab, double ba) { return aa + bb + ab + ba; }
  static double product(double aa, double bb, double, double) { return aa * bb; }

  static constexpr std::size_t count = 20;
  test::Random random{21};
  const std::vector<MaybeTree> trees = test::random_trees(random, 2 * count, 8);
  Dataset data;
};

TEST_F(Pairs, AreCombinedMemberByMember) {
  for (const std::string text :
       {"sst()", "pt(t, mu=0.7)", "subpath(t)", "st(kappa=binary, labels=false, unordered=true)"}) {
    const Values k = enumerated(text, trees);
    EXPECT_TRUE(agree(gram_of("pair(" + text + ")", data), combined(k, pair))) << text;
    EXPECT_TRUE(agree(gram_of("cross(" + text + ")", data), combined(k, cross))) << text;
    EXPECT_TRUE(agree(gram_of("pairproduct(" + text + ")", data), combined(k, product))) << text;
  }
}

TEST_F(Pairs, CanBeNormalisedInsideAndOutside) {
  const Values k = enumerated("pt()", trees);
  EXPECT_TRUE(agree(gram_of("norm(pair(pt()))", data), normed(combined(k, pair))));
  EXPECT_TRUE(agree(gram_of("norm(cross(pt()))", data), normed(combined(k, cross))));
  EXPECT_TRUE(agree(gram_of("pair(norm(pt()))", data), combined(normed(k), pair)));
  EXPECT_TRUE(agree(gram_of("cross(norm(pt()))", data), combined(normed(k), cross)));
  EXPECT_TRUE(agree(gram_of("pairproduct(norm(pt()))", data), combined(normed(k), product)));
}

TEST_F(Pairs, GiveGramMatrices) {
  for (const char* text :
       {"pair(sst())", "cross(sst())", "pairproduct(pt())", "norm(cross(pt()))"}) {
    EXPECT_TRUE(test::is_gram(gram_of(text, data))) << text;
  }
}

TEST_F(Pairs, HaveADiagonalAndRectangles) {
  const Values k = combined(normed(enumerated("pt()", trees)), cross);
  const Kernel kernel("cross(norm(pt()))");
  const std::vector<double> found = diagonal(kernel, data);
  for (std::size_t i = 0; i < count; ++i) EXPECT_TRUE(test::is_near(found[i], k[i][i], 1e-12));
  Dataset others;
  for (std::size_t i = 5; i < 12; ++i) others.add(data.example(i));
  const Matrix<double> part = gram(kernel, data, others);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_TRUE(test::is_near(part(i, j), k[i][j + 5], 1e-12));
  }
}

TEST_F(Pairs, HaveNoTreesOfTheirOwn) {
  EXPECT_TRUE(test::fails_with("tree", [&] { gram_of("sst()", data); }));
  const Dataset plain = test::dataset_of({"(a(b))"});
  EXPECT_TRUE(test::fails_with("tree", [&] { gram_of("pair(sst())", plain); }));
}

/// Several trees in an example: tree 3i + n is the tree named n of example i, if there is one.
class SeveralTrees : public testing::Test {
 protected:
  SeveralTrees() {
    for (std::size_t i = 0; i < count; ++i) {
      test::ExampleOf example;
      for (std::size_t n = 0; n < 3; ++n) {
        // None of these trees is empty: what is not there is lacking.
        if (random.one_in(4)) continue;
        trees[3 * i + n] = test::random_shape(random, 1 + random.below(8), 3);
        example.tree(names[n], test::to_tree(trees[3 * i + n]));
      }
      data.add(example);
    }
  }

  static Values each(const Values& k) {
    return matrix(count, [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t n = 0; n < 3; ++n) sum += k[3 * i + n][3 * j + n];
      return sum;
    });
  }
  static Values all(const Values& k) {
    return matrix(count, [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t n = 0; n < 3; ++n) {
        for (std::size_t m = 0; m < 3; ++m) sum += k[3 * i + n][3 * j + m];
      }
      return sum;
    });
  }

  static constexpr std::size_t count = 16;
  static constexpr std::array names = {"first", "second", "third"};
  test::Random random{4};
  std::vector<MaybeTree> trees{3 * count};
  Dataset data;
};

TEST_F(SeveralTrees, AreComparedNameByName) {
  for (const std::string text : {"sst()", "pt()", "st()", "subpath()", "st(kappa=min)"}) {
    const Values k = enumerated(text, trees);
    EXPECT_TRUE(agree(gram_of("each(" + text + ")", data), each(k))) << text;
    EXPECT_TRUE(agree(gram_of("each(norm(" + text + "))", data), each(normed(k)))) << text;
    EXPECT_TRUE(agree(gram_of("norm(each(" + text + "))", data), normed(each(k)))) << text;
  }
}

TEST_F(SeveralTrees, AreComparedAllWithAll) {
  for (const std::string text : {"sst(leaves=true)", "pt(terminal=2)", "st()", "subpath()",
                                 "st(leaves=true, unordered=true)"}) {
    const Values k = enumerated(text, trees);
    EXPECT_TRUE(agree(gram_of("all(" + text + ")", data), all(k))) << text;
    EXPECT_TRUE(agree(gram_of("norm(all(" + text + "))", data), normed(all(k)))) << text;
  }
}

/// Here the kernel of several trees together is not the sum over the trees.
TEST_F(SeveralTrees, AreComparedAllWithAllByKernelsThatAreNotLinearInTheCounts) {
  for (const std::string text : {"st(kappa=min, leaves=true)", "st(kappa=binary, leaves=true)",
                                 "st(kappa=poly, leaves=true)"}) {
    EXPECT_TRUE(agree(gram_of("all(" + text + ")", data), all(enumerated(text, trees)))) << text;
  }
  const Values k = enumerated("sst(leaves=true)", trees);
  EXPECT_TRUE(agree(gram_of("all(norm(sst(leaves=true)))", data), all(normed(k))));
  EXPECT_TRUE(agree(gram_of("all(sst(leaves=true)*sst(leaves=true))", data),
                    all(matrix(3 * count, [&](auto i, auto j) { return k[i][j] * k[i][j]; }))));
}

TEST_F(SeveralTrees, CanBeNamed) {
  std::vector<MaybeTree> second;
  for (std::size_t i = 0; i < count; ++i) second.push_back(trees[3 * i + 1]);
  EXPECT_TRUE(agree(gram_of("pt(second)", data), enumerated("pt()", second)));
  const std::string message = test::failure_of([&] { gram_of("pt(fourth)", data); }).message;
  for (const char* name : names) EXPECT_TRUE(test::contains(message, name));
  EXPECT_TRUE(test::contains(message, "fourth"));
  EXPECT_TRUE(test::fails_with("several", [&] { gram_of("pt()", data); }));
}

}  // namespace
}  // namespace espalier
