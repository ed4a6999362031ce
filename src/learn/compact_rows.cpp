#include "learn/compact_rows.hpp"

#include <algorithm>
#include <functional>

#include "espalier/base/id_index.hpp"

namespace espalier {

namespace {

/// Calls work(i) for all rows, in parallel.
template <class Work>
void for_all_rows(std::size_t rows, const Context& context, Work&& work) {
  constexpr std::size_t block = 4096;
  Context quiet = context;
  quiet.progress = nullptr;
  parallel((rows + block - 1) / block, quiet,
           [&](std::size_t, std::size_t task) {
             const std::size_t end = std::min(rows, (task + 1) * block);
             for (std::size_t i = task * block; i < end; ++i) work(i);
           },
           [](std::size_t) { return 1.0; });
}

}  // namespace

CompactRows::CompactRows(const SparseMatrix& matrix, std::span<const std::uint32_t> rows,
                         const Context& context)
    : matrix_(matrix),
      rows_(rows.begin(), rows.end()),
      begin_(rows.size() + 1, 0),
      own_square_(rows.size(), 0) {
  number_columns();
  for_all_rows(rows_.size(), context, [&](std::size_t i) {
    begin_[i + 1] = static_cast<std::uint64_t>(std::ranges::count_if(
        matrix_.row(rows_[i]).columns, [&](std::uint32_t c) { return number_[c] != none; }));
  });
  for (std::size_t i = 0; i < rows_.size(); ++i) begin_[i + 1] += begin_[i];
  column_ = PageArray<std::uint32_t>(begin_.back());
  values_ = PageArray<double>(begin_.back());
  for_all_rows(rows_.size(), context, [&](std::size_t i) { copy_row(i); });
}

void CompactRows::number_columns() {
  number_.assign(matrix_.columns(), 0);
  for (const std::uint32_t row : rows_) {
    for (const std::uint32_t c : matrix_.row(row).columns) ++number_[c];
  }
  std::vector<std::uint32_t> shared;
  for (std::uint32_t c = 0; c < number_.size(); ++c) {
    if (number_[c] > 1) shared.push_back(c);
  }
  std::ranges::stable_sort(shared, std::greater(), [&](std::uint32_t c) { return number_[c]; });
  number_.assign(matrix_.columns(), none);
  for (const std::uint32_t c : shared) number_[c] = static_cast<std::uint32_t>(columns_++);
}

void CompactRows::copy_row(std::size_t i) {
  const auto [columns, values] = matrix_.row(rows_[i]);
  std::uint64_t at = begin_[i];
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::uint32_t number = number_[columns[k]];
    if (number == none) {
      own_square_[i] += values[k] * values[k];
    } else {
      column_.data()[at] = number;
      values_.data()[at++] = values[k];
    }
  }
}

void CompactRows::expand(std::span<const double> shared, std::span<const std::uint32_t> rows,
                         std::span<const double> values, std::span<double> weights) const {
  for (std::size_t c = 0; c < weights.size(); ++c) {
    weights[c] = number_[c] == none ? 0 : shared[number_[c]];
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (values[k] == 0) continue;
    const auto [columns, row] = matrix_.row(rows_[rows[k]]);
    for (std::size_t at = 0; at < columns.size(); ++at) {
      if (number_[columns[at]] == none) weights[columns[at]] = values[k] * row[at];
    }
  }
}

}  // namespace espalier
