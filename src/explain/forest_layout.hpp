#pragma once

#include <cstdint>
#include <vector>

#include "espalier/explain/report.hpp"
#include "explain/drawing.hpp"

namespace espalier {

/// The heights of a row: single ones first, then growing ranges.
struct HeightLevel {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};
/// The row of a height, counted from the bottom.
std::size_t level_of(std::uint32_t height);
HeightLevel heights_of(std::size_t level);

struct PlacedVertex {
  std::size_t chosen = 0;  ///< index into Report::chosen
  std::size_t band = 0;
  Point centre = {};
  double radius = 0;
};

struct ForestRow {
  std::size_t first_level = 0;
  std::size_t last_level = 0;  ///< consecutive levels without circles are merged into one row
  double top = 0;
  double height = 0;
  std::uint64_t not_drawn = 0;  ///< subtrees of these groups and heights
};

/// Groups side by side, one column each, with common rows.
struct ForestBand {
  std::size_t first_group = 0;
  std::size_t end_group = 0;
  double top = 0;
  double bottom = 0;
  std::vector<double> columns;  ///< left edges, and the right edge of the last one
  std::vector<ForestRow> rows;  ///< tallest subtrees first
};

/// Subtrees in columns by group and rows by height, within a cell by descending weight. Circles do
/// not overlap.
struct ForestLayout {
  std::vector<ForestBand> bands;
  std::vector<PlacedVertex> vertices;  ///< in the order of Report::chosen
  double largest_weight = 0;           ///< the weight with the largest radius
  double height = 0;

  static constexpr double width = 900, left = 84, right = 816, header = 26;
  /// The area of a circle grows with the weight.
  double radius(double weight) const;
};

/// Linear in the vertices of the forest.
ForestLayout lay_out_forest(const Report& report);

}  // namespace espalier
