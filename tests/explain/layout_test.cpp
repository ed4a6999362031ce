#include <gtest/gtest.h>

#include "explain/forest_layout.hpp"
#include "explain/tree_layout.hpp"
#include "report_sample.hpp"

namespace espalier {
namespace {

/// Labels of a level must be apart, and parents above their children.
void expect_tidy(const TreeLayout& layout) {
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    const DrawnNode& a = layout.nodes[i];
    ASSERT_GE(a.centre.x - a.width / 2, 0);
    ASSERT_LE(a.centre.x + a.width / 2, layout.width);
    ASSERT_LE(a.centre.y, layout.height);
    for (const std::size_t child : a.children) {
      ASSERT_LT(a.centre.y, layout.nodes[child].centre.y);
    }
    for (std::size_t j = 0; j < i; ++j) {
      const DrawnNode& b = layout.nodes[j];
      if (a.level != b.level) continue;
      ASSERT_GE(std::abs(a.centre.x - b.centre.x), (a.width + b.width) / 2);
    }
  }
}

TEST(TreeLayout, DoesNotOverlapLabels) {
  test::Random random(3);
  for (int round = 0; round < 300; ++round) {
    Forest forest;
    const TreeId t = forest.add(test::nasty_tree(random, 60));
    const TreeLayout layout = lay_out_tree(forest, forest.root(t));
    expect_tidy(layout);
    std::uint64_t drawn = 0;
    for (const DrawnNode& node : layout.nodes) drawn += node.hidden == 0;
    ASSERT_EQ(drawn + layout.hidden, forest.size(forest.root(t)));
  }
}

TEST(TreeLayout, LimitsTheNodesDrawn) {
  Forest forest;
  for (const Tree& tree : {test::path_tree(100000), test::star_tree(100000)}) {
    const VertexId root = forest.root(forest.add(tree));
    const TreeLayout layout = lay_out_tree(forest, root);
    expect_tidy(layout);
    EXPECT_LE(layout.nodes.size(), 26);
    EXPECT_EQ(layout.nodes.size() - 1 + layout.hidden, 100000);
  }
}

TEST(ForestLayout, AssignsEveryHeightToOneLevel) {
  for (std::uint32_t height = 0; height < 5000; ++height) {
    const HeightLevel level = heights_of(level_of(height));
    ASSERT_LE(level.first, height);
    ASSERT_GE(level.last, height);
    if (height > 0) {
      ASSERT_GE(level_of(height), level_of(height - 1));
    }
  }
  EXPECT_EQ(heights_of(level_of(7)).last, 7);
  EXPECT_EQ(heights_of(level_of(20)).first, 16);
  EXPECT_GE(heights_of(level_of(4000000000)).last, 4000000000);
}

TEST(ForestLayout, CountsSubtreesNotDrawn) {
  for (const std::size_t classes : {2, 11, 104, 130}) {
    const Report report = make_report(test::random_examples(classes, 600), {});
    const ForestLayout layout = lay_out_forest(report);
    std::uint64_t counted = report.chosen.size();
    for (const ForestBand& band : layout.bands) {
      for (const ForestRow& row : band.rows) counted += row.not_drawn;
    }
    for (const SubtreeFacts& facts : report.facts) counted += facts.group >= most_groups;
    EXPECT_EQ(counted, report.forest.vertex_count());
  }
}

TEST(ForestLayout, KeepsCirclesDisjointAndInTheirColumn) {
  for (const std::size_t classes : {2, 11, 104}) {
    const Report report = make_report(test::random_examples(classes, 600), {});
    const ForestLayout layout = lay_out_forest(report);
    ASSERT_EQ(layout.vertices.size(), report.chosen.size());
    for (std::size_t i = 0; i < layout.vertices.size(); ++i) {
      const PlacedVertex& a = layout.vertices[i];
      const ForestBand& band = layout.bands[a.band];
      const auto column = report.facts[report.chosen[a.chosen].vertex].group - band.first_group;
      ASSERT_GE(a.centre.x - a.radius, band.columns[column]);
      ASSERT_LE(a.centre.x + a.radius, band.columns[column + 1]);
      ASSERT_LE(a.centre.y + a.radius, band.bottom);
      for (std::size_t j = 0; j < i; ++j) {
        const PlacedVertex& b = layout.vertices[j];
        const double x = a.centre.x - b.centre.x, y = a.centre.y - b.centre.y;
        ASSERT_GE(std::hypot(x, y), a.radius + b.radius);
      }
    }
  }
}

}  // namespace
}  // namespace espalier
