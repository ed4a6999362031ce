#include "explain/forest_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "explain/groups.hpp"

namespace espalier {

namespace {

constexpr std::uint32_t own_rows = 12;
constexpr std::size_t most_columns = 12;
constexpr double circle_gap = 3, cell_margin = 7, empty_row = 17, between_bands = 26;
constexpr double smallest_radius = 3, largest_radius = 12, narrowest_column = 46;

/// Places the circles of one cell in lines from the left; returns the height of the cell.
double place_cell(std::vector<PlacedVertex*>& cell, double left, double top, double width) {
  double y = top + cell_margin;
  for (std::size_t begin = 0; begin < cell.size();) {
    double x = left + cell_margin, tallest = 0;
    std::size_t end = begin;
    while (end < cell.size()) {
      const double diameter = 2 * cell[end]->radius;
      if (end > begin && x + diameter > left + width - cell_margin) break;
      cell[end]->centre.x = x + cell[end]->radius;
      x += diameter + circle_gap;
      tallest = std::max(tallest, diameter);
      ++end;
    }
    for (std::size_t i = begin; i < end; ++i) cell[i]->centre.y = y + tallest / 2;
    y += tallest + circle_gap;
    begin = end;
  }
  return y - circle_gap + cell_margin - top;
}

/// Number of subtrees per group and level, and how many of them are drawn.
class Counts {
 public:
  Counts(const Report& report, std::size_t groups) : of_group_(groups), drawn_(groups) {
    for (VertexId v = 0; v < report.facts.size(); ++v) count(report, v, of_group_);
    for (const ChosenSubtree& subtree : report.chosen) count(report, subtree.vertex, drawn_);
  }

  /// Rows for the levels at which some of these groups have subtrees.
  std::vector<ForestRow> rows(std::size_t first_group, std::size_t end_group) const {
    std::vector<ForestRow> out;
    std::size_t levels = 0;
    for (std::size_t g = first_group; g < end_group; ++g) {
      levels = std::max(levels, of_group_[g].size());
    }
    bool last_was_empty = false;
    for (std::size_t level = levels; level-- > 0;) {
      const std::uint64_t all = sum(of_group_, first_group, end_group, level);
      const std::uint64_t drawn = sum(drawn_, first_group, end_group, level);
      if (all == 0) continue;
      if (!last_was_empty || drawn > 0) out.push_back({.first_level = level, .last_level = level});
      out.back().first_level = level;
      out.back().not_drawn += all - drawn;
      last_was_empty = drawn == 0;
    }
    return out;
  }

 private:
  using Table = std::vector<std::vector<std::uint64_t>>;

  static void count(const Report& report, VertexId v, Table& table) {
    const std::uint32_t group = report.facts[v].group;
    if (group >= table.size()) return;
    const std::size_t level = level_of(report.forest.height(v));
    if (table[group].size() <= level) table[group].resize(level + 1, 0);
    ++table[group][level];
  }
  static std::uint64_t sum(const Table& table, std::size_t first, std::size_t end,
                           std::size_t level) {
    std::uint64_t out = 0;
    for (std::size_t g = first; g < end; ++g) out += level < table[g].size() ? table[g][level] : 0;
    return out;
  }

