#pragma once

#include <cstdint>
#include <vector>

#include "espalier/explain/report.hpp"
#include "explain/drawing.hpp"

namespace espalier {

/// Heights that share a row: each its own row first, then ranges that grow.
struct HeightLevel {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};
/// The row of a height, counted from the bottom.
std::size_t level_of(std::uint32_t height);
HeightLevel heights_of(std::size_t level);

struct PlacedVertex {
  std::size_t chosen = 0;  ///< which of Report::chosen
  std::size_t band = 0;
  Point centre = {};
  double radius = 0;
};

struct ForestRow {
  std::size_t first_level = 0;
  std::size_t last_level = 0;  ///< levels that have nothing drawn share a row
  double top = 0;
  double height = 0;
  std::uint64_t not_drawn = 0;  ///< subtrees of these groups and heights
};

/// Some groups beside each other, a column for each, with rows of their own.
struct ForestBand {
  std::size_t first_group = 0;
  std::size_t end_group = 0;
  double top = 0;
  double bottom = 0;
  std::vector<double> columns;  ///< where they begin, and the end of the last
  std::vector<ForestRow> rows;  ///< tallest subtrees first
};

/// Subtrees in columns by group and in rows by height, the heaviest of a cell first. No two circles
/// overlap.
struct ForestLayout {
  std::vector<ForestBand> bands;
  std::vector<PlacedVertex> vertices;  ///< in the order of Report::chosen
  double largest_weight = 0;           ///< has the largest radius
  double height = 0;

  static constexpr double width = 900, left = 84, right = 816, header = 26;
  /// The area of a circle grows with the weight.
  double radius(double weight) const;
};

/// Linear in the vertices of the forest.
ForestLayout lay_out_forest(const Report& report);

}  // namespace espalier
