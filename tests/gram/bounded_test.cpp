// Wide and deep trees: exact values, within the memory, and cancelled inside a pair of trees.
#include <gtest/gtest.h>

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

/// Any memory gives the same bits; the smallest lets no list of matches exist.
Matrix<double> gram_in_any_memory(const Kernel& kernel, const Dataset& data) {
  Matrix<double> out = gram(kernel, data, test::working(1));
  for (const std::size_t memory : {std::size_t{1}, std::size_t{200'000}, std::size_t{3'000'000}}) {
    EXPECT_TRUE(test::identical(gram(kernel, data, test::working(2, memory)), out))
        << kernel.to_string() << " in " << memory;
  }
  return out;
}

/// A root with so many children, some of them leaves, others with leaves of their own.
test::PlainTree random_wide_tree(test::Random& random, std::size_t children, std::size_t labels) {
  const auto label = [&] { return std::string(1, static_cast<char>('a' + random.below(labels))); };
  test::PlainTree out{"r", {}};
  for (std::size_t k = 0; k < children; ++k) {
    test::PlainTree child{label(), {}};
    for (std::size_t below = random.below(4); below > 0; --below) {
      child.children.push_back({label(), {}});
    }
    out.children.push_back(child);
  }
  return out;
}

std::vector<test::PlainTree> random_wide_trees() {
  test::Random random(23);
  std::vector<test::PlainTree> out;
  for (const std::size_t children : {1, 3, 40, 41, 130}) {
    for (const std::size_t labels : {1, 3, 20}) {
      out.push_back(random_wide_tree(random, children, labels));
    }
  }
  return out;
}

Dataset dataset_of(const std::vector<test::PlainTree>& trees) {
  std::vector<Tree> flat;
  for (const test::PlainTree& tree : trees) flat.push_back(test::to_tree(tree));
  return test::dataset_of(flat);
}

/// The sum of a function of two nodes over all pairs of nodes of two trees.
template <class Function>
double sum_over_nodes(const test::PlainTree& a, const test::PlainTree& b, Function&& d) {
  const auto nodes_of = [](const test::PlainTree& tree) {
    std::vector<const test::PlainTree*> out = {&tree};
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (const test::PlainTree& child : out[k]->children) out.push_back(&child);
    }
    return out;
  };
  Real sum = 0;
  for (const test::PlainTree* u : nodes_of(a)) {
    for (const test::PlainTree* v : nodes_of(b)) sum += d(*u, *v);
  }
  return static_cast<double>(sum);
}

template <class Function>
void expect_values(const std::string& text, const std::vector<test::PlainTree>& trees,
                   Function&& d) {
  const Matrix<double> found = gram_in_any_memory(Kernel(text), dataset_of(trees));
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double expected = sum_over_nodes(trees[i], trees[j], d);
      EXPECT_TRUE(test::is_near(found(i, j), expected, 1e-12))
          << text << " at " << i << ", " << j << ": " << found(i, j) << " against " << expected;
    }
  }
}

/// D of the partial tree kernel by the recursion of its paper, in extended precision.
Real partial_trees(const test::PlainTree& a, const test::PlainTree& b,
                   const PartialTreeOptions& options) {
  if (a.label != b.label) return 0;
  const Real decay = options.decay, base = options.depth_decay * decay * decay;
  const std::size_t m = a.children.size(), n = b.children.size();
  if (m == 0 || n == 0) return base * options.terminal;
  std::vector<Real> d((m + 1) * (n + 1)), sums(d.size());
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      d[i * (n + 1) + j] = partial_trees(a.children[i - 1], b.children[j - 1], options);
    }
  }
  const Real step = options.gap == Gap::span ? decay * decay : 1;
  const auto most = static_cast<std::size_t>(options.max_length);
  Real total = 0;
  for (std::size_t length = 1; length <= (most == 0 ? 1 : most); ++length) {
    std::vector<Real> longer(sums.size());
    for (std::size_t i = 1; i <= m; ++i) {
      for (std::size_t j = 1; j <= n; ++j) {
        const std::size_t at = i * (n + 1) + j, before = at - n - 2;
        // Without a limit, subsequences of all lengths at once.
        const Real shorter = step * (most == 0 ? longer : sums)[before];
        const Real end = d[at] * (most == 0 ? 1 + shorter : length == 1 ? 1 : shorter);
        total += end;
        longer[at] = end + decay * longer[at - 1] + decay * longer[at - n - 1] -
                     decay * decay * longer[before];
      }
    }
    sums = longer;
  }
  return base + options.depth_decay * total;
}

TEST(WideTrees, HaveTheValuesOfPtByItsRecursion) {
  const std::vector<test::PlainTree> trees = random_wide_trees();
  for (const char* const text :
       {"pt()", "pt(lambda=0.9, mu=0.3)", "pt(max_length=1)", "pt(max_length=4)",
        "pt(gap=span, terminal=0.5)", "pt(gap=span, max_length=3, terminal=1e-9)"}) {
    const Kernel kernel(text);
    const auto& options =
        std::get<PartialTreeOptions>(std::get<TreeKernelNode>(kernel.root().what).options);
    expect_values(text, trees, [&](const test::PlainTree& u, const test::PlainTree& v) {
      return partial_trees(u, v, options);
    });
  }
}

