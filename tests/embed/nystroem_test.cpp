#include "espalier/embed/nystroem.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "espalier/gram/gram.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;

const Kernel kernel("norm(pt(t))");

const LandmarkPolicy policies[] = {LandmarkPolicy::uniform, LandmarkPolicy::kmeans,
                                   LandmarkPolicy::leverage, LandmarkPolicy::classwise,
                                   LandmarkPolicy::support};

std::vector<std::uint32_t> two_classes(std::size_t examples, std::size_t first) {
  std::vector<std::uint32_t> out(examples, 1);
  std::fill_n(out.begin(), first, 0);
  return out;
}

Nystroem fitted(const Dataset& data, const NystroemOptions& options, const Kernel& k = kernel) {
  Nystroem out(k, options);
  out.fit(data, two_classes(data.size(), data.size() / 2));
  return out;
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return sum;
}

/// The largest difference between dot products of vectors and the kernel.
double error(const Nystroem& nystroem, const Dataset& data) {
  const Matrix<float> x = nystroem.transform(data);
  const Matrix<double> exact = gram(nystroem.kernel(), data);
  double out = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      out = std::max(out, std::abs(dot(x.row(i), x.row(j)) - exact(i, j)));
    }
  }
  return out;
}

double mean_error(const Dataset& data, std::size_t landmarks) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Nystroem nystroem = fitted(data, {.landmarks = landmarks, .seed = seed});
    const Matrix<float> x = nystroem.transform(data);
    const std::vector<double> selves = diagonal(kernel, data);
    for (std::size_t i = 0; i < data.size(); ++i) sum += selves[i] - dot(x.row(i), x.row(i));
  }
  return sum;
}

TEST(Nystroem, IsExactWithAllExamplesAsLandmarks) {
  const Dataset data = test::toy_classes({.count = 60, .pairs = true});
  for (const char* expression : {"norm(pt(t))", "norm(sst(u)) + 0.5*linear(v)", "st(t)",
                                 "linear(d)", "norm(sst(t))*norm(pt(u))"}) {
    for (const LandmarkPolicy policy : policies) {
      const Nystroem nystroem =
          fitted(data, {.landmarks = 1000, .policy = policy}, Kernel(expression));
      EXPECT_LE(nystroem.chosen().size(), data.size());
      const double scale = std::ranges::max(diagonal(nystroem.kernel(), data));
      EXPECT_LT(error(nystroem, data), 1e-6 * std::max(1.0, scale)) << expression;
    }
  }
}

TEST(Nystroem, IsExactBetweenLandmarks) {
  const Dataset data = test::toy_classes({.count = 60});
  for (const LandmarkPolicy policy : policies) {
    const Nystroem nystroem = fitted(data, {.landmarks = 20, .policy = policy});
    EXPECT_EQ(nystroem.chosen().size(), 20U);
    EXPECT_LT(error(nystroem, nystroem.landmarks()), 1e-6);
  }
}

TEST(Nystroem, ImprovesWithMoreLandmarks) {
  const Dataset data = test::toy_classes({.count = 80});
  const double few = mean_error(data, 10);
  const double more = mean_error(data, 30);
  const double most = mean_error(data, 60);
  EXPECT_LT(more, 0.8 * few);
  EXPECT_LT(most, 0.8 * more);
}

TEST(Nystroem, DropsDirectionsOfDuplicates) {
  Dataset data = test::toy_classes({.count = 15});
  for (std::size_t i = 0; i < 15; ++i) data.add(data.example(i));
  const Nystroem all = fitted(data, {.landmarks = 30});
  EXPECT_EQ(all.chosen().size(), 30U);
  EXPECT_LE(all.rank(), 15U);
  EXPECT_LT(error(all, data), 1e-6);
  const Nystroem different = fitted(data, {.landmarks = 30, .policy = LandmarkPolicy::kmeans});
  EXPECT_LE(different.chosen().size(), 15U);
  EXPECT_LT(error(different, data), 1e-6);
}

