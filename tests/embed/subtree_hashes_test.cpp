#include "espalier/embed/subtree_hashes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::dataset_of;
using test::fails_with;

std::map<std::uint64_t, double> row(const SubtreeHashes& all, std::size_t i) {
  std::map<std::uint64_t, double> out;
  for (auto at = all.begins[i]; at < all.begins[i + 1]; ++at) out[all.hashes[at]] += all.values[at];
  return out;
}

double product(const std::map<std::uint64_t, double>& a, const std::map<std::uint64_t, double>& b) {
  double sum = 0;
  for (const auto& [hash, value] : a) {
    if (const auto found = b.find(hash); found != b.end()) sum += value * found->second;
  }
  return sum;
}

const std::initializer_list<std::string_view> texts = {"(a(b(c))(b(c))(d))", "(a(d)(b(c)))",
                                                       "(b(c))", "(a(b(d))(b(c)))", "(x(y(z(w))))"};

TEST(SubtreeHashes, DotProductsAreTheKernel) {
  const Dataset data = dataset_of(texts);
  for (const char* expression :
       {"st()", "norm(st())", "norm(st(decay=0.3, leaves=true))", "st(weight=size, kappa=binary)",
        "norm(st(unordered=true, kappa=poly, power=1.5))", "norm(st(labels=false, leaves=true))"}) {
    const Kernel kernel(expression);
    const SubtreeHashes hashes = subtree_hashes(kernel, data);
    const Matrix<double> exact = gram(kernel, data);
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = 0; j < data.size(); ++j) {
        EXPECT_NEAR(product(row(hashes, i), row(hashes, j)), exact(i, j), 1e-12) << expression;
      }
    }
  }
}

TEST(SubtreeHashes, DoNotDependOnOtherExamples) {
  const Kernel kernel("norm(st())");
  const SubtreeHashes all = subtree_hashes(kernel, dataset_of(texts));
  std::size_t i = 0;
  for (const std::string_view text : texts) {
    EXPECT_EQ(row(all, i++), row(subtree_hashes(kernel, dataset_of({text})), 0)) << text;
  }
}

TEST(SubtreeHashes, AreTheSameOnEveryMachine) {
  const SubtreeHashes one = subtree_hashes(Kernel("st()"), dataset_of({"(b(c))"}));
  ASSERT_EQ(one.hashes.size(), 1U);
  EXPECT_EQ(one.hashes[0], 3179226037958918011U);
}

TEST(SubtreeHashes, OfAMissingTreeAreNone) {
  Dataset data = dataset_of({"(a(b))"});
  data.add({});
  const SubtreeHashes hashes = subtree_hashes(Kernel("norm(st())"), data);
  EXPECT_EQ(hashes.begins, (std::vector<std::uint64_t>{0, 1, 1}));
}

TEST(SubtreeHashes, RefuseOtherKernels) {
  const Dataset data = dataset_of({"(a(b))"});
  for (const char* expression : {"sst()", "st(kappa=min)", "st() + st()", "2*st()"}) {
    EXPECT_TRUE(fails_with("norm(st(..))", [&] { subtree_hashes(Kernel(expression), data); }))
        << expression;
  }
  EXPECT_TRUE(fails_with("learned from classes",
                         [&] { subtree_hashes(Kernel("st(weight=discriminance)"), data); }));
}

}  // namespace
}  // namespace espalier
