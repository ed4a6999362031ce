// The search against the enumeration of all fragments: support/fragments.hpp.
#include "espalier/fragments/top_fragments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/fragment_oracle.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

/// A random model: some trees with coefficients for two functions, and a tree to explain.
struct RandomModel {
  std::vector<test::MaybeTree> trees;
  Dataset data;
  KernelFunctions functions;
  Matrix<double> scores;
  std::vector<std::map<std::string, double>> weights;  ///< per score, by enumeration
  std::map<std::string, std::uint32_t> sizes;
  test::FragmentOracle oracle;

  RandomModel(const Kernel& kernel, std::uint32_t seed, std::size_t nodes = 9)
      : functions(kernel), scores(2, 2), oracle(kernel) {
    test::Random random(seed);
    trees = test::random_trees(random, 7, nodes);
    data = test::dataset_of(trees);
    Matrix<double> coefficients(2, trees.size());
    for (std::size_t k = 0; k < 2 * trees.size(); ++k) {
      coefficients.data()[k] = random.one_in(4) ? 0 : static_cast<double>(random.below(997)) - 500;
    }
    functions.add(data, coefficients);
    // The second score is a combination of both functions, as in one-vs-one.
    scores(0, 0) = 1;
    scores(0, 1) = 0;
    scores(1, 0) = -0.5;
    scores(1, 1) = 2;
    weights.resize(2);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      for (const auto& [text, entry] : oracle(trees[i])) {
        sizes[text] = entry.size;
        for (std::size_t s = 0; s < 2; ++s) {
          const double c = scores(s, 0) * coefficients(0, i) + scores(s, 1) * coefficients(1, i);
          weights[s][text] += c * entry.value;
        }
      }
    }
  }
};

/// The largest absolute values, descending.
std::vector<double> largest(const std::map<std::string, double>& values,
                            const std::map<std::string, std::uint32_t>& sizes,
                            const FragmentOptions& options) {
  std::vector<double> out;
  for (const auto& [text, value] : values) {
    const std::uint32_t size = sizes.at(text);
    const bool fits =
        size >= options.min_size && (options.max_size == 0 || size <= options.max_size);
    if (fits && std::abs(value) > 1e-9) out.push_back(std::abs(value));
  }
  std::ranges::sort(out, std::greater());
  out.resize(std::min(out.size(), options.top));
  return out;
}

/// Without fragments whose weight is 0 but for rounding.
std::vector<WeightedFragment> nonzero(std::vector<WeightedFragment> all, bool contributions,
                                      std::size_t score) {
  std::erase_if(all, [&](const WeightedFragment& fragment) {
    const double value = contributions ? fragment.contribution : fragment.weights[score];
    return std::abs(value) <= 1e-9;
  });
  return all;
}

const std::vector<std::string> exact_kernels = {
    "sst()",
    "sst(lambda=0.7, leaves=true)",
    "sst(lambda=1)",
    "norm(sst(lambda=0.2))",
    "st()",
    "st(decay=0.9, weight=size, leaves=true, unordered=true)",
    "st(weight=productions, labels=false, kappa=binary)",
    "norm(st(weight=uniform, kappa=poly, power=3))",
    "subpath()",
    "norm(subpath(lambda=0.9))",
    "pt()",
    "pt(lambda=0.9, mu=0.8)",
    "norm(pt(lambda=0.6, mu=1, gap=span))",
    "pt(lambda=1, mu=1, max_length=2)",
    "select(sst(leaves=true), labels=[a, c])",
    "norm(select(sst(lambda=0.8), labels=[b]))",
    "select(subpath(lambda=0.9), labels=[a, b])",
    "select(pt(lambda=0.9, mu=0.8), labels=[a, d])",
    "norm(select(pt(gap=span), labels=[b, c, d]))",
};

FragmentOptions random_options(test::Random& random) {
  FragmentOptions out;
  out.top = random.one_in(4) ? 1'000'000 : 1 + random.below(12);
  if (random.one_in(3)) out.min_size = 1 + random.below(3);
  if (random.one_in(3)) out.max_size = out.min_size + random.below(3);
  return out;
}

