// What the search says about itself, and kernels with several parts.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "espalier/fragments/top_fragments.hpp"
#include "espalier/io/brackets.hpp"
#include "support/failure.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

Matrix<double> numbers(std::size_t rows, std::size_t columns, std::vector<double> values) {
  Matrix<double> out(rows, columns);
  std::ranges::copy(values, out.data());
  return out;
}

/// One function, with a coefficient for each example.
KernelFunctions function_of(const std::string& kernel, const Dataset& data,
                            const std::vector<double>& coefficients) {
  KernelFunctions out{FittedKernel(Kernel(kernel))};
  out.add(data, numbers(1, coefficients.size(), coefficients));
  return out;
}

TopFragments search(const KernelFunctions& functions, const FragmentOptions& options,
                    const Dataset* data = nullptr, const Context& context = {}) {
  return top_fragments(functions, numbers(1, 1, {1}), options, data, context)[0];
}

std::map<std::string, double> weights_of(const TopFragments& found) {
  std::map<std::string, double> out;
  for (const WeightedFragment& fragment : found.fragments) {
    EXPECT_TRUE(out.emplace(to_string(fragment.fragment), fragment.weights[0]).second);
  }
  return out;
}

TEST(FragmentText, DistinguishesFrontierNodesFromWords) {
  const Dataset data = test::dataset_of({"(S(NP(D(the))(N(dog)))(V(barks)))"});
  const auto found = weights_of(search(function_of("sst(lambda=1)", data, {1}), {.top = 1000}));
  EXPECT_EQ(found.size(), 3 + 4 + 10);
  EXPECT_TRUE(found.contains("(NP (D the) (N))"));
  EXPECT_TRUE(found.contains("(S (NP) (V barks))"));
}

TEST(FragmentText, EscapesLabelsAndIsReadBack) {
  test::Random random(3);
  for (int round = 0; round < 100; ++round) {
    espalier::Fragment fragment;
    fragment.tree = test::nasty_tree(random);
    fragment.frontier.resize(fragment.tree.size());
    for (auto& frontier : fragment.frontier) frontier = random.one_in(2) ? 1 : 0;
    Tree back;
    const std::string text = to_string(fragment);
    BracketParser(bracket_special, {}).parse(Text(text, "f", 1), back);
    EXPECT_EQ(back, fragment.tree) << text;
  }
}

TEST(RouteFragments, HavePositions) {
  const Dataset data = test::dataset_of({"(a(b(c))(b))", "(a(c)(b))"});
  const auto found = weights_of(search(function_of("route(lambda=0.25)", data, {1, 10}), {}));
  const std::map<std::string, double> expected = {
      {"(a)", 5.5},      {"(b)", 6},        {"(c)", 5.5},     {"(a 1:(b))", 0.25},
      {"(a 2:b)", 2.75}, {"(b 1:c)", 0.25}, {"(a 1:c)", 2.5}, {"(a 1:(b 1:c))", 0.125}};
  EXPECT_EQ(found, expected);
}

TEST(FragmentSearch, CountsExamplesAndOccurrences) {
  const Dataset data = test::dataset_of({"(S(A(x))(A(x))(B(y)))", "(S(B(y)))", "(A(x))"});
  const TopFragments found =
      search(function_of("sst()", data, {1, 0, 2}), {.top = 100, .max_size = 1}, &data);
  std::map<std::string, const WeightedFragment*> by_text;
  for (const auto& fragment : found.fragments) by_text[to_string(fragment.fragment)] = &fragment;
  const WeightedFragment& a = *by_text.at("(A x)");
  EXPECT_EQ(a.examples, 2);
  EXPECT_EQ(a.occurrences, 3);
  EXPECT_EQ(a.subtrees, 1);
  EXPECT_NEAR(a.weights[0], std::sqrt(0.4) * (2 + 2), 1e-12);
  ASSERT_EQ(a.places.size(), 2);
  EXPECT_EQ(a.places[0].example, 0);
  EXPECT_EQ(a.places[0].node, 1);
  EXPECT_EQ(a.places[1].example, 2);
  EXPECT_EQ(a.places[1].node, 0);
  EXPECT_EQ(by_text.at("(B y)")->examples, 2);
}

