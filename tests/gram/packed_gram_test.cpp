// Half a Gram matrix in memory, against the whole.
#include "gram/packed_gram.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "espalier/gram/gram.hpp"
#include "gram/not_finite.hpp"
#include "support/examples.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

Dataset many_trees(std::size_t count, std::uint32_t seed) {
  test::Random random(seed);
  Dataset out;
  for (std::size_t i = 0; i < count; ++i) {
    test::ExampleOf example;
    example.tree("t", test::to_tree(test::random_shape(random, 1 + random.below(12), 3)));
    out.add(example);
  }
  return out;
}

std::vector<std::uint32_t> some_of(std::size_t count, test::Random& random) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (random.one_in(3)) out.push_back(i);
  }
  return out;
}

TEST(PackedGram, HasTheValuesOfTheWholeMatrix) {
  const FittedKernel kernel{Kernel("norm(sst(lambda=0.4))")};
  test::Random random(5);
  for (const std::size_t count : {1, 40, 512, 1300}) {  // less and more than a block
    const Dataset data = many_trees(count, 3);
    const Matrix<float> whole = gram<float>(kernel, data);
    for (const std::size_t threads : {1, 2}) {
      Context context;
      context.threads = threads;
      context.memory = 1 << 20;
      const PackedGram packed(kernel, data, context);
      EXPECT_GE(PackedGram::bytes(count), sizeof(float) * count * (count + 1) / 2);
      const auto examples = some_of(count, random), targets = some_of(count, random);
      Matrix<float> part;
      packed.select(examples, part, context);
      for (std::size_t a = 0; a < examples.size(); ++a) {
        for (std::size_t b = 0; b < examples.size(); ++b) {
          ASSERT_EQ(part(a, b), whole(examples[a], examples[b])) << a << " " << b;
        }
      }
      Matrix<double> coefficients(3, examples.size());
      for (std::size_t k = 0; k < 3 * examples.size(); ++k) {
        coefficients.data()[k] = static_cast<double>(random.below(100)) / 32 - 1;
      }
      const Matrix<double> sums = packed.sums(examples, coefficients, targets, context);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        for (std::size_t o = 0; o < 3; ++o) {
          double sum = 0;
          for (std::size_t k = 0; k < examples.size(); ++k) {
            sum += coefficients(o, k) * static_cast<double>(whole(examples[k], targets[i]));
          }
          ASSERT_NEAR(sums(i, o), sum, 1e-10);
        }
      }
    }
  }
}

TEST(PackedGram, NamesExamplesWhoseKernelIsNotFinite) {
  Dataset data = many_trees(3, 4);
  test::ExampleOf large;
  test::PlainTree tree{"a", {test::PlainTree{"b", {}}}};
  for (int level = 0; level < 9; ++level) tree = {"a", {tree, tree}};
  large.tree("t", test::to_tree(tree));
  data.add(large);
  try {
    PackedGram(FittedKernel{Kernel("sst(lambda=1)")}, data, {});
    FAIL();
  } catch (const KernelNotFinite& e) {
    EXPECT_EQ(e.a, 3U);
    EXPECT_EQ(e.b, 3U);
  }
}

}  // namespace
}  // namespace espalier
