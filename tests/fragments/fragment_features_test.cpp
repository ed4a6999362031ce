// Features against the enumeration of all fragments: support/fragment_oracle.hpp.
#include "espalier/fragments/fragment_features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/fragment_oracle.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

const std::vector<std::string> enumerated_kernels = {
    "sst()",
    "sst(lambda=0.7, leaves=true)",
    "norm(sst(lambda=0.2))",
    "st(decay=0.9, weight=size, leaves=true, unordered=true)",
    "st(weight=productions, labels=false, kappa=binary)",
    "norm(st(weight=uniform, kappa=poly, power=3))",
    "subpath()",
    "norm(subpath(lambda=0.9))",
    "pt()",
    "pt(lambda=1, mu=1, max_length=2)",
    "norm(pt(lambda=0.6, mu=1, gap=span))",
    "select(sst(leaves=true), labels=[a, c])",
    "norm(select(pt(lambda=0.9, mu=0.8), labels=[a, b, d]))",
    "select(subpath(lambda=0.9), labels=[a, b])",
};

Matrix<double> identity(std::size_t size) {
  Matrix<double> out(size, size);
  std::fill_n(out.data(), size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) out(i, i) = 1;
  return out;
}

/// A column for each fragment of these examples: every one has a positive weight in the function of
/// an example that has it.
FragmentFeatures all_fragments(const Kernel& kernel, const Dataset& data) {
  KernelFunctions functions(kernel);
  functions.add(data, identity(data.size()));
  return {functions, identity(data.size()), {.top = 1'000'000}};
}

double product(const SparseMatrix::Row& a, const SparseMatrix::Row& b) {
  double out = 0;
  for (std::size_t i = 0, j = 0; i < a.columns.size() && j < b.columns.size();) {
    if (a.columns[i] == b.columns[j])
      out += a.values[i++] * b.values[j++];
    else if (a.columns[i] < b.columns[j])
      ++i;
    else
      ++j;
  }
  return out;
}

void expect_products(const SparseMatrix& rows, const Matrix<double>& gram) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.rows(); ++j) {
      EXPECT_NEAR(product(rows.row(i), rows.row(j)), gram(i, j),
                  1e-12 * std::max(1.0, std::abs(gram(i, j))))
          << i << " " << j;
    }
  }
}

void expect_equal(const SparseMatrix& a, const SparseMatrix& b) {
  EXPECT_EQ(a.columns(), b.columns());
  EXPECT_TRUE(std::ranges::equal(a.begins(), b.begins()));
  EXPECT_TRUE(std::ranges::equal(a.all_columns(), b.all_columns()));
  EXPECT_TRUE(std::ranges::equal(a.all_values(), b.all_values()));
}

class FragmentFeaturesOfRandomTrees : public testing::TestWithParam<std::string> {};

TEST_P(FragmentFeaturesOfRandomTrees, AreTheCountsOfTheEnumeration) {
  const Kernel kernel(GetParam());
  const test::FragmentOracle oracle(kernel);
  for (std::uint32_t seed = 1; seed <= 25; ++seed) {
    test::Random random(seed);
    const auto known = test::random_trees(random, 6, 9);
    const auto others = test::random_trees(random, 6, 9);
    const FragmentFeatures features = all_fragments(kernel, test::dataset_of(known));
    std::map<std::string, std::size_t> columns;
    for (std::size_t c = 0; c < features.columns(); ++c) {
      EXPECT_TRUE(columns.emplace(oracle.text(features.chosen()[c].fragment), c).second);
    }
    for (const auto& trees : {known, others}) {
      const SparseMatrix rows = features.transform(test::dataset_of(trees));
      for (std::size_t i = 0; i < trees.size(); ++i) {
        std::map<std::string, double> expected;
        for (const auto& [text, entry] : oracle(trees[i])) {
          if (columns.contains(text)) expected[text] = entry.value;
          EXPECT_TRUE(columns.contains(text) || &trees != &known);
        }
        const auto row = rows.row(i);
        EXPECT_EQ(row.columns.size(), expected.size()) << seed;
        for (std::size_t k = 0; k < row.columns.size(); ++k) {
          const std::string text = oracle.text(features.chosen()[row.columns[k]].fragment);
          ASSERT_TRUE(expected.contains(text)) << text;
          EXPECT_NEAR(row.values[k], expected[text], 1e-12 * std::max(1.0, expected[text]));
        }
      }
    }
  }
}

