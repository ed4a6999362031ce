// Each fast path of the engine computes what a slower one does.
#include "engine/fast_paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

/// Small trees of few labels, and some with wide nodes, so that every path is taken.
Dataset mixed_trees() {
  test::Random random(31);
  std::vector<test::MaybeTree> trees = test::random_trees(random, 60, 25);
  for (const std::size_t children : {2, 9, 30, 31, 60}) {
    for (const std::size_t labels : {1, 4}) {
      test::PlainTree wide{"a", {}};
      for (std::size_t k = 0; k < children; ++k) {
        wide.children.push_back(test::random_shape(random, 1 + random.below(4), labels));
      }
      trees.push_back(wide);
    }
  }
  return test::dataset_of(trees);
}

/// Gram matrices, and functions such as models have, of all kernels of pairs of subtrees.
std::vector<Matrix<double>> all_values(const Dataset& data) {
  std::vector<Matrix<double>> out;
  for (const char* const text : {"sst()", "pt()", "pt(terminal=0.3)", "pt(gap=span, max_length=3)",
                                 "subpath()", "route()", "norm(pt(lambda=0.9))"}) {
    const Kernel kernel(text);
    out.push_back(gram(kernel, data, test::working(1)));
    Matrix<double> coefficients(3, data.size());
    for (std::size_t k = 0; k < 3 * data.size(); ++k) {
      coefficients.data()[k] = static_cast<double>(k % 7) / 4;
    }
    KernelFunctions functions(kernel);
    functions.add(data, coefficients);
    out.push_back(functions(data, test::working(1)));
  }
  return out;
}

class FastPath : public testing::TestWithParam<FastPaths::Switch> {};

TEST_P(FastPath, ComputesWhatASlowerOneDoes) {
  const Dataset data = mixed_trees();
  const std::vector<Matrix<double>> fast = all_values(data);
  const FastPaths before = FastPaths::used();
  FastPaths::used().*GetParam().path = false;
  const std::vector<Matrix<double>> slow = all_values(data);
  FastPaths::used() = before;
  for (std::size_t k = 0; k < fast.size(); ++k) {
    EXPECT_TRUE(GetParam().same_bits ? test::identical(fast[k], slow[k])
                                     : test::agree(fast[k], slow[k]))
        << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, FastPath, testing::ValuesIn(FastPaths::switches),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace espalier
