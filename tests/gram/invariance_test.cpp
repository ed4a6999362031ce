// What must not change the values: threads, memory, the order of examples, other examples, and
// which function computes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "baseline/matched_pairs.hpp"
#include "baseline/tiles.hpp"
#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::agree;
using test::identical;

const std::vector<std::string> expressions = {
    "st(t)",
    "st(t, kappa=min, leaves=true, unordered=true)",
    "sst(t, lambda=0.7, leaves=true)",
    "pt(t)",
    "pt(t, terminal=0.3, gap=span, max_length=3)",
    "subpath(t)",
    "linear(v)",
    "rbf(d, gamma=0.1)",
    "norm(sst(t)) + 0.5*norm(pt(u, mu=0.6))*cosine(v) + 0.25",
    "norm(each(sst()))",
    "select(sst(t, lambda=0.7, leaves=true), labels=[a, c])",
    "norm(select(pt(t), labels=[a, b])) + all(select(subpath(), labels=b))",
    "all(pt())",
    "dtk(t, dim=50)",
    "norm(dtk(u, dim=16, compose=convolution)) + 0.5*dtk(t, dim=9)*all(dtk(dim=8, lambda=1))",
};

/// An example with two trees and two vectors; now and then one of them is lacking.
Example random_example(test::Random& random) {
  test::ExampleOf out;
  const auto add_tree = [&](const char* name) {
    out.tree(name, test::to_tree(test::random_shape(random, 1 + random.below(30), 3)));
  };
  if (!random.one_in(15)) add_tree("t");
  if (!random.one_in(15)) add_tree("u");
  const auto number = [&] { return static_cast<double>(random.below(200)) / 64 - 1; };
  if (!random.one_in(15)) out.vector("v", test::sparse({{"x", number()}, {"y", number()}}));
  if (!random.one_in(15)) out.vector("d", test::dense({number(), number(), number()}));
  return out;
}

std::vector<Example> random_examples(std::size_t count, std::uint32_t seed = 5) {
  test::Random random(seed);
  std::vector<Example> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(random_example(random));
  return out;
}

Dataset dataset_of(std::span<const Example> examples) {
  Dataset data;
  for (const Example& example : examples) data.add(example);
  return data;
}

class GramOf : public testing::TestWithParam<std::string> {
 protected:
  const Kernel kernel{GetParam()};
  const std::vector<Example> examples = random_examples(70);
  const Dataset data = dataset_of(examples);
  const Matrix<double> whole = gram(kernel, data, test::working(1));
};

TEST_P(GramOf, IsTheSameForAnyNumberOfThreads) {
  for (const std::size_t threads : {2, 3, 7}) {
    EXPECT_TRUE(identical(gram(kernel, data, test::working(threads)), whole)) << threads;
  }
}

TEST_P(GramOf, IsTheSameForAnyMemory) {
  for (const std::size_t memory : {1UL, 3'000UL, 50'000UL, 1'000'000UL, 1UL << 40}) {
    EXPECT_TRUE(identical(gram(kernel, data, test::working(2, memory)), whole)) << memory;
  }
}

TEST_P(GramOf, IsAGramMatrix) { EXPECT_TRUE(test::is_gram(whole)); }

TEST_P(GramOf, FollowsTheOrderOfExamples) {
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(1));
  std::vector<Example> others;
  for (const std::size_t i : order) others.push_back(examples[i]);
  const Matrix<double> found = gram(kernel, dataset_of(others));
  Matrix<double> expected(whole.rows(), whole.columns());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) expected(i, j) = whole(order[i], order[j]);
  }
  EXPECT_TRUE(agree(found, expected));
}