TEST_P(FragmentFeaturesOfRandomTrees, OfAllFragmentsHaveTheKernelAsProduct) {
  const Kernel kernel(GetParam());
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed);
    const Dataset data = test::dataset_of(test::random_trees(random, 8, 10));
    expect_products(all_fragments(kernel, data).transform(data), gram(kernel, data));
  }
}

TEST_P(FragmentFeaturesOfRandomTrees, GiveTheScoresOfTheSameHyperplane) {
  const Kernel kernel(GetParam());
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed);
    const Dataset data = test::dataset_of(test::random_trees(random, 8, 9));
    const Dataset others = test::dataset_of(test::random_trees(random, 8, 9));
    KernelFunctions functions(kernel);
    Matrix<double> coefficients(1, data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      coefficients(0, i) = static_cast<double>(random.below(997)) - 500;
    }
    functions.add(data, coefficients);
    const FragmentOptions all{.top = 1'000'000};
    const FragmentFeatures features(functions, identity(1), all);
    std::map<std::string, double> weights;
    const auto lists = top_fragments(functions, identity(1), all);
    for (const WeightedFragment& each : lists[0].fragments) {
      weights[to_string(each.fragment)] = each.weights[0];
    }
    ASSERT_EQ(weights.size(), features.columns());
    const SparseMatrix rows = features.transform(others);
    const Matrix<double> scores = functions(others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      double score = 0;
      const auto row = rows.row(i);
      for (std::size_t k = 0; k < row.columns.size(); ++k) {
        score += row.values[k] * weights.at(features.name(row.columns[k]));
      }
      EXPECT_NEAR(score, scores(i, 0), 1e-12 * 500 * std::max(1.0, std::abs(scores(i, 0))));
    }
  }
}

