// Values beyond what a double holds, and nodes with very many children.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using Real = long double;

// --- Overflow
// -------------------------------------------------------------------------------------

// Logarithms of sums.
Real log_plus(Real a, Real b) {
  if (a < b) std::swap(a, b);
  return std::isinf(a) ? a : a + std::log1p(std::exp(b - a));
}
Real log_one_plus(Real a) { return log_plus(0, a); }
const Real log_zero = -std::numeric_limits<Real>::infinity();

constexpr std::size_t levels = 13;  // 16,383 nodes

/// A full binary tree in which every node has the label "a", but its first leaf "x" if `changed`.
test::PlainTree binary(std::size_t height, bool changed) {
  test::PlainTree out{height == 0 && changed ? "x" : "a", {}};
  if (height == 0) return out;
  out.children.push_back(binary(height - 1, changed));
  out.children.push_back(binary(height - 1, false));
  return out;
}

/// Kernel values of such trees at lambda = 1 by a recursion over heights: a subtree is known by its
/// height and by whether the changed leaf is in it.
class BinaryTrees {
 public:
  /// log D; both must not be leaves, or D is 0.
  static Real log_delta(std::size_t h1, bool changed1, std::size_t h2, bool changed2) {
    if (h1 == 0 || h2 == 0) return log_zero;
    // The children's labels, of which only the first of a changed subtree of height 1 differs.
    if ((h1 == 1 && changed1) != (h2 == 1 && changed2)) return log_zero;
    return log_one_plus(log_delta(h1 - 1, changed1, h2 - 1, changed2)) +
           log_one_plus(log_delta(h1 - 1, false, h2 - 1, false));
  }

  static Real log_kernel(bool changed1, bool changed2) {
    Real sum = log_zero;
    for (std::size_t h1 = 1; h1 <= levels; ++h1) {
      for (std::size_t h2 = 1; h2 <= levels; ++h2) {
        for (const bool c1 : {false, true}) {
          for (const bool c2 : {false, true}) {
            const Real pairs = count(h1, c1, changed1) * count(h2, c2, changed2);
            if (pairs > 0) sum = log_plus(sum, std::log(pairs) + log_delta(h1, c1, h2, c2));
          }
        }
      }
    }
    return sum;
  }

 private:
  /// Subtrees of a height in the tree, those with the changed leaf or those without it.
  static Real count(std::size_t height, bool with_leaf, bool changed) {
    if (with_leaf) return changed ? 1 : 0;
    return std::ldexp(Real(1), static_cast<int>(levels - height)) - (changed ? 1 : 0);
  }
};

double normed(Real log_xy, Real log_xx, Real log_yy) {
  return static_cast<double>(std::exp(log_xy - (log_xx + log_yy) / 2));
}

TEST(LargeValues, HaveNormsThatAreRight) {
  const std::vector<Tree> trees = {test::to_tree(binary(levels, false)),
                                   test::to_tree(binary(levels, true)), test::tree("(a(a)(a))"),
                                   test::to_tree(binary(levels, true)), Tree()};
  ASSERT_GT(trees[0].size(), 15'000U);
  const Real plain = BinaryTrees::log_kernel(false, false);
  const Real changed = BinaryTrees::log_kernel(true, true);
  const Real mixed = BinaryTrees::log_kernel(false, true);
  EXPECT_GT(plain, 1000 * std::log(Real(10)));  // far beyond a double
  const double related = normed(mixed, plain, changed);
  EXPECT_GT(related, 0.1);
  EXPECT_LT(related, 0.9);
  const Matrix<double> found = gram(Kernel("norm(sst(lambda=1))"), test::dataset_of(trees));
  EXPECT_TRUE(test::is_near(found(0, 0), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(1, 1), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(1, 3), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(2, 2), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(0, 1), related, 1e-10)) << found(0, 1) << " " << related;
  EXPECT_TRUE(test::is_near(found(3, 0), related, 1e-10));
  EXPECT_LT(found(2, 0), 1e-300);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(found(4, i), 0);
}

TEST(LargeValues, AreRightInASweepWithSmallValues) {
  const Dataset data = test::dataset_of(
      std::vector<Tree>{test::to_tree(binary(levels, false)), test::to_tree(binary(levels, true))});
  const std::vector<FittedKernel> kernels = sweep("norm(sst(lambda={0.1,1,0.2}))");
  const std::vector<Matrix<double>> found = gram(kernels, data);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_TRUE(test::identical(found[k], gram(kernels[k], data))) << k;
    EXPECT_TRUE(test::is_near(found[k](0, 0), 1, 1e-12)) << k;
  }
}