TEST(Nystroem, WorksWithOneLandmarkAndOneExample) {
  const Dataset data = test::toy_classes({.count = 20});
  for (const LandmarkPolicy policy : policies) {
    EXPECT_EQ(fitted(data, {.landmarks = 1, .policy = policy}).rank(), 1U);
    const Dataset one = test::part_of(data, 0, 1);
    EXPECT_LT(error(fitted(one, {.landmarks = 7, .policy = policy}), one), 1e-6);
  }
}

TEST(Nystroem, ChoosesLandmarksOfEachClass) {
  const Dataset data = test::toy_classes({.count = 40});
  Nystroem nystroem(kernel, {.landmarks = 10, .policy = LandmarkPolicy::classwise});
  nystroem.fit(data, two_classes(40, 3));
  const auto chosen = nystroem.chosen();
  EXPECT_EQ(std::ranges::count_if(chosen, [](std::uint32_t i) { return i < 3; }), 3);
  EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), 10U);
  nystroem.fit(data, two_classes(40, 30));
  EXPECT_EQ(std::ranges::count_if(nystroem.chosen(), [](std::uint32_t i) { return i < 30; }), 5);
}

TEST(Nystroem, SupportPrefersExamplesNearTheMargin) {
  // Two trees of 45 examples each, one for each class, and ten of the first tree in the second
  // class.
  const auto tree = [](const char* label) {
    return test::ExampleOf().tree("t", test::to_tree(test::PlainTree{label, {{"x", {}}}}));
  };
  Dataset data;
  std::vector<std::uint32_t> classes;
  for (int i = 0; i < 100; ++i) {
    data.add(tree(i < 45 || i >= 90 ? "a" : "b"));
    classes.push_back(i < 45 ? 0 : 1);
  }
  std::size_t hard = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Nystroem nystroem(kernel, {.landmarks = 10, .policy = LandmarkPolicy::support, .seed = seed});
    nystroem.fit(data, classes);
    hard += static_cast<std::size_t>(
        std::ranges::count_if(nystroem.chosen(), [](std::uint32_t i) { return i >= 90; }));
  }
  EXPECT_GT(hard, 50U);  // of 200; by chance 20
  // With one class nothing is hard, and any will do.
  Nystroem any(kernel, {.landmarks = 10, .policy = LandmarkPolicy::support});
  any.fit(data, std::vector<std::uint32_t>(100, 0));
  EXPECT_EQ(any.chosen().size(), 10U);
  EXPECT_GT(any.chosen().back(), 30U);
}

TEST(Nystroem, LeveragePrefersOutliers) {
  // 99 times the same tree, and one that shares nothing with it.
  const Dataset same = test::toy_classes({.count = 1});
  Dataset data;
  for (int i = 0; i < 99; ++i) data.add(same.example(0));
  data.add(test::ExampleOf().tree("t", test::to_tree(test::PlainTree{"other", {{"x", {}}}})));
  for (const LandmarkPolicy policy : {LandmarkPolicy::kmeans, LandmarkPolicy::leverage}) {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Nystroem nystroem = fitted(data, {.landmarks = 10, .policy = policy, .seed = seed});
      found += nystroem.chosen().back() == 99 ? 1 : 0;
    }
    EXPECT_GE(found, 10U);  // uniform: 2 of 20
  }
}

TEST(Nystroem, VectorsAreTheProjectionOfKernelsWithLandmarks) {
  const Dataset data = test::toy_classes({.count = 40});
  const Dataset other = test::toy_classes({.count = 20, .seed = 5});
  const Nystroem nystroem = fitted(data, {.landmarks = 15});
  const Matrix<double> kernels = nystroem.landmark_kernels()(other);
  const Matrix<float> x = nystroem.transform(other);
  for (std::size_t i = 0; i < other.size(); ++i) {
    for (std::size_t k = 0; k < nystroem.rank(); ++k) {
      const auto row = nystroem.projection().row(k);
      const double expected =
          std::inner_product(row.begin(), row.end(), kernels.row(i).begin(), 0.0);
      EXPECT_NEAR(x(i, k), expected, 1e-5);
    }
  }
}

