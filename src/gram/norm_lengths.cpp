#include "gram/norm_lengths.hpp"

namespace espalier {

std::vector<std::pair<Slice, Slice>> lost_parts(const NormLengths& lengths, Slice rows,
                                                Slice columns, BlockView<double> values) {
  std::vector<std::uint8_t> in_row(rows.size(), 0);
  std::vector<std::uint8_t> in_column(columns.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (!lengths.is_lost(rows.begin + i, columns.begin + j, values.row(i)[j])) continue;
      in_row[i] = in_column[j] = 1;
    }
  }
  const auto row_count = static_cast<std::size_t>(std::ranges::count(in_row, 1));
  const auto column_count = static_cast<std::size_t>(std::ranges::count(in_column, 1));
  if (row_count == 0) return {};
  // A strip costs more than its fraction of the block, because strips share no work.
  constexpr std::size_t strip_cost = 8;
  if (strip_cost * row_count >= rows.size() && strip_cost * column_count >= columns.size()) {
    return {{rows, columns}};
  }
  std::vector<std::pair<Slice, Slice>> out;
  if (row_count * columns.size() <= column_count * rows.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (in_row[i] != 0) out.push_back({{rows.begin + i, rows.begin + i + 1}, columns});
    }
  } else {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (in_column[j] != 0) out.push_back({rows, {columns.begin + j, columns.begin + j + 1}});
    }
  }
  return out;
}

}  // namespace espalier
