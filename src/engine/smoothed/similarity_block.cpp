#include "engine/smoothed/similarity_block.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr float one = 1;

}  // namespace

SimilarityBlock::SimilarityBlock(const LabelSimilarity& labels, SimilarityTable* table,
                                 const Bags& rows, const Bags& columns)
    : labels_(labels),
      table_(table),
      comparer_(labels),
      row_bags_(rows),
      column_bags_(columns),
      rows_(labels.label_count()),
      slots_(labels.label_count(), none),
      marks_(labels.label_count(), 0) {}

void SimilarityBlock::collect(const Bags& bags, Slice slice, std::vector<LabelId>& out) {
  out.clear();
  const auto take = [&](LabelId label) {
    if (marks_[label] != 0 || labels_.class_of(label) == none) return;
    marks_[label] = 1;
    out.push_back(label);
  };
  for (std::size_t i = slice.begin; i < slice.end; ++i) {
    if (bags[i].weights != nullptr) {
      // Weighted bags may omit vertices of weight 0, but their ancestors need their labels.
      for (LabelId label = 0; label < marks_.size(); ++label) take(label);
      break;
    }
    for (const Occurrence& o : bags[i].occurrences) take(bags.forest().label(o.vertex));
  }
  for (const LabelId label : out) marks_[label] = 0;
  std::ranges::sort(out, {},
                    [&](LabelId label) { return std::pair(labels_.class_of(label), label); });
}

void SimilarityBlock::collect(Slice rows, Slice columns) {
  if (rows == collected_rows_ && columns == collected_columns_) return;
  built_ = false;
  for (const LabelId label : row_labels_) rows_[label] = {};
  for (const LabelId label : column_labels_) slots_[label] = none;
  collected_rows_ = rows;
  collected_columns_ = columns;
  collect(row_bags_, rows, row_labels_);
  collect(column_bags_, columns, column_labels_);
  for (std::uint32_t s = 0; s < column_labels_.size(); ++s) slots_[column_labels_[s]] = s;
  parts_.clear();
  for (std::size_t r = 0, c = 0; r < row_labels_.size() && c < column_labels_.size();) {
    const std::uint32_t row_class = labels_.class_of(row_labels_[r]);
    const std::uint32_t column_class = labels_.class_of(column_labels_[c]);
    const auto end_of = [&](const std::vector<LabelId>& all, std::size_t at) {
      const std::uint32_t number = labels_.class_of(all[at]);
      while (at < all.size() && labels_.class_of(all[at]) == number) ++at;
      return at;
    };
    const std::size_t row_end = row_class <= column_class ? end_of(row_labels_, r) : r;
    const std::size_t column_end = column_class <= row_class ? end_of(column_labels_, c) : c;
    if (row_class == column_class) {
      if (labels_.has_vectors(row_labels_[r])) {
        parts_.emplace_back(Slice{r, row_end}, Slice{c, column_end});
      } else {
        rows_[row_labels_[r]] = {&one, static_cast<std::uint32_t>(c), 1};
      }
    }
    r = row_end;
    c = column_end;
  }
}

void SimilarityBlock::build(Slice rows, Slice columns) {
  collect(rows, columns);
  if (built_) return;
  values_.resize(value_count());
  float* out = values_.data();
  for (const auto& [part_rows, part_columns] : parts_) {
    const std::size_t width = part_columns.size();
    for (std::size_t r = part_rows.begin; r < part_rows.end; ++r) {
      rows_[row_labels_[r]] = {out + (r - part_rows.begin) * width,
                               static_cast<std::uint32_t>(part_columns.begin),
                               static_cast<std::uint32_t>(width)};
    }
    // A tile of the table is not computed for only a few of its columns.
    const bool many = width >= LabelComparer::width && part_rows.size() >= LabelComparer::width;
    if (table_ != nullptr && many) {
      look_up(part_rows, part_columns, out);
    } else {
      compare(part_rows, part_columns, out);
    }
    out += part_rows.size() * width;
  }
  built_ = true;
}

void SimilarityBlock::look_up(Slice rows, Slice columns, float* out) {
  const auto row_labels = labels_of(row_labels_, rows);
  const auto column_labels = labels_of(column_labels_, columns);
  table_->require(row_labels, column_labels);
  ranks_.clear();
  for (const LabelId column : column_labels) ranks_.push_back(table_->rank(column));
  for (const LabelId row : row_labels) {
    const float* const all = table_->row(row);
    for (const std::uint32_t rank : ranks_) *out++ = all[rank];
  }
}

void SimilarityBlock::compare(Slice rows, Slice columns, float* out) {
  const auto labels = labels_of(column_labels_, columns);
  for (std::size_t c = 0; c < labels.size(); c += LabelComparer::width) {
    comparer_.start(labels.subspan(c, std::min(LabelComparer::width, labels.size() - c)));
    comparer_.compare(labels_of(row_labels_, rows), labels.size(), out + c);
  }
}

std::size_t SimilarityBlock::value_count() const {
  std::size_t total = 0;
  for (const auto& [rows, columns] : parts_) total += rows.size() * columns.size();
  return total;
}

std::size_t SimilarityBlock::bytes(Slice rows, Slice columns) {
  collect(rows, columns);
  return value_count() * sizeof(float) + (table_ != nullptr ? SimilarityTable::bytes(labels_) : 0);
}

}  // namespace espalier