/// Each is a column of its own unless columns collide, which no fragment does here.
TEST_P(FragmentFeaturesOfRandomTrees, HashedAreTheCountsOfTheEnumeration) {
  const Kernel kernel(GetParam());
  const bool norm = GetParam().starts_with("norm");
  const std::string inner = norm ? GetParam().substr(5, GetParam().size() - 6) : GetParam();
  const test::FragmentOracle oracle{Kernel(inner)};
  for (const std::size_t max_size : {1, 2, 4}) {
    const FragmentFeatures features(kernel, {.max_size = max_size, .hash_dim = 1 << 24});
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      test::Random random(seed);
      const auto trees = test::random_trees(random, 6, 9);
      const SparseMatrix rows = features.transform(test::dataset_of(trees));
      for (std::size_t i = 0; i < trees.size(); ++i) {
        std::vector<double> expected, found;
        for (const auto& [text, entry] : oracle(trees[i])) {
          if (entry.size <= max_size) expected.push_back(entry.value);
        }
        double square = 0;
        for (const double value : expected) square += value * value;
        for (double& value : expected) value /= norm ? std::sqrt(square) : 1;
        for (const double value : rows.row(i).values) found.push_back(std::abs(value));
        std::ranges::sort(expected);
        std::ranges::sort(found);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
          EXPECT_NEAR(found[k], expected[k], 1e-12 * std::max(1.0, expected[k]));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, FragmentFeaturesOfRandomTrees,
                         testing::ValuesIn(enumerated_kernels));

Dataset random_examples(std::uint32_t seed) {
  test::Random random(seed);
  Dataset data;
  for (int i = 0; i < 8; ++i) {
    test::ExampleOf a, b, whole;
    a.tree("t", test::to_tree(test::random_shape(random, 7, 3)));
    b.tree("t", test::to_tree(test::random_shape(random, 7, 3)));
    whole.tree("u", test::to_tree(test::random_shape(random, 8, 3)));
    whole.tree("v", test::to_tree(test::random_shape(random, 8, 3)));
    data.add(whole.pair(a, b));
  }
  return data;
}

const std::vector<std::string> combined_kernels = {
    "route(u, lambda=0.5)",
    "norm(route(v, lambda=0.9))",
    "pair(sst())",
    "norm(pair(norm(sst())) + 0.3*pair(pt()))",
    "2*norm(sst(u)) + 0.5*subpath(v) + norm(0.1*st(u) + pt(v))",
    "each(norm(sst()))",
    "all(pt())",
    "norm(all(subpath()))",
};

TEST(FragmentFeatures, OfCombinedKernelsHaveTheKernelAsProduct) {
  for (const std::string& kernel : combined_kernels) {
    SCOPED_TRACE(kernel);
    const Dataset data = random_examples(3);
    expect_products(all_fragments(Kernel(kernel), data).transform(data),
                    gram(Kernel(kernel), data));
  }
}

TEST(FragmentFeatures, OfFewFragmentsAreSomeOfTheColumns) {
  const Dataset data = random_examples(4);
  const Kernel kernel("norm(sst(u)) + pt(v)");
  KernelFunctions functions(kernel);
  functions.add(data, identity(data.size()));
  const FragmentFeatures all = all_fragments(kernel, data);
  const FragmentFeatures some(functions, identity(data.size()), {.top = 3}, {}, {0, 5});
  EXPECT_LE(some.columns(), 6U);
  EXPECT_GE(some.columns(), 3U);
  const SparseMatrix few = some.transform(data), many = all.transform(data);
  std::size_t values = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::map<std::string, double> by_name;
    const auto full = many.row(i), row = few.row(i);
    for (std::size_t k = 0; k < full.columns.size(); ++k) {
      by_name[all.name(full.columns[k])] = full.values[k];
    }
    for (std::size_t k = 0; k < row.columns.size(); ++k, ++values) {
      EXPECT_EQ(row.values[k], by_name.at(some.name(row.columns[k])));
    }
  }
  EXPECT_GT(values, some.columns());
}

TEST(FragmentFeatures, HaveTheSameBitsInAnyOrderWithAnyMemoryAndThreads) {
  for (const std::string kernel :
       {"norm(sst(u))", "pt(u, lambda=0.7)", "subpath(v, lambda=0.9) + norm(st(u))"}) {
    SCOPED_TRACE(kernel);
    const Dataset data = random_examples(5);
    const FragmentFeatures mined = all_fragments(Kernel(kernel), data);
    const FragmentFeatures hashed(Kernel(kernel), {.max_size = 3, .hash_dim = 64});
    for (const FragmentFeatures& features : {mined, hashed}) {
      const SparseMatrix rows = features.transform(data, {.threads = 1});
      expect_equal(rows, features.transform(data, {.threads = 3}));
      expect_equal(rows, features.transform(data, {.threads = 2, .memory = 1}));
      for (std::uint32_t i = 0; i < data.size(); ++i) {
        Dataset alone;  // not a view: with a forest of its own
        alone.add(data.example(data.size() - 1));
        alone.add(data.example(i));
        const SparseMatrix one = features.transform(alone);
        EXPECT_TRUE(std::ranges::equal(one.row(1).columns, rows.row(i).columns));
        EXPECT_TRUE(std::ranges::equal(one.row(1).values, rows.row(i).values));
      }
    }
  }
}

TEST(FragmentFeatures, BinaryOnesAreTheSameColumnsInRowsOfLengthOne) {
  const Kernel kernel("norm(sst(u)) + pt(v)");
  const Dataset data = random_examples(5);
  const FragmentFeatures features = all_fragments(kernel, data);
  const FragmentFeatures again = FragmentFeatures::load(features.binary().save(), kernel);
  const SparseMatrix rows = features.transform(data);
  for (const FragmentFeatures& binary : {features.binary(), again}) {
    const SparseMatrix found = binary.transform(data);
    for (std::size_t i = 0; i < data.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(found.row(i).columns, rows.row(i).columns));
      for (const double value : found.row(i).values) {
        EXPECT_DOUBLE_EQ(value, 1 / std::sqrt(static_cast<double>(rows.row(i).values.size())));
      }
    }
  }
}

