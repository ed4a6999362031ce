// Kernels on feature vectors against their formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double squared_distance(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

double cosine(const Vector& x, const Vector& y) {
  const double lengths = std::sqrt(dot(x, x) * dot(y, y));
  return lengths > 0 ? dot(x, y) / lengths : 0;
}

struct VectorCase : test::Row {
  std::string parameters;  ///< with the name of the kernel
  std::function<double(const Vector&, const Vector&)> value;
};

const VectorCase cases[] = {
    {{"Linear"}, "linear({})", dot},
    {{"Poly"}, "poly({})", [](auto& x, auto& y) { return std::pow(dot(x, y) + 1, 2); }},
    {{"PolyWithAll"},
     "poly({}, degree=3, scale=0.5, offset=2)",
     [](auto& x, auto& y) { return std::pow(0.5 * dot(x, y) + 2, 3); }},
    {{"PolyOfDegreeOne"},
     "poly({}, degree=1, offset=0)",
     [](auto& x, auto& y) { return dot(x, y); }},
    {{"Rbf"}, "rbf({})", [](auto& x, auto& y) { return std::exp(-squared_distance(x, y)); }},
    {{"RbfWithGamma"},
     "rbf({}, gamma=0.01)",
     [](auto& x, auto& y) { return std::exp(-0.01 * squared_distance(x, y)); }},
    {{"Cosine"}, "cosine({})", cosine},
    {{"NormOfLinear"}, "norm(linear({}))", cosine},
};

class VectorKernel : public testing::TestWithParam<VectorCase> {
 protected:
  static constexpr std::size_t dimension = 7;

  VectorKernel() {
    test::Random random(31);
    for (std::size_t i = 0; i < 40; ++i) {
      Vector vector(dimension);
      // One vector in ten stays zero.
      for (double& x : vector) {
        if (i % 10 != 3 && !random.one_in(3))
          x = static_cast<double>(random.below(400)) / 128 - 1.5;
      }
      vectors.push_back(vector);
    }
    for (const Vector& x : vectors) {
      expected.emplace_back();
      for (const Vector& y : vectors) expected.back().push_back(GetParam().value(x, y));
    }
  }

  Kernel kernel_on(const std::string& name) const {
    std::string text = GetParam().parameters;
    return Kernel(text.replace(text.find("{}"), 2, name));
  }

  /// The numbers that are not zero, each with a name; in another order every time.
  static FeatureVector as_sparse(const Vector& vector, std::size_t turn) {
    FeatureVector out;
    for (std::size_t i = 0; i < dimension; ++i) {
      const std::size_t at = (i + turn) % dimension;
      if (vector[at] == 0) continue;
      out.features.push_back("f" + std::to_string(at));
      out.values.push_back(vector[at]);
    }
    return out;
  }

  Dataset dataset(std::size_t begin, std::size_t end) const {
    Dataset data;
    for (std::size_t i = begin; i < end; ++i) {
      data.add(test::ExampleOf()
                   .vector("sparse", as_sparse(vectors[i], i))
                   .vector("dense", test::dense(vectors[i])));
    }
    return data;
  }

  std::vector<Vector> vectors;
  test::Values expected;
};

// Differences cancel: errors are relative to the size of the vectors, which is about 1.
testing::AssertionResult close(const Matrix<double>& found, const test::Values& expected) {
  for (std::size_t i = 0; i < found.rows(); ++i) {
    for (std::size_t j = 0; j < found.columns(); ++j) {
      const double error = std::abs(found(i, j) - expected[i][j]);
      if (error <= 1e-12 * std::max(1.0, std::abs(expected[i][j]))) continue;
      return testing::AssertionFailure()
             << "at " << i << ", " << j << ": " << found(i, j) << " against " << expected[i][j];
    }
  }
  return testing::AssertionSuccess();
}

TEST_P(VectorKernel, FollowsItsFormula) {
  const Dataset data = dataset(0, vectors.size());
  EXPECT_TRUE(close(gram(kernel_on("dense"), data), expected));
  EXPECT_TRUE(close(gram(kernel_on("sparse"), data), expected));
}

TEST_P(VectorKernel, FollowsItsFormulaBetweenTwoDatasets) {
  // The two data sets meet their features in different orders.
  const Dataset rows = dataset(0, 15), columns = dataset(15, vectors.size());
  test::Values part;
  for (std::size_t i = 0; i < 15; ++i) {
    part.emplace_back(expected[i].begin() + 15, expected[i].end());
  }
  EXPECT_TRUE(close(gram(kernel_on("dense"), rows, columns), part));
  EXPECT_TRUE(close(gram(kernel_on("sparse"), rows, columns), part));
}