/// Trees in which most fragments are distinct.
Dataset many_fragments() {
  test::Random random(5);
  std::vector<test::MaybeTree> trees;
  for (int i = 0; i < 12; ++i) trees.emplace_back(test::random_shape(random, 40, 3));
  return test::dataset_of(trees);
}

TEST(FragmentSearch, StoppedEarlyHasACertificate) {
  const Dataset data = many_fragments();
  for (const char* kernel : {"sst(lambda=0.9)", "pt(lambda=0.8, mu=0.8)", "subpath(lambda=0.9)"}) {
    SCOPED_TRACE(kernel);
    const KernelFunctions functions =
        function_of(kernel, data, {3, -2, 1, 1, -1, 2, -2, 1, 1, -1, 1, -3});
    const TopFragments exact = search(functions, {.top = 30});
    ASSERT_TRUE(exact.exact);
    EXPECT_LE(exact.bound, std::abs(exact.fragments.back().weights[0]));
    bool stopped = false;
    for (const std::size_t expansions : {1, 3, 10, 30}) {
      const TopFragments some = search(functions, {.top = 30, .expansions = expansions});
      if (some.exact) continue;
      stopped = true;
      EXPECT_EQ(some.expansions, expansions);
      EXPECT_GT(some.bound, 0);
      const auto listed = weights_of(some);
      for (const auto& [text, weight] : weights_of(exact)) {
        // What is above the bound has been found.
        EXPECT_TRUE(listed.contains(text) || std::abs(weight) <= some.bound) << text;
      }
    }
    EXPECT_TRUE(stopped);
  }
}