/// A kernel, and how many random models of it.
class TopFragmentsOfRandomModels
    : public testing::TestWithParam<std::tuple<std::string, std::uint32_t>> {
 protected:
  const Kernel kernel{std::get<0>(GetParam())};
  const std::uint32_t models = std::get<1>(GetParam());
};

TEST_P(TopFragmentsOfRandomModels, AreThoseOfTheEnumeration) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const RandomModel model(kernel, seed);
    test::Random random(seed);
    const FragmentOptions options = random_options(random);
    const auto found =
        top_fragments(model.functions, model.scores, options, nullptr, {.threads = 1});
    for (std::size_t s = 0; s < 2; ++s) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", score " + std::to_string(s));
      EXPECT_TRUE(found[s].exact);
      const auto expected = largest(model.weights[s], model.sizes, options);
      const auto list = nonzero(found[s].fragments, false, s);
      ASSERT_EQ(list.size(), expected.size());
      for (std::size_t k = 0; k < list.size(); ++k) {
        const std::string text = model.oracle.text(list[k].fragment);
        ASSERT_TRUE(model.sizes.contains(text)) << text;
        EXPECT_EQ(list[k].fragment.size, model.sizes.at(text)) << text;
        EXPECT_NEAR(std::abs(list[k].weights[s]), expected[k], 1e-12 * expected[0]);
        for (std::size_t other = 0; other < 2; ++other) {
          EXPECT_NEAR(list[k].weights[other], model.weights[other].at(text), 1e-12 * expected[0])
              << text;
        }
      }
    }
  }
}

TEST_P(TopFragmentsOfRandomModels, ContributeWhatTheEnumerationSays) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomModel model(kernel, seed);
    test::Random random(seed);
    const test::MaybeTree tree = test::random_shape(random, 1 + random.below(9), 3);
    const FragmentOptions options = random_options(random);
    std::map<std::string, double> contributions;
    std::map<std::string, std::uint32_t> sizes;
    for (const auto& [text, entry] : model.oracle(tree)) {
      const auto weight = model.weights[1].find(text);
      if (weight == model.weights[1].end()) continue;
      contributions[text] = entry.value * weight->second;
      sizes[text] = entry.size;
    }
    const auto expected = largest(contributions, sizes, options);
    const Dataset example = test::dataset_of({&tree, 1});
    const TopFragments found =
        top_contributions(model.functions, model.scores.row(1), example, options);
    EXPECT_TRUE(found.exact);
    const auto list = nonzero(found.fragments, true, 0);
    ASSERT_EQ(list.size(), expected.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double value = contributions.at(model.oracle.text(list[k].fragment));
      EXPECT_NEAR(list[k].contribution, value, 1e-12 * expected[0]);
      EXPECT_NEAR(std::abs(list[k].contribution), expected[k], 1e-12 * expected[0]);
    }
  }
}

TEST_P(TopFragmentsOfRandomModels, ContributionsAddUpToTheScore) {
  for (std::uint32_t seed = 1; seed <= models; ++seed) {
    const RandomModel model(kernel, seed);
    const std::uint32_t first = 0;
    const Dataset example = model.data.select({&first, 1});
    const Matrix<double> values = model.functions(example);
    const double score = model.scores(1, 0) * values(0, 0) + model.scores(1, 1) * values(0, 1);
    double sum = 0, sizes = 0;
    const TopFragments all =
        top_contributions(model.functions, model.scores.row(1), example, {.top = 1'000'000});
    for (const WeightedFragment& fragment : all.fragments) {
      sum += fragment.contribution;
      sizes += std::abs(fragment.contribution);
    }
    EXPECT_NEAR(sum, score, 1e-9 * std::max(1.0, sizes)) << "seed " << seed;
  }
}

std::string number_of_kernel(
    const testing::TestParamInfo<TopFragmentsOfRandomModels::ParamType>& of) {
  return "kernel_" + std::to_string(of.index);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TopFragmentsOfRandomModels,
                         testing::Combine(testing::ValuesIn(exact_kernels), testing::Values(40)),
                         number_of_kernel);
INSTANTIATE_TEST_SUITE_P(SlowKernels, TopFragmentsOfRandomModels,
                         testing::Combine(testing::ValuesIn(exact_kernels), testing::Values(500)),
                         number_of_kernel);

}  // namespace
}  // namespace espalier