TEST(LargeValues, AreAnErrorThatNamesTheExampleIfTheirValueOverflows) {
  const Dataset data = test::dataset_of(std::vector<Tree>{
      test::tree("(b(c))"), test::tree("(a(a)(a))"), test::to_tree(binary(levels, false))});
  for (const char* text : {"sst(lambda=1)", "2*sst(lambda=1) + 1", "sst(lambda=1)*sst(lambda=1)"}) {
    const Kernel kernel(text);
    for (const std::string& message :
         {test::failure_of([&] { gram(kernel, data); }).message,
          test::failure_of([&] { gram<float>(kernel, data, test::working(2)); }).message,
          test::failure_of([&] { gram(kernel, data, data); }).message,
          test::failure_of([&] { diagonal(kernel, data); }).message,
          test::failure_of([&] { gram_row(kernel, data, 2); }).message}) {
      EXPECT_TRUE(test::contains(message, "3")) << text;
      EXPECT_TRUE(test::contains(message, "norm")) << text;
    }
  }
  // What does not touch the large tree is fine.
  EXPECT_EQ(gram_row(Kernel("sst(lambda=1)"), test::dataset_of({"(b(c))"}), 0)[0], 1);
}

TEST(LargeValues, AreTooLargeForFloatBeforeTheyAreForDouble) {
  const Dataset data = test::dataset_of(std::vector<Tree>{test::to_tree(binary(8, false))});
  const Kernel kernel("sst(lambda=1)");
  EXPECT_GT(gram(kernel, data)(0, 0), 1e39);
  EXPECT_TRUE(test::fails_with("1", [&] { gram<float>(kernel, data); }));
}

// --- Underflow
// ------------------------------------------------------------------------------------

/// A root over stars with so many leaves each.
Tree stars(std::initializer_list<std::size_t> leaves, std::string_view root) {
  test::PlainTree out{std::string(root), {}};
  for (const std::size_t count : leaves) {
    out.children.push_back({"s", std::vector<test::PlainTree>(count, {"x", {}})});
  }
  return test::to_tree(out);
}

TEST(LargeValues, HaveNormsAlsoWhereTheValueVanishes) {
  const Dataset data = test::dataset_of(std::vector<Tree>{
      stars({5000}, "p"), stars({5000, 5001}, "q"), stars({4000}, "r"), test::tree("(p(s(x)))")});
  // A star of n leaves weighs 0.5^(n+1), the root above it next to nothing beside it.
  const Matrix<double> found = gram(Kernel("norm(st(decay=0.5, weight=size))"), data);
  const double halves = std::sqrt(1 / 1.5 / 1.5);
  EXPECT_TRUE(test::is_near(found(0, 0), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(1, 1), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(3, 3), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(0, 1), halves, 1e-9)) << found(0, 1) << " " << halves;
  EXPECT_EQ(found(0, 2), 0);
  EXPECT_EQ(found(2, 3), 0);
}

// --- Wide nodes
// -----------------------------------------------------------------------------------

/// S of the partial tree kernel by the recursion of its paper, with the minus, for leaves as
/// children.
Real common_subsequences(const std::string& a, const std::string& b, Real leaf, Real decay,
                         bool span, std::size_t longest) {
  const std::size_t m = a.size(), n = b.size();
  std::vector<Real> ends((m + 1) * (n + 1)), sums((m + 1) * (n + 1));
  Real total = 0;
  for (std::size_t length = 1; length <= std::min({m, n, longest}); ++length) {
    Real level = 0;
    // Backwards: what is read of `sums` is still of the length before.
    for (std::size_t i = m; i > 0; --i) {
      const Real* const above = sums.data() + (i - 1) * (n + 1);
      Real* const row = ends.data() + i * (n + 1);
      for (std::size_t j = n; j > 0; --j) {
        const Real before = length == 1 ? 1 : (span ? decay * decay : 1) * above[j - 1];
        row[j] = a[i - 1] == b[j - 1] ? leaf * before : 0;
        level += row[j];
      }
    }
    for (std::size_t i = 1; i <= m; ++i) {
      Real* const row = sums.data() + i * (n + 1);
      const Real* const above = row - (n + 1);
      for (std::size_t j = 1; j <= n; ++j) {
        row[j] = ends[i * (n + 1) + j] + decay * row[j - 1] + decay * above[j] -
                 decay * decay * above[j - 1];
      }
    }
    total += level;
    if (level <= 1e-20L * total) break;
  }
  return total;
}

/// A root with one leaf for each letter.
Tree wide(const std::string& letters) {
  test::PlainTree out{"root", {}};
  for (const char letter : letters) out.children.push_back({std::string(1, letter), {}});
  return test::to_tree(out);
}