TEST(Nystroem, SetsAreAveraged) {
  const Dataset data = test::toy_classes({.count = 60});
  const Nystroem nystroem = fitted(data, {.landmarks = 10, .sets = 3});
  ASSERT_EQ(nystroem.chosen().size(), 30U);
  // The projection has a block for each set: its rows touch no landmark of another one.
  const Matrix<double>& projection = nystroem.projection();
  std::vector<std::set<std::size_t>> sets;
  for (std::size_t k = 0; k < projection.rows(); ++k) {
    std::set<std::size_t> used;
    for (std::size_t l = 0; l < projection.columns(); ++l) {
      if (projection(k, l) != 0) used.insert(l);
    }
    if (sets.empty() || sets.back() != used) sets.push_back(used);
  }
  ASSERT_EQ(sets.size(), 3U);
  const Matrix<float> x = nystroem.transform(data);
  double mean = 0;
  std::size_t begin = 0;
  for (const auto& set : sets) {
    const std::vector<std::size_t> places(set.begin(), set.end());
    std::vector<std::uint32_t> chosen;
    for (const std::size_t l : places) chosen.push_back(nystroem.chosen()[l]);
    Nystroem alone(kernel, {.landmarks = 10});
    const Dataset own = data.select(chosen);
    alone.fit(own);
    const Matrix<float> y = alone.transform(data);
    mean += dot(y.row(0), y.row(1)) / 3;
    begin += alone.rank();
  }
  EXPECT_EQ(begin, nystroem.rank());
  EXPECT_NEAR(dot(x.row(0), x.row(1)), mean, 1e-5);
}

TEST(Nystroem, SetsAreWeightedByError) {
  const Dataset data = test::toy_classes({.count = 80});
  const auto options = [](SetWeights weights) {
    return NystroemOptions{.landmarks = 4, .seed = 3, .sets = 5, .set_weights = weights};
  };
  EXPECT_LT(error(fitted(data, options(SetWeights::error)), data),
            error(fitted(data, options(SetWeights::equal)), data) + 1e-9);
  EXPECT_TRUE(fails_with("sets", [&] { Nystroem(kernel, {.sets = 0}); }));
}

TEST(Nystroem, DoesNotDependOnThreadsOrMemory) {
  const Dataset data = test::toy_classes({.count = 150});
  for (const LandmarkPolicy policy : policies) {
    Nystroem one(kernel, {.landmarks = 20, .policy = policy});
    Nystroem two(kernel, {.landmarks = 20, .policy = policy});
    one.fit(data, two_classes(150, 50), test::working(1));
    two.fit(data, two_classes(150, 50), test::working(3, 40'000));
    const Matrix<float> a = one.transform(data, test::working(1));
    const Matrix<float> b = two.transform(data, test::working(3, 20'000));
    ASSERT_EQ(one.rank(), two.rank());
    EXPECT_TRUE(std::ranges::equal(std::span(a.data(), a.rows() * a.columns()),
                                   std::span(b.data(), b.rows() * b.columns())));
  }
}

TEST(Nystroem, RejectsBadInput) {
  const Dataset data = test::toy_classes({.count = 5});
  EXPECT_TRUE(fails_with("landmarks = 0", [] { Nystroem(kernel, {.landmarks = 0}); }));
  EXPECT_TRUE(fails_with("outside [0, 1)", [] { Nystroem(kernel, {.rank_tolerance = 1}); }));
  EXPECT_TRUE(fails_with("no examples", [] { Nystroem(kernel).fit(Dataset()); }));
  EXPECT_TRUE(fails_with("kernel 0", [&] { Nystroem(Kernel("0*pt(t)")).fit(data); }));
  EXPECT_TRUE(fails_with(
      "need a class", [&] { Nystroem(kernel, {.policy = LandmarkPolicy::classwise}).fit(data); }));
  EXPECT_TRUE(fails_with("need a class",
                         [&] { Nystroem(kernel, {.policy = LandmarkPolicy::support}).fit(data); }));
  EXPECT_TRUE(fails_with("call it first", [&] { Nystroem(kernel).transform(data); }));
}

}  // namespace
}  // namespace espalier
