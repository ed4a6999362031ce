#include "espalier/evaluate/clustering.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/failure.hpp"

namespace espalier {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(EvaluateClustering, MatchesScikitLearn) {
  struct Case {
    Numbers classes, clusters;
    double purity, mutual_information, rand;
  };
  for (const Case& c : {
           Case{{0, 0, 0, 1, 1, 1, 2, 2, 2, 2},
                {0, 0, 1, 1, 1, 1, 2, 2, 0, 2},
                0.8,
                0.6180656462921543,
                0.4318181818181818},
           Case{{0, 1, 0, 1}, {0, 0, 1, 1}, 0.5, 0, -0.5},
           Case{{0, 0, 0}, {0, 1, 2}, 1, 0, 0},
           Case{{0, 0, 1, 1}, {5, 5, 3, 3}, 1, 1, 1},
           Case{{0, 0, 0}, {0, 0, 0}, 1, 1, 1},
           Case{{0, 1, 2}, {2, 1, 0}, 1, 1, 1},
           Case{{4}, {7}, 1, 1, 1},
       }) {
    const ClusterScores scores = evaluate_clustering(c.classes, c.clusters);
    EXPECT_EQ(scores.examples, c.classes.size());
    EXPECT_NEAR(scores.purity, c.purity, 1e-12);
    EXPECT_NEAR(scores.normalized_mutual_information, c.mutual_information, 1e-12);
    EXPECT_NEAR(scores.adjusted_rand, c.rand, 1e-12);
  }
}

TEST(EvaluateClustering, CountsClustersAndClasses) {
  const ClusterScores scores = evaluate_clustering(Numbers{9, 9, 4}, Numbers{1, 2, 2});
  EXPECT_EQ(scores.clusters, 2U);
  EXPECT_EQ(scores.classes, 2U);
}

TEST(EvaluateClustering, NeedsAClusterForEachExample) {
  EXPECT_TRUE(test::fails_with("number of predictions", [] {
    evaluate_clustering(Numbers{1, 2}, Numbers{1});
  }));
  EXPECT_TRUE(test::fails_with("no examples", [] { evaluate_clustering({}, {}); }));
}

}  // namespace
}  // namespace espalier