/// D of the subpath kernel, or of the route kernel if `aligned`, by its definition.
Real paths_from(const test::PlainTree& a, const test::PlainTree& b, Real decay, bool aligned) {
  if (a.label != b.label) return 0;
  Real sum = 1;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    for (std::size_t j = 0; j < b.children.size(); ++j) {
      if (!aligned || i == j) sum += paths_from(a.children[i], b.children[j], decay, aligned);
    }
  }
  return decay * sum;
}

TEST(WideTrees, HaveTheValuesOfSubpathAndRouteByTheirDefinition) {
  for (const bool aligned : {false, true}) {
    expect_values(aligned ? "route(lambda=0.7)" : "subpath(lambda=0.7)", random_wide_trees(),
                  [&](const test::PlainTree& u, const test::PlainTree& v) {
                    return paths_from(u, v, 0.7, aligned);
                  });
  }
}

Tree star(std::size_t leaves) {
  return test::to_tree({"r", std::vector<test::PlainTree>(leaves, {"x", {}})});
}

TEST(WideTrees, OfEqualChildrenHaveSumsOfManyEqualAddends) {
  // 4 * 10^8 pairs of leaves, of which each weighs 0.4, and 0.4 * 0.4 below the root.
  const Matrix<double> found =
      gram(Kernel("subpath()"), test::dataset_of(std::vector<Tree>{star(20'000)}));
  EXPECT_TRUE(test::is_near(found(0, 0), 4e8 * (0.4 + 0.16) + 0.4, 1e-13)) << found(0, 0);
  const double leaf = 0.4 * 0.4 * 0.4;
  const Matrix<double> single =
      gram(Kernel("pt(max_length=1)"), test::dataset_of(std::vector<Tree>{star(5'000)}));
  EXPECT_TRUE(test::is_near(single(0, 0), 25e6 * leaf * 1.4 + leaf, 1e-13)) << single(0, 0);
}

/// Far too deep for a row of values for each vertex: they are released level by level.
TEST(DeepTrees, AreComputedInLittleMemory) {
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  constexpr std::size_t depth = 3'000;
  for (std::size_t k = 0; k < depth; ++k) builder.open("a");
  for (std::size_t k = 0; k < depth; ++k) builder.close();
  const Dataset data = test::dataset_of(std::span<const Tree>(&tree, 1));
  // D of two nodes depends on the lower of the two heights: 1 + 0.4 + 0.4^2 + ..
  Real expected = 0, d = 0;
  for (std::size_t h = 0; h < depth; ++h) {
    d = 0.4L * (1 + d);
    expected += d * static_cast<Real>(2 * (depth - h) - 1);
  }
  for (const char* const text : {"subpath()", "route()"}) {
    // All rows at once would take 72 MB, and more than the 16 MB that are always allowed fail.
    const double found = gram(Kernel(text), data, test::working(1, 1))(0, 0);
    EXPECT_TRUE(test::is_near(found, static_cast<double>(expected), 1e-12)) << text;
  }
}

/// A root over so many different subtrees, all of which match.
Tree different_children(std::size_t children) {
  test::PlainTree out{"r", {}};
  for (std::size_t k = 0; k < children; ++k) {
    out.children.push_back({"a", {{"x", {}}, {"y" + std::to_string(k), {}}}});
  }
  return test::to_tree(out);
}

TEST(TreesThatDoNotFitTheMemory, AreNamed) {
  const Dataset data =
      test::dataset_of(std::vector<Tree>{star(3), different_children(2'000), star(4)});
  for (const char* const text : {"pt()", "norm(subpath())", "route()"}) {
    const Kernel kernel(text);
    EXPECT_TRUE(test::fails_with("example 2 is too large for this kernel", [&] {
      gram(kernel, data, test::working(1, 1));
    })) << text;
    EXPECT_NO_THROW(gram(kernel, data, test::working(1, 100'000'000))) << text;
  }
}

TEST(GramCancelled, StopsInsideAPairOfTrees) {
  const std::vector<Tree> wide = {star(20'000)};
  std::vector<Tree> deep(1);
  TreeBuilder builder;
  builder.start(deep[0]);
  for (int k = 0; k < 10'000; ++k) builder.open("a");
  for (int k = 0; k < 10'000; ++k) builder.close();
  for (const std::vector<Tree>& trees : {wide, deep}) {
    // The first calls are those before the only pair; a second of work follows.
    int calls = 0;
    Context context = test::working(1);
    context.cancelled = [&] { return ++calls > 3; };
    EXPECT_THROW(gram(Kernel("pt()"), test::dataset_of(trees), context), Cancelled);
  }
}

}  // namespace
}  // namespace espalier
