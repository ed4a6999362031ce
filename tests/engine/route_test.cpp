// The route kernel against a list of all routes, and in everything that takes a kernel.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "support/fragments.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::PlainTree;

/// Each route that starts at a node, with its number of nodes.
void list_routes(const PlainTree& node, const std::string& before, std::size_t nodes,
                 std::map<std::string, std::pair<double, std::size_t>>& out) {
  const std::string route = before + "/" + node.label;
  auto& [count, length] = out[route];
  ++count;
  length = nodes;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    list_routes(node.children[i], route + "/" + std::to_string(i), nodes + 1, out);
  }
}

std::map<std::string, std::pair<double, std::size_t>> routes_of(const test::MaybeTree& tree) {
  std::map<std::string, std::pair<double, std::size_t>> out;
  if (tree) {
    test::for_each_node(*tree, [&](const PlainTree& node) { list_routes(node, "", 1, out); });
  }
  return out;
}

test::Values enumerated(double decay, const std::vector<test::MaybeTree>& trees) {
  test::Values out(trees.size(), std::vector<double>(trees.size(), 0));
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (std::size_t j = 0; j < trees.size(); ++j) {
      const auto others = routes_of(trees[j]);
      for (const auto& [route, here] : routes_of(trees[i])) {
        const auto there = others.find(route);
        if (there == others.end()) continue;
        out[i][j] +=
            here.first * there->second.first * std::pow(decay, static_cast<double>(here.second));
      }
    }
  }
  return out;
}

TEST(RouteKernel, IsTheSumOverCommonRoutes) {
  test::Random random(2009);
  for (int set = 0; set < 40; ++set) {
    const auto trees = test::random_trees(random, 12, 9);
    const Dataset data = test::dataset_of(trees);
    for (const double decay : {0.4, 1.0, 0.05}) {
      const Kernel kernel("route(lambda=" + std::to_string(decay) + ")");
      const Matrix<double> found = gram(kernel, data);
      ASSERT_TRUE(test::agree(found, enumerated(decay, trees))) << decay << " in set " << set;
      ASSERT_TRUE(test::is_gram(found)) << decay << " in set " << set;
    }
  }
}

TEST(RouteKernel, DistinguishesPositions) {
  // Routes of (a b c): /a, /b, /c, /a/0/b, /a/1/c; of (a c b): /a, /b, /c, /a/0/c, /a/1/b.
  const Dataset data = test::dataset_of({"(a(b)(c))", "(a(c)(b))"});
  const Matrix<double> found = gram(Kernel("route(lambda=0.5)"), data);
  EXPECT_DOUBLE_EQ(found(0, 0), 3 * 0.5 + 2 * 0.25);
  EXPECT_DOUBLE_EQ(found(0, 1), 3 * 0.5);
}

TEST(RouteKernel, PredictsAndSweepsLikeAnyOther) {
  test::Random random(7);
  const auto trees = test::random_trees(random, 20, 12);
  const Dataset data = test::dataset_of(trees);
  const Kernel kernel("route(lambda=0.7)");
  const Matrix<double> matrix = gram(kernel, data);
  const std::vector<FittedKernel> kernels = sweep("route(lambda={0.3,0.7,1})");
  EXPECT_TRUE(test::agree(gram(kernels, data)[1], matrix));
  Matrix<double> coefficients(1, data.size());
  std::vector<double> expected(data.size(), 0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    coefficients(0, i) = std::cos(static_cast<double>(i));
    for (std::size_t j = 0; j < data.size(); ++j) expected[j] += coefficients(0, i) * matrix(i, j);
  }
  KernelFunctions functions(kernel);
  functions.add(data, coefficients);
  const KernelFunctions loaded = KernelFunctions::load(functions.save());
  for (const KernelFunctions* f :
       std::initializer_list<const KernelFunctions*>{&functions, &loaded}) {
    const Matrix<double> values = (*f)(data);
    for (std::size_t j = 0; j < data.size(); ++j) EXPECT_NEAR(values(j, 0), expected[j], 1e-10);
  }
  // The contributions of the subtrees of an example add up to its value.
  const auto all = functions.contributions(data.select(std::vector<std::uint32_t>{3}));
  const Contributions& parts = all[0];
  ASSERT_EQ(parts.trees.size(), 1U);
  double sum = 0;
  for (const TreeContributions& tree : parts.trees) {
    for (std::size_t k = 0; k < tree.counts.size(); ++k) sum += tree.counts[k] * tree.values(k, 0);
  }
  EXPECT_NEAR(sum, expected[3], 1e-10);
}

}  // namespace
}  // namespace espalier