/// Columns are part of model files and of vectors on disk: they must never change.
TEST(HashedFragments, HaveTheColumnsTheyAlwaysHad) {
  const Dataset data = test::dataset_of({"(S(NP(D(the))(N(dog)))(V(barks)))"});
  std::map<std::string, std::string> found;
  for (const std::string kernel : {"sst(lambda=1)", "pt(lambda=1, mu=1)", "subpath(lambda=1)",
                                   "route(lambda=1)", "st(decay=1)"}) {
    const FragmentFeatures features(Kernel(kernel), {.max_size = 2, .hash_dim = 1 << 20});
    const SparseMatrix rows = features.transform(data);
    for (std::size_t k = 0; k < rows.value_count(); ++k) {
      found[kernel] +=
          (rows.all_values()[k] < 0 ? " -" : " ") + std::to_string(rows.all_columns()[k]);
    }
  }
  const std::map<std::string, std::string> expected = {
      {"sst(lambda=1)", " 77447 -184323 192221 -318178 -375471 485508 493062 502491 755787"},
      {"pt(lambda=1, mu=1)",
       " -119460 182891 203025 203852 236845 390838 -392920 -546380 -556742 587320 637712 -750676 "
       "862363 936271 -990990"},
      {"subpath(lambda=1)",
       " -119460 182891 203025 203852 236845 390838 -392920 -546380 -556742 587320 637712 -750676 "
       "862363 936271 -990990"},
      {"route(lambda=1)",
       " 203025 236845 311717 353988 390838 -392920 420324 422032 -546380 636944 637712 862363 "
       "-913821 -927627 936271"},
      {"st(decay=1)", " -258084 946159 996079"},
  };
  EXPECT_EQ(found, expected);
}

TEST(HashedFragments, OfTermsAndSizesAreDistinguished) {
  const Dataset data = test::dataset_of({"(S(A(x))(B(y)))"});
  const auto values = [&](const std::string& kernel, std::size_t size) {
    return FragmentFeatures(Kernel(kernel), {.max_size = size, .hash_dim = 1 << 24})
        .transform(data)
        .value_count();
  };
  EXPECT_EQ(values("sst()", 1), 3U);
  EXPECT_EQ(values("sst()", 2), 5U);
  EXPECT_EQ(values("sst()", 3), 6U);
  EXPECT_EQ(values("sst() + sst(lambda=0.9)", 3), 12U);
}

TEST(FragmentFeatures, ContributionsAddUpToTheProducts) {
  for (const std::string kernel : {"norm(sst(u)) + 0.4*pair(pt())", "st(u, kappa=binary)",
                                   "norm(all(subpath()))", "st(u, unordered=true, leaves=true)"}) {
    SCOPED_TRACE(kernel);
    const Dataset data = random_examples(6);
    const FragmentFeatures mined = all_fragments(Kernel(kernel), data);
    for (const FragmentFeatures& features :
         {mined, mined.binary(),
          FragmentFeatures(Kernel(kernel), {.max_size = 3, .hash_dim = 256})}) {
      std::vector<float> weights(2 * features.columns());
      test::Random random(1);
      for (float& weight : weights) weight = static_cast<float>(random.below(100)) - 50;
      const SparseMatrix rows = features.transform(data);
      const auto parts = features.contributions(data, weights);
      for (std::size_t i = 0; i < data.size(); ++i) {
        for (std::size_t o = 0; o < 2; ++o) {
          double expected = 0, sum = 0;
          const auto row = rows.row(i);
          for (std::size_t k = 0; k < row.columns.size(); ++k) {
            expected += row.values[k] * weights[2 * row.columns[k] + o];
          }
          for (const TreeContributions& tree : parts[i].trees) {
            for (std::size_t k = 0; k < tree.vertices.size(); ++k) {
              sum += tree.counts[k] * tree.values(k, o);
            }
          }
          EXPECT_NEAR(sum, expected, 1e-9 * std::max(1.0, std::abs(expected)));
        }
      }
    }
  }
}