TEST_P(VectorKernel, GivesGramMatrices) {
  EXPECT_TRUE(test::is_gram(gram(kernel_on("sparse"), dataset(0, vectors.size()))));
}

INSTANTIATE_TEST_SUITE_P(Formulas, VectorKernel, testing::ValuesIn(cases), test::RowName());

TEST(VectorKernels, OfOneVectorNeedNoName) {
  Dataset data;
  data.add(test::ExampleOf().vector("v", test::dense({3, 4})));
  EXPECT_EQ(gram(Kernel("linear()"), data)(0, 0), 25);
}

TEST(VectorKernels, OfEqualVectorsAreOne) {
  Dataset data;
  const FeatureVector vector = test::dense({1e6 / 3, 1e-3 / 7, -12345.678});
  for (int i = 0; i < 3; ++i) data.add(test::ExampleOf().vector("v", vector));
  EXPECT_TRUE(test::agree(gram(Kernel("rbf(v)"), data), {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}));
  EXPECT_TRUE(test::agree(gram(Kernel("cosine(v)"), data), {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}));
}

TEST(VectorKernels, KnowSmallDistancesFarFromTheOrigin) {
  Dataset data;
  for (const double x : {1e8, 1e8 + 1, 1e8 + 2}) {
    data.add(test::ExampleOf().vector("v", test::dense({x})));
  }
  const double one = std::exp(-1), two = std::exp(-4);
  EXPECT_TRUE(
      test::agree(gram(Kernel("rbf(v)"), data), {{1, one, two}, {one, 1, one}, {two, one, 1}}));
}

TEST(VectorKernels, OfUnknownNamesListTheKnownOnes) {
  Dataset data;
  data.add(
      test::ExampleOf().vector("bow", test::sparse({{"a", 1}})).vector("image", test::dense({1})));
  const std::string unknown = test::failure_of([&] { gram(Kernel("linear(bag)"), data); }).message;
  EXPECT_TRUE(test::contains(unknown, "bag"));
  EXPECT_TRUE(test::contains(unknown, "bow"));
  EXPECT_TRUE(test::contains(unknown, "image"));
  EXPECT_TRUE(test::fails_with("bow", [&] { gram(Kernel("linear()"), data); }));
  EXPECT_TRUE(test::fails_with("tree", [&] { gram(Kernel("sst()"), data); }));
}

TEST(VectorKernels, OfDifferentKindsAreAnError) {
  Dataset sparse, dense, longer;
  sparse.add(test::ExampleOf().vector("v", test::sparse({{"a", 1}})));
  dense.add(test::ExampleOf().vector("v", test::dense({1})));
  longer.add(test::ExampleOf().vector("v", test::dense({1, 2})));
  EXPECT_TRUE(test::fails_with("v", [&] { gram(Kernel("linear()"), sparse, dense); }));
  EXPECT_TRUE(test::fails_with("v", [&] { gram(Kernel("linear()"), dense, longer); }));
}

TEST(VectorKernels, OfMembersArePaired) {
  Dataset data;
  data.add(test::ExampleOf().pair(test::ExampleOf().vector("v", test::sparse({{"x", 2}})),
                                  test::ExampleOf().vector("v", test::sparse({{"y", 3}}))));
  data.add(test::ExampleOf().pair(test::ExampleOf().vector("v", test::sparse({{"y", 5}, {"x", 1}})),
                                  test::ExampleOf().vector("v", test::sparse({{"y", 7}}))));
  EXPECT_TRUE(test::agree(gram(Kernel("pair(linear(v))"), data), {{13, 23}, {23, 75}}));
  EXPECT_TRUE(test::agree(gram(Kernel("cross(linear(v))"), data), {{13, 38}, {38, 145}}));
  EXPECT_TRUE(test::agree(gram(Kernel("pairproduct(linear(v))"), data), {{36, 42}, {42, 1274}}));
}

TEST(VectorKernels, ThatOverflowAreAnError) {
  Dataset data;
  for (const double x : {1.0, 1e200}) data.add(test::ExampleOf().vector("v", test::dense({x})));
  EXPECT_TRUE(test::fails_with("2", [&] { gram(Kernel("linear(v)"), data); }));
  EXPECT_TRUE(test::fails_with("2", [&] { gram(Kernel("poly(v, degree=9)"), data); }));
}

}  // namespace
}  // namespace espalier