TEST_P(GramOf, TakesAnExampleSeveralTimes) {
  const std::vector<std::uint32_t> twice = {5, 0, 5, 60, 5, 31, 60};
  const Dataset view = data.view(twice);
  const Matrix<double> found = gram(kernel, view);
  Matrix<double> expected(twice.size(), twice.size());
  for (std::size_t i = 0; i < twice.size(); ++i) {
    for (std::size_t j = 0; j < twice.size(); ++j) expected(i, j) = whole(twice[i], twice[j]);
  }
  EXPECT_TRUE(agree(found, expected));
  EXPECT_TRUE(identical(gram(kernel, view, test::working(3, 3'000)), found));
}

TEST_P(GramOf, HasRectangularParts) {
  const std::size_t cut = 23;
  const Dataset first = dataset_of(std::span(examples).first(cut));
  const Dataset rest = dataset_of(std::span(examples).subspan(cut));
  const Matrix<double> found = gram(kernel, rest, first);
  Matrix<double> expected(examples.size() - cut, cut);
  for (std::size_t i = 0; i < expected.rows(); ++i) {
    for (std::size_t j = 0; j < cut; ++j) expected(i, j) = whole(cut + i, j);
  }
  EXPECT_TRUE(agree(found, expected));
  EXPECT_TRUE(agree(test::transposed(gram(kernel, first, rest)), expected));
  EXPECT_TRUE(identical(gram(kernel, rest, first, test::working(3, 5'000)), found));
}

TEST_P(GramOf, IsThatOfViews) {
  const std::vector<std::uint32_t> rows = {5, 3, 40, 3}, columns = {69, 5, 0};
  const Dataset first = data.view(rows), second = data.view(columns);
  Matrix<double> between(rows.size(), columns.size()), within(rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) between(i, j) = whole(rows[i], columns[j]);
    for (std::size_t j = 0; j < rows.size(); ++j) within(i, j) = whole(rows[i], rows[j]);
  }
  EXPECT_TRUE(agree(gram(kernel, first, second), between));
  EXPECT_TRUE(agree(gram(kernel, first), within));
  EXPECT_TRUE(agree(gram(kernel, first, data.select(columns)), between));
}

TEST_P(GramOf, IsTheSameForADatasetAndItself) {
  EXPECT_TRUE(agree(gram(kernel, data, data), whole));
  EXPECT_TRUE(agree(gram(kernel, data, dataset_of(examples)), whole));
}

TEST_P(GramOf, HasADiagonal) {
  const std::vector<double> found = diagonal(kernel, data);
  ASSERT_EQ(found.size(), examples.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(test::is_near(found[i], whole(i, i), 1e-12)) << found[i] << " " << whole(i, i);
  }
}

TEST_P(GramOf, HasRows) {
  for (const std::size_t i : {0UL, 31UL, examples.size() - 1}) {
    const std::vector<double> found = gram_row(kernel, data, i);
    const auto row = whole.row(i);
    EXPECT_TRUE(agree({found}, {{row.begin(), row.end()}})) << i;
  }
}

TEST_P(GramOf, IsAlignedWithAnotherDataset) {
  const std::vector<Example> others(examples.rbegin(), examples.rend());
  const std::vector<double> found = aligned(kernel, data, dataset_of(others));
  ASSERT_EQ(found.size(), examples.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(test::is_near(found[i], whole(i, examples.size() - 1 - i), 1e-12)) << i;
  }
}

TEST_P(GramOf, IsRoundedToFloat) {
  const Matrix<float> found = gram<float>(kernel, data);
  Matrix<float> expected(whole.rows(), whole.columns());
  for (std::size_t i = 0; i < whole.rows(); ++i) {
    for (std::size_t j = 0; j < whole.columns(); ++j) {
      expected(i, j) = static_cast<float>(whole(i, j));
    }
  }
  EXPECT_TRUE(identical(found, expected));
}

std::string place_name(const testing::TestParamInfo<std::string>& row) {
  return "Kernel" + std::to_string(row.index);
}

/// Each vertex meets many in each column, more than there are columns.
TEST(GramOfOneTree, TakesItSeveralTimes) {
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  for (int depth = 0; depth < 200; ++depth) {
    builder.open("a");
    builder.leaf("b");
  }
  for (int depth = 0; depth < 200; ++depth) builder.close();
  Dataset data;
  data.add(test::ExampleOf().tree("t", tree));
  const std::vector<std::uint32_t> thrice = {0, 0, 0};
  const Dataset view = data.view(thrice);
  for (const char* const text : {"pt(t, lambda=0.3)", "sst(t, lambda=0.3)", "subpath(t)"}) {
    const Kernel kernel(text);
    const Matrix<double> found = gram(kernel, view);
    for (std::size_t k = 0; k < 9; ++k) {
      EXPECT_NEAR(found.data()[k] / diagonal(kernel, data)[0], 1, 1e-12) << text;
    }
  }
}

/// r(b(a(w0) a(w1) ..) b(..) ..), all words different but for the first `shared` of each b.
std::string wide_tree(std::size_t bs, std::size_t as, std::size_t shared, std::size_t number) {
  std::string text = "(r";
  for (std::size_t b = 0; b < bs; ++b) {
    text += "(b";
    for (std::size_t a = 0; a < as; ++a) {
      text += "(a(w" + std::to_string(a);
      if (a >= shared) text += "_" + std::to_string(b) + "_" + std::to_string(number);
      text += "))";
    }
    text += ")";
  }
  return text + ")";
}

TEST(GramOfManyEqualLabels, IsTheSameAllAtOnceAndOneByOne) {
  // More than 65,535 subtrees with one label in a block of columns.
  Dataset rows, columns;
  for (std::size_t i = 0; i < 3; ++i) rows.add(test::ExampleOf().tree("t", wide_tree(2, 3, 2, i)));
  for (std::size_t j = 0; j < 8; ++j) {
    columns.add(test::ExampleOf().tree("t", wide_tree(90, 100, 2, j)));
  }
  for (const char* const text : {"pt(t)", "pt(t, max_length=2)", "subpath(t)", "sst(t)"}) {
    const Kernel kernel(text);
    const Matrix<double> all = gram(kernel, rows, columns);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::vector<std::uint32_t> only = {static_cast<std::uint32_t>(j)};
      const Matrix<double> one = gram(kernel, rows, columns.view(only));
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(all(i, j), one(i, 0)) << text;
    }
  }
}

/// Most have the production s(a(n v e)); in some of these n has another a(n v e) below, which may
/// also stand for the whole, and some are equal.
std::string question(test::Random& random) {
  const auto one_of = [&](std::initializer_list<const char*> texts) {
    return std::string(texts.begin()[random.below(texts.size())]);
  };
  const auto clause = [&](const std::string& below) {
    const std::string v = one_of({"(v(go))", "(v(see)(n(it)))", "(v(see)(n(q(it))))"});
    return "(a" + below + v + one_of({"(e(?))", "(e(?))", "(e(!))"}) + ")";
  };
  const std::string n = one_of({"(n(who))", "(n(q(who)))", "(n(q(p(who))))", "(n(q(p(what))))"});
  std::string text = clause(n);
  if (random.one_in(5)) text = clause("(n" + text + ")");
  if (random.one_in(8)) text = "(a" + text + ")";
  return random.one_in(6) ? "(o" + text + ")" : "(s" + text + ")";
}

TEST(GramOfTreesWithEqualRoots, IsTheSameAllAtOnceAndOneByOne) {
  test::Random random(8);
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < 300; ++i) trees.push_back(test::tree(question(random)));
  const Dataset data = test::dataset_of(trees);
  const baseline::FlatTrees flat(trees);
  for (const char* const text : {"sst(t)", "sst(t, leaves=true)", "sst(t, lambda=0.9)"}) {
    const Kernel kernel(text);
    const Matrix<double> all = gram(kernel, data, test::working(1));
    const auto& options = std::get<TreeKernelNode>(kernel.root().what).options;
    baseline::MatchedSubsetTrees tree_by_tree(flat, std::get<SubsetTreeOptions>(options));
    Matrix<double> expected(trees.size(), trees.size());
    baseline::tiled_gram(tree_by_tree, expected, 1, 64);
    ASSERT_TRUE(test::agree(all, expected)) << text;
    EXPECT_TRUE(identical(gram(kernel, data, test::working(1, 100'000)), all)) << text;
    for (std::uint32_t j = 0; j < data.size(); ++j) {
      const std::vector<std::uint32_t> only = {j};
      const Matrix<double> one = gram(kernel, data, data.view(only));
      // Above the diagonal sums have the order of the transposed ones.
      for (std::size_t i = j; i < data.size(); ++i) ASSERT_EQ(all(i, j), one(i, 0)) << text;
    }
  }
}

/// The kernel of each example, alone in its data set, as a row with each example, alone too, as a
/// column.
Matrix<double> one_by_one(const Kernel& kernel, std::span<const Tree> trees) {
  Matrix<double> out(trees.size(), trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Dataset row = test::dataset_of(trees.subspan(i, 1));
    for (std::size_t j = 0; j < trees.size(); ++j) {
      out(i, j) = gram(kernel, row, test::dataset_of(trees.subspan(j, 1)))(0, 0);
    }
  }
  return out;
}

/// Some of the numbers below `count`, in random order.
std::vector<std::uint32_t> random_subset(test::Random& random, std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  std::ranges::shuffle(all, std::mt19937(static_cast<unsigned>(random.below(1000))));
  all.resize(1 + random.below(count));
  return all;
}

/// Some examples in this order: a data set of their own, with a forest of their own.
Dataset data_of(std::span<const Tree> trees, std::span<const std::uint32_t> numbers) {
  std::vector<Tree> chosen;
  for (const std::uint32_t i : numbers) chosen.push_back(trees[i]);
  return test::dataset_of(chosen);
}

class KernelValue : public testing::TestWithParam<std::string> {};

TEST_P(KernelValue, HasTheSameBitsWhateverOtherExamplesThereAre) {
  test::Random random(11);
  std::vector<Tree> trees;
  for (int i = 0; i < 30; ++i) trees.push_back(test::tree(question(random)));
  for (int i = 0; i < 30; ++i) trees.push_back(test::to_tree(test::random_shape(random, 40, 3)));
  const auto count = static_cast<std::uint32_t>(trees.size());
  const Dataset all = test::dataset_of(trees);
  const Kernel kernel(GetParam());
  const Matrix<double> alone = one_by_one(kernel, trees);
  for (int round = 0; round < 6; ++round) {
    const auto rows = random_subset(random, count), columns = random_subset(random, count);
    const Matrix<double> square = gram(kernel, data_of(trees, rows));
    const Matrix<double> view = gram(kernel, all.view(rows));
    const Matrix<double> both = gram(kernel, data_of(trees, rows), data_of(trees, columns));
    const Matrix<double> views = gram(kernel, all.view(rows), all.view(columns));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(square(i, i), gram(kernel, data_of(trees, {&rows[i], 1}))(0, 0)) << rows[i];
      // A symmetric matrix is computed below its diagonal: the later example is the row.
      for (std::size_t j = 0; j < i; ++j) {
        ASSERT_EQ(square(i, j), alone(rows[i], rows[j])) << rows[i] << " " << rows[j];
        ASSERT_EQ(square(j, i), square(i, j));
        ASSERT_EQ(view(i, j), square(i, j));
      }
      for (std::size_t j = 0; j < columns.size(); ++j) {
        ASSERT_EQ(both(i, j), alone(rows[i], columns[j])) << rows[i] << " " << columns[j];
        ASSERT_EQ(views(i, j), both(i, j));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelValue,
                         testing::Values("sst(lambda=0.1)", "sst(lambda=0.4)",
                                         "sst(lambda=0.7, leaves=true)", "norm(sst(lambda=0.3))",
                                         "norm(sst(lambda=0.9))", "pt()", "norm(pt(lambda=0.3))",
                                         "pt(terminal=0.3, gap=span, max_length=3)", "subpath()"),
                         place_name);

INSTANTIATE_TEST_SUITE_P(Kernels, GramOf, testing::ValuesIn(expressions), place_name);

/// Many examples: more than one block whatever the memory.
TEST(GramOfManyExamples, IsTheSameForAnyNumberOfThreadsAndMemory) {
  test::Random random(3);
  const auto trees = test::random_trees(random, 700, 6);
  const Dataset data = test::dataset_of(trees);
  for (const char* text :
       {"norm(sst())", "pt(terminal=2)", "st(leaves=true)", "norm(dtk(dim=100))"}) {
    const Kernel kernel(text);
    const Matrix<double> whole = gram(kernel, data, test::working(1));
    EXPECT_TRUE(identical(gram(kernel, data, test::working(3)), whole)) << text;
    EXPECT_TRUE(identical(gram(kernel, data, test::working(2, 100'000)), whole)) << text;
    EXPECT_TRUE(identical(whole, test::transposed(whole))) << text;
  }
}

class Sweep : public testing::TestWithParam<std::string> {};

TEST_P(Sweep, GivesTheSameBitsAsOneByOne) {
  const std::vector<FittedKernel> kernels = sweep(GetParam());
  const Dataset data = dataset_of(random_examples(40));
  const Dataset others = dataset_of(random_examples(17, 9));
  const std::vector<Matrix<double>> found = gram(kernels, data, test::working(2));
  const std::vector<Matrix<double>> rectangular = gram(kernels, data, others);
  ASSERT_EQ(found.size(), kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_TRUE(identical(found[k], gram(kernels[k], data))) << kernels[k].to_string();
    EXPECT_TRUE(identical(rectangular[k], gram(kernels[k], data, others)))
        << kernels[k].to_string();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Lists, Sweep,
    testing::Values("sst(t)", "sst(t, lambda={0.1,0.4,0.7})", "sst(t, lambda={1,0.9}, leaves=true)",
                    "norm(sst(t, lambda={0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1}))",
                    "st(t, decay={0.2,0.5,1}, kappa=min)", "subpath(t, lambda={0.2,0.3,0.5,0.8,1})",
                    "pt(t, lambda={0.2,0.4}, mu={0.3,0.6})", "pt(t, terminal={1,2,0.5})",
                    "pt(t, max_length={0,1,2})", "pt(t, terminal={0,1}, gap=span)",
                    "norm(dtk(t, dim={8,9}, lambda={0.2,0.4}))", "rbf(d, gamma={0.1,1,10})",
                    "poly(v, degree={1,2,3})",
                    "{0.5,2}*norm(sst(t, lambda={0.3,0.6})) + pt(u, mu={0.2,1})"),
    [](const auto& row) { return "List" + std::to_string(row.index); });

TEST(SweepOfDifferentKernels, GivesTheSameBitsAsOneByOne) {
  const Dataset data = dataset_of(random_examples(20));
  std::vector<FittedKernel> kernels;
  for (const std::string& text : expressions) kernels.emplace_back(Kernel(text));
  const std::vector<Matrix<double>> found = gram(kernels, data);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_TRUE(identical(found[k], gram(kernels[k], data))) << expressions[k];
  }
}

TEST(GramInto, WritesToMemoryOfTheCaller) {
  const Dataset data = dataset_of(random_examples(12));
  const std::vector<FittedKernel> kernels = sweep("norm(pt(t, mu={0.2,0.4}))");
  std::vector<float> first(12 * 12), second(12 * 12);
  float* const outputs[] = {first.data(), second.data()};
  gram_into<float>(kernels, data, nullptr, outputs);
  const std::vector<Matrix<float>> expected = gram<float>(kernels, data);
  EXPECT_TRUE(std::ranges::equal(first, std::span(expected[0].data(), first.size())));
  EXPECT_TRUE(std::ranges::equal(second, std::span(expected[1].data(), second.size())));
}

TEST(GramProgress, RisesToTheEnd) {
  const Dataset data = dataset_of(random_examples(50));
  double last = 0;
  std::size_t calls = 0;
  Context context = test::working(2);
  context.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
    ++calls;
  };
  gram(sweep("norm(sst(t, lambda={0.1,0.2}))"), data, context);
  EXPECT_GT(calls, 0U);
  EXPECT_NEAR(last, 1, 1e-12);
}

TEST(GramCancelled, Stops) {
  const Dataset data = dataset_of(random_examples(50));
  Context context = test::working(2);
  context.cancelled = [] { return true; };
  EXPECT_THROW(gram(Kernel("norm(sst(t))"), data, context), Cancelled);
}

}  // namespace
}  // namespace espalier