TEST(FragmentSearch, StaysWithinTheMemory) {
  const Dataset data = many_fragments();
  const KernelFunctions functions =
      function_of("pt(lambda=1, mu=1)", data, {3, -2, 1, 1, -1, 2, -2, 1, 1, -1, 1, -3});
  const FragmentOptions options{.top = 1000, .max_size = 5};
  const TopFragments all = search(functions, options);
  ASSERT_TRUE(all.exact);
  const TopFragments some = search(functions, options, nullptr, {.threads = 1, .memory = 20'000});
  EXPECT_FALSE(some.exact);
  EXPECT_LT(some.expansions, all.expansions);
  EXPECT_FALSE(some.fragments.empty());
}

TEST(FragmentSearch, OfASumHasTheFragmentsOfAllTerms) {
  const Dataset data = test::dataset_of({"(S(A(x)))", "(S(B(y)))"});
  const KernelFunctions functions =
      function_of("4*sst(lambda=0.25) + norm(subpath())*0 + st(decay=0.5)", data, {1, -3});
  const std::vector<std::string> terms = fragment_terms(functions);
  ASSERT_EQ(terms, (std::vector<std::string>{"sst(lambda=0.25)", "st()"}));
  const TopFragments found = search(functions, {.top = 100});
  std::map<std::pair<std::string, std::string>, double> weights;
  for (const auto& fragment : found.fragments) {
    weights[{terms[fragment.term], to_string(fragment.fragment)}] = fragment.weights[0];
  }
  // The root of the factor 4 belongs to the weight, the other one to the example.
  EXPECT_NEAR(weights.at({"sst(lambda=0.25)", "(B y)"}), -3 * 2 * 0.5, 1e-12);
  EXPECT_NEAR(weights.at({"sst(lambda=0.25)", "(S (A x))"}), 2 * 0.25, 1e-12);
  EXPECT_NEAR(weights.at({"st()", "(S (A x))"}), 0.5, 1e-12);
}

Dataset random_pairs(std::uint32_t seed) {
  test::Random random(seed);
  Dataset data;
  for (int i = 0; i < 6; ++i) {
    test::ExampleOf a, b;
    a.tree("t", test::to_tree(test::random_shape(random, 7, 3)));
    b.tree("t", test::to_tree(test::random_shape(random, 7, 3)));
    data.add(test::ExampleOf().pair(a, b).vector("v", test::dense({1, 2})));
  }
  return data;
}

TEST(FragmentContributions, OfPairsAndSumsAddUpToTheScore) {
  for (const char* kernel :
       {"pair(sst())", "cross(norm(sst()))", "norm(pair(pt())) + 0.5*pair(subpath())",
        "norm(0.3*pair(sst()) + 2*pair(st()))", "norm(cross(sst())) + linear(v)"}) {
    SCOPED_TRACE(kernel);
    const Dataset data = random_pairs(7);
    const KernelFunctions functions = function_of(kernel, data, {1, -2, 3, -1, 2, 1});
    const std::uint32_t first = 1;
    const Dataset example = data.select({&first, 1});
    double sum = 0;
    for (const auto& fragment :
         top_contributions(functions, std::vector<double>{2}, example, {.top = 100'000})
             .fragments) {
      sum += fragment.contribution;
    }
    const auto parts = functions.contributions(example);
    for (const auto& rest : parts[0].rest) sum += 2 * rest.value[0];
    EXPECT_NEAR(sum, 2 * functions(example)(0, 0), 1e-9);
    EXPECT_EQ(parts_without_fragments(functions).size(),
              std::string(kernel).ends_with("v)") ? 1 : 0);
  }
}

TEST(FragmentSearch, NamesMembersOfPairs) {
  const Dataset data = random_pairs(1);
  const KernelFunctions functions = function_of("cross(sst(t))", data, {1, -2, 3, -1, 2, 1});
  EXPECT_EQ(
      fragment_terms(functions),
      (std::vector<std::string>{"a like b: sst(t)", "b like a: sst(t)", "a: sst(t)", "b: sst(t)"}));
}

TEST(FragmentSearch, RefusesKernelsWithoutFragments) {
  const Dataset data = test::dataset_of({"(S(A(x)))", "(S(B(y)))"});
  const auto message = [&](const std::string& kernel) {
    return test::failure_of([&] { search(function_of(kernel, data, {1, -1}), {}); }).message;
  };
  EXPECT_NE(message("pt(terminal=5)").find("pt(terminal=5): terminal is not 1"), std::string::npos);
  EXPECT_NE(message("sst()*sst()").find("not a sum over fragments"), std::string::npos);
  EXPECT_NE(message("dtk(dim=64)").find("vectors do not say"), std::string::npos);
}

TEST(FragmentSearch, ChecksItsOptions) {
  const Dataset data = test::dataset_of({"(S(A(x)))"});
  const KernelFunctions functions = function_of("sst()", data, {1});
  EXPECT_EQ(test::failure_of([&] { search(functions, {.top = 0}); }).message,
            "top = 0 is outside [1, inf)");
  EXPECT_EQ(test::failure_of([&] { search(functions, {.min_size = 3, .max_size = 2}); }).message,
            "max_size is smaller than min_size: no fragment has such a size");
}

TEST(FragmentSearch, OfKernelsThatAreZeroFindsNothing) {
  const Dataset data = test::dataset_of({"(S(A(x)))"});
  for (const char* kernel : {"sst(lambda=0)", "pt(lambda=0)", "pt(mu=0)", "subpath(lambda=0)"}) {
    const TopFragments found = search(function_of(kernel, data, {1}), {});
    EXPECT_TRUE(found.fragments.empty()) << kernel;
    EXPECT_TRUE(found.exact) << kernel;
  }
}

TEST(FragmentSearch, DoesNotRecurseInDeepTrees) {
  const std::vector<Tree> trees = {test::path_tree(100'000)};
  const Dataset data = test::dataset_of(trees);
  for (const char* kernel : {"sst(lambda=1)", "subpath(lambda=1)"}) {
    const TopFragments found = search(function_of(kernel, data, {1}), {.top = 20}, &data);
    EXPECT_EQ(found.fragments.size(), 20) << kernel;
  }
}

TEST(FragmentSearch, CanBeCancelled) {
  const Dataset data = many_fragments();
  const KernelFunctions functions =
      function_of("pt(lambda=1, mu=1)", data, std::vector<double>(data.size(), 1));
  Context context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(search(functions, {.top = 1'000'000'000}, nullptr, context), Cancelled);
}

TEST(FragmentSearch, ReportsProgress) {
  const Dataset data = many_fragments();
  const KernelFunctions functions =
      function_of("sst(lambda=0.9)", data, std::vector<double>(data.size(), 1));
  std::vector<double> seen;
  Context context;
  context.progress = [&](double fraction) { seen.push_back(fraction); };
  search(functions, {.top = 500}, nullptr, context);
  ASSERT_GT(seen.size(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1);
}

}  // namespace
}  // namespace espalier