TEST(FragmentFeatures, AreSavedAndLoaded) {
  const Dataset data = random_examples(7);
  for (const std::string kernel : {"norm(route(u)) + 0.5*pair(sst())", "each(norm(pt()))"}) {
    const FragmentFeatures features = all_fragments(Kernel(kernel), data);
    const FragmentFeatures loaded = FragmentFeatures::load(features.save(), Kernel(kernel));
    expect_equal(features.transform(data), loaded.transform(data));
    EXPECT_EQ(features.terms(), loaded.terms());
    ASSERT_EQ(features.columns(), loaded.columns());
    for (std::size_t c = 0; c < features.columns(); ++c) {
      EXPECT_EQ(features.name(c), loaded.name(c));
      EXPECT_EQ(features.chosen()[c].fragment.size, loaded.chosen()[c].fragment.size);
    }
    const std::string bytes = features.save();
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
      EXPECT_THROW(FragmentFeatures::load(bytes.substr(0, size), Kernel(kernel)), Error);
    }
  }
  const FragmentFeatures hashed(Kernel("norm(sst(u))"), {.max_size = 2, .hash_dim = 128});
  const FragmentFeatures loaded = FragmentFeatures::load(hashed.save(), Kernel("norm(sst(u))"));
  EXPECT_TRUE(loaded.hashed());
  expect_equal(hashed.transform(data), loaded.transform(data));
}

TEST(FragmentFeatures, RefuseKernelsWithoutFragments) {
  const Dataset data = random_examples(1);
  const auto message = [&](const std::string& kernel) {
    return test::failure_of([&] { FragmentFeatures(Kernel(kernel), HashedFragmentOptions{}); })
        .message;
  };
  EXPECT_EQ(message("sst(u) + dtk(u, dim=64)"),
            "the kernel has a part without fragments, so they cannot be its features: "
            "dtk(u, dim=64): its vectors do not say which fragments they are made of");
  EXPECT_NE(message("cross(sst())").find("use pair(..)"), std::string::npos);
  EXPECT_NE(message("pt(u)*pt(v)").find("not a sum over fragments"), std::string::npos);
  EXPECT_EQ(message("each(sst())"), "the kernel has no fragments that could be features");
  const auto hashed = [&](std::size_t size, std::size_t dim) {
    return test::failure_of([&] { FragmentFeatures(Kernel("sst()"), {size, dim}); }).message;
  };
  EXPECT_EQ(hashed(3, 1000), "hash_dim = 1000 is not a power of two up to 2^24, such as 262144");
  EXPECT_EQ(hashed(0, 1024), "max_size = 0 is outside [1, 64]");
}

TEST(FragmentFeatures, OfNoExamplesHaveNoRows) {
  const FragmentFeatures features(Kernel("norm(sst())"), {.max_size = 2, .hash_dim = 16});
  EXPECT_EQ(features.transform(Dataset()).rows(), 0U);
}

TEST(FragmentFeatures, DoNotRecurseInDeepTrees) {
  const std::vector<Tree> trees = {test::path_tree(100'000)};
  const Dataset data = test::dataset_of(trees);
  for (const char* kernel : {"sst(lambda=1)", "subpath(lambda=1)", "pt(lambda=1, mu=1)"}) {
    const FragmentFeatures features(Kernel(kernel), {.max_size = 4, .hash_dim = 1 << 10});
    EXPECT_GE(features.transform(data).value_count(), 3U) << kernel;
  }
}

TEST(FragmentFeatures, CanBeCancelled) {
  const FragmentFeatures features(Kernel("pt(u, lambda=1, mu=1)"),
                                  {.max_size = 8, .hash_dim = 1 << 10});
  Context context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(features.transform(random_examples(2), context), Cancelled);
}

}  // namespace
}  // namespace espalier
