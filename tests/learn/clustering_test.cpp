#include "espalier/learn/clustering.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "espalier/base/random.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

/// Points around `groups` corners far from each other; example i belongs to group i % groups.
Matrix<float> groups_of_points(std::size_t count, std::size_t groups) {
  Random random(3);
  Matrix<float> out(count, groups);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < groups; ++k) {
      out(i, k) = static_cast<float>((i % groups == k ? 10 : 0) + random.uniform());
    }
  }
  return out;
}

Matrix<float> gram_of(const Matrix<float>& vectors) {
  Matrix<float> out(vectors.rows(), vectors.rows());
  for (std::size_t i = 0; i < vectors.rows(); ++i) {
    for (std::size_t j = 0; j < vectors.rows(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < vectors.columns(); ++k) {
        sum += static_cast<double>(vectors(i, k)) * static_cast<double>(vectors(j, k));
      }
      out(i, j) = static_cast<float>(sum);
    }
  }
  return out;
}

Matrix<float> column(std::initializer_list<float> values) {
  Matrix<float> out(values.size(), 1);
  std::ranges::copy(values, out.data());
  return out;
}

TEST(Clustering, FindsSeparatedClusters) {
  const Matrix<float> points = groups_of_points(90, 4);
  for (const Clustering& found : {cluster_vectors(points, {.clusters = 4}),
                                  cluster_kernel(gram_of(points), {.clusters = 4})}) {
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.cluster_count(), 4U);
    for (std::size_t i = 4; i < 90; ++i) EXPECT_EQ(found.clusters[i], found.clusters[i % 4]);
    EXPECT_EQ(found.clusters[0], 0U);  // two groups of 23, then two of 22
    EXPECT_EQ(found.clusters[2], 2U);
  }
}

TEST(Clustering, VectorsAndGramMatrixAgree) {
  Random random(7);
  Matrix<float> points(60, 3);
  std::generate_n(points.data(), 180, [&] { return static_cast<float>(random.uniform()); });
  const Clustering a = cluster_vectors(points, {.clusters = 5});
  const Clustering b = cluster_kernel(gram_of(points), {.clusters = 5});
  EXPECT_EQ(a.clusters, b.clusters);
  EXPECT_NEAR(a.cost, b.cost, 1e-4);
}

TEST(Clustering, MeasuresDistancesFromTheCentres) {
  const Clustering found = cluster_vectors(column({0, 1, 5, 100, 104}), {.clusters = 2});
  EXPECT_EQ(found.clusters, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(found.distances, (std::vector<double>{4, 1, 9, 4, 4}));
  EXPECT_EQ(found.cost, 22);
  EXPECT_EQ(found.members(0), (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_EQ(found.members(1), (std::vector<std::uint32_t>{3, 4}));
}

TEST(Clustering, LeavesNoClusterEmpty) {
  const Matrix<float> same = column({1, 1, 1, 1, 2});
  for (const Clustering& found :
       {cluster_vectors(same, {.clusters = 4}), cluster_kernel(gram_of(same), {.clusters = 4})}) {
    EXPECT_EQ(found.cluster_count(), 4U);
    for (std::uint32_t c = 0; c < 4; ++c) EXPECT_FALSE(found.members(c).empty());
    EXPECT_EQ(found.cost, 0);
  }
  EXPECT_EQ(cluster_vectors(same, {.clusters = 5}).cluster_count(), 5U);
  EXPECT_EQ(cluster_vectors(same, {.clusters = 1}).cluster_count(), 1U);
}

TEST(Clustering, MoreRestartsAreNeverWorse) {
  Random random(5);
  Matrix<float> points(80, 2);
  std::generate_n(points.data(), 160, [&] { return static_cast<float>(random.uniform()); });
  const double one = cluster_vectors(points, {.clusters = 9, .restarts = 1}).cost;
  const double many = cluster_vectors(points, {.clusters = 9, .restarts = 20}).cost;
  EXPECT_LT(many, one);
}

TEST(Clustering, DoesNotDependOnThreads) {
  const Matrix<float> gram = gram_of(groups_of_points(200, 3));
  const Clustering one = cluster_kernel(gram, {.clusters = 7}, test::working(1));
  const Clustering three = cluster_kernel(gram, {.clusters = 7}, test::working(3));
  EXPECT_EQ(one.clusters, three.clusters);
  EXPECT_EQ(one.cost, three.cost);
}

TEST(Clustering, RejectsBadInput) {
  using test::fails_with;
  const Matrix<float> three = column({1, 2, 3});
  EXPECT_TRUE(fails_with("only 3 examples", [&] { cluster_vectors(three, {.clusters = 4}); }));
  EXPECT_TRUE(fails_with("clusters = 0", [&] { cluster_vectors(three, {.clusters = 0}); }));
  EXPECT_TRUE(
      fails_with("restarts = 0", [&] { cluster_vectors(three, {.clusters = 2, .restarts = 0}); }));
  EXPECT_TRUE(fails_with("square", [&] { cluster_kernel(three, {.clusters = 2}); }));
  const Matrix<float> infinite = column({1, std::numeric_limits<float>::infinity()});
  EXPECT_TRUE(fails_with("example 2", [&] { cluster_vectors(infinite, {.clusters = 1}); }));
}

}  // namespace
}  // namespace espalier
