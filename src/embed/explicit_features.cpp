#include "espalier/embed/explicit_features.hpp"

#include <algorithm>

#include "embed/feature_part.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

bool has_explicit_features(const Kernel& kernel) {
  return make_feature_part(kernel.root(), {}) != nullptr;
}

ExplicitFeatures::ExplicitFeatures(const FittedKernel& kernel)
    : root_(make_feature_part(kernel.root(), {kernel.state})) {
  if (!root_) {
    throw Error("the kernel " + kernel.to_string() +
                " has no explicit features: st(..), dtk(..), linear(..), cosine(..) and their "
                "norms, sums and pairs have");
  }
}
ExplicitFeatures::~ExplicitFeatures() = default;
ExplicitFeatures::ExplicitFeatures(ExplicitFeatures&&) noexcept = default;
ExplicitFeatures& ExplicitFeatures::operator=(ExplicitFeatures&&) noexcept = default;

void ExplicitFeatures::fit(const Dataset& data) {
  columns_ = 0;
  const Side side{&data, ""};
  root_->fit({&side, 1}, columns_);
}

FeatureMatrix ExplicitFeatures::matrix(const Dataset& data, const Context& context) const {
  if (auto dense = root_->dense_rows({&data, ""}, context)) {
    check_range(dense->exponents);
    return std::move(dense->values);
  }
  return transform(data, context);
}

SparseMatrix ExplicitFeatures::transform(const Dataset& data, const Context& context) const {
  const Rows rows = root_->rows({&data, ""}, context);
  check_range(rows.exponents);
  SparseMatrix out(columns_);
  std::vector<std::pair<std::uint32_t, double>> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t begin = rows.begin[i], count = rows.begin[i + 1] - begin;
    const auto in_order = std::span(rows.columns).subspan(begin, count);
    const auto numbers = std::span(rows.values).subspan(begin, count);
    if (std::ranges::is_sorted(in_order) && std::ranges::find(numbers, 0) == numbers.end()) {
      out.add_row(in_order, numbers);
      continue;
    }
    row.clear();
    for (std::size_t at = begin; at < begin + count; ++at) {
      if (rows.values[at] != 0) row.emplace_back(rows.columns[at], rows.values[at]);
    }
    std::ranges::sort(row);
    columns.clear();
    values.clear();
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    out.add_row(columns, values);
  }
  return out;
}

std::string ExplicitFeatures::name(std::size_t column) const {
  return root_->name(static_cast<std::uint32_t>(column));
}

}  // namespace espalier