  Table of_group_;
  Table drawn_;
};

/// The circles of a row by column.
using Cells = std::vector<std::vector<PlacedVertex*>>;

Cells cells_of(const Report& report, const ForestBand& band, std::size_t number,
               const ForestRow& row, ForestLayout& layout) {
  Cells cells(band.end_group - band.first_group);
  for (PlacedVertex& placed : layout.vertices) {
    const VertexId v = report.chosen[placed.chosen].vertex;
    const std::size_t level = level_of(report.forest.height(v));
    if (placed.band != number || level < row.first_level || level > row.last_level) continue;
    cells[report.facts[v].group - band.first_group].push_back(&placed);
  }
  return cells;
}

/// The width of a column depends on its fullest cell, so that no cell becomes a tower.
std::vector<double> column_ends(const std::vector<Cells>& rows, std::size_t columns) {
  std::vector<double> wanted(columns, 1);
  for (const Cells& cells : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      double area = 0;
      for (const PlacedVertex* placed : cells[c])
        area += std::pow(2 * placed->radius + circle_gap, 2);
      wanted[c] = std::max(wanted[c], area);
    }
  }
  double all = 0;
  for (const double area : wanted) all += area;
  const double room = ForestLayout::right - ForestLayout::left;
  const double spare = room - narrowest_column * static_cast<double>(columns);
  std::vector<double> out = {ForestLayout::left};
  for (const double area : wanted) {
    out.push_back(out.back() + narrowest_column + spare * area / all);
  }
  return out;
}

/// Places the circles of a band below `band.top`.
void place_band(const Report& report, std::size_t number, ForestLayout& layout) {
  ForestBand& band = layout.bands[number];
  std::vector<Cells> rows;
  for (const ForestRow& row : band.rows) {
    rows.push_back(cells_of(report, band, number, row, layout));
  }
  band.columns = column_ends(rows, band.end_group - band.first_group);
  double y = band.top + ForestLayout::header;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    ForestRow& row = band.rows[r];
    row.top = y;
    row.height = empty_row;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c].empty()) continue;
      const double width = band.columns[c + 1] - band.columns[c];
      row.height = std::max(row.height, place_cell(rows[r][c], band.columns[c], y, width));
    }
    y += row.height;
  }
  band.bottom = y;
}

}  // namespace

std::size_t level_of(std::uint32_t height) {
  if (height < own_rows) return height;
  // 12 to 15, 16 to 23, 24 to 31, 32 to 47, ..: two ranges for each power of two.
  const auto power = static_cast<std::size_t>(std::bit_width(height)) - 1;
  const std::size_t half = (height >> (power - 1)) & 1;
  return own_rows + 2 * (power - 3) + half - 1;
}

HeightLevel heights_of(std::size_t level) {
  if (level < own_rows) {
    const auto height = static_cast<std::uint32_t>(level);
    return {height, height};
  }
  const std::size_t ranges = level - own_rows + 1, power = 3 + ranges / 2;
  const auto first = static_cast<std::uint32_t>((std::uint64_t{2} + ranges % 2) << (power - 1));
  return {first, first + (std::uint32_t{1} << (power - 1)) - 1};
}

double ForestLayout::radius(double weight) const {
  const double fraction = largest_weight > 0 ? weight / largest_weight : 0;
  return std::max(smallest_radius, largest_radius * std::sqrt(fraction));
}

ForestLayout lay_out_forest(const Report& report) {
  ForestLayout layout;
  for (const ChosenSubtree& subtree : report.chosen) {
    layout.largest_weight = std::max(layout.largest_weight, report.facts[subtree.vertex].weight);
  }
  const std::size_t groups = drawn_groups(report);
  const std::size_t band_count =
      std::max<std::size_t>(1, (groups + most_columns - 1) / most_columns);
  const std::size_t columns = (groups + band_count - 1) / band_count;
  for (std::size_t i = 0; i < report.chosen.size(); ++i) {
    const SubtreeFacts& facts = report.facts[report.chosen[i].vertex];
    layout.vertices.push_back({i, facts.group / columns, {}, layout.radius(facts.weight)});
  }
  const Counts counts(report, groups);
  double y = 0;
  for (std::size_t first = 0; first < groups; first += columns) {
    const std::size_t end = std::min(first + columns, groups);
    layout.bands.push_back({.first_group = first,
                            .end_group = end,
                            .top = y,
                            .columns = {},
                            .rows = counts.rows(first, end)});
    place_band(report, layout.bands.size() - 1, layout);
    y = layout.bands.back().bottom + between_bands;
  }
  layout.height = y;
  return layout;
}

}  // namespace espalier