Real wide_kernel(const std::string& a, const std::string& b, const PartialTreeOptions& o) {
  const Real decay = o.decay, mu = o.depth_decay;
  const Real leaf = mu * decay * decay * Real(o.terminal);
  const std::size_t longest =
      o.max_length > 0 ? static_cast<std::size_t>(o.max_length) : std::max(a.size(), b.size());
  Real sum =
      mu * (decay * decay + common_subsequences(a, b, leaf, decay, o.gap == Gap::span, longest));
  for (const char x : a) sum += leaf * Real(std::count(b.begin(), b.end(), x));
  return sum;
}

TEST(WideNodes, FollowTheRecursionOfThePaper) {
  test::Random random(500);
  const auto letters = [&](std::size_t size, std::size_t labels) {
    std::string out;
    while (out.size() < size) out += static_cast<char>('a' + random.below(labels));
    return out;
  };
  const std::vector<std::string> children = {std::string(300, 'a'), letters(200, 3),
                                             letters(150, 40), std::string(120, 'b'), "abc"};
  std::vector<Tree> trees;
  for (const std::string& text : children) trees.push_back(wide(text));
  const Dataset data = test::dataset_of(trees);
  for (const char* text : {"pt(lambda=0.4, mu=0.4)", "pt(lambda=0.9, mu=0.5, max_length=5)",
                           "pt(lambda=0.7, mu=0.9, gap=span, terminal=0.5)", "pt(max_length=1)"}) {
    const Kernel kernel(text);
    const auto& options =
        std::get<PartialTreeOptions>(std::get<TreeKernelNode>(kernel.root().what).options);
    const Matrix<double> found = gram(kernel, data);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const auto expected = static_cast<double>(wide_kernel(children[i], children[j], options));
        EXPECT_TRUE(test::is_near(found(i, j), expected, 1e-12))
            << text << " at " << i << ", " << j << ": " << found(i, j) << " against " << expected;
      }
    }
  }
}

/// log of the number of ways to choose k of n.
Real log_choose(Real n, Real k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

TEST(WideNodes, AreCountedByBinomials) {
  // With all decays 1 each pair of equally long choices of children counts once: by Vandermonde
  // there are C(m + n, m) of them, the empty one included. The pairs of leaves vanish beside it.
  const Dataset data =
      test::dataset_of(std::vector<Tree>{wide(std::string(500, 'a')), wide(std::string(480, 'a'))});
  const Matrix<double> found = gram(Kernel("pt(lambda=1, mu=1)"), data);
  EXPECT_TRUE(
      test::is_near(found(0, 0), static_cast<double>(std::exp(log_choose(1000, 500))), 1e-11));
  EXPECT_TRUE(
      test::is_near(found(1, 0), static_cast<double>(std::exp(log_choose(980, 500))), 1e-11));
}

TEST(WideNodes, HaveNormsWhereTheirValueOverflows) {
  const Dataset data =
      test::dataset_of(std::vector<Tree>{wide(std::string(600, 'a')), wide(std::string(590, 'a'))});
  EXPECT_TRUE(test::fails_with("1", [&] { gram(Kernel("pt(lambda=1, mu=1)"), data); }));
  const Matrix<double> found = gram(Kernel("norm(pt(lambda=1, mu=1))"), data);
  const double expected =
      normed(log_choose(1190, 600), log_choose(1200, 600), log_choose(1180, 590));
  EXPECT_TRUE(test::is_near(found(0, 0), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(1, 1), 1, 1e-12));
  EXPECT_TRUE(test::is_near(found(0, 1), expected, 1e-11)) << found(0, 1) << " " << expected;
}

TEST(WideNodes, LeaveTheOthersAsTheyAreWhereTheirValueOverflows) {
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < 40; ++i) trees.push_back(wide(std::string(60 + i, 'a')));
  const Kernel kernel("norm(pt(lambda=1, mu=1))");
  const Matrix<double> without = gram(kernel, test::dataset_of(trees));
  trees.push_back(wide(std::string(600, 'a')));  // too large with itself
  trees.push_back(wide(std::string(500, 'a')));  // too large with the one before only
  const Dataset data = test::dataset_of(trees);
  const Matrix<double> found = gram(kernel, data);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 40; ++j) EXPECT_EQ(found(i, j), without(i, j));
    const Real n = 60 + static_cast<Real>(i);
    const double expected =
        normed(log_choose(600 + n, n), log_choose(1200, 600), log_choose(2 * n, n));
    EXPECT_TRUE(test::is_near(found(40, i), expected, 1e-10)) << found(40, i) << " " << expected;
  }
  const double large = normed(log_choose(1100, 500), log_choose(1200, 600), log_choose(1000, 500));
  EXPECT_TRUE(test::is_near(found(40, 41), large, 1e-10)) << found(40, 41) << " " << large;
  const Matrix<double> in_pieces = gram(kernel, data, Context{.memory = 1});
  for (std::size_t i = 0; i < trees.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(found.row(i), in_pieces.row(i)));
  }
}

}  // namespace
}  // namespace espalier
