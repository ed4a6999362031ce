#include "espalier/learn/gram_view.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

void check_square(const Matrix<float>& gram) {
  if (gram.rows() == gram.columns()) return;
  throw Error(fmt::format("the training Gram matrix has {} rows but {} columns: it must be square",
                          gram.rows(), gram.columns()));
}

/// Bits rather than std::isfinite: this way the compiler vectorises the loop.
bool all_finite(std::span<const float> row) {
  constexpr std::uint32_t exponent = 0x7F800000;
  std::uint32_t bad = 0;
  for (const float value : row) {
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & exponent) == exponent);
  }
  return bad == 0;
}

}  // namespace

GramView::GramView(const Matrix<float>& gram) : gram_(&gram), examples_(gram.rows()) {
  check_square(gram);
  std::iota(examples_.begin(), examples_.end(), 0U);
}

GramView::GramView(const Matrix<float>& gram, std::span<const std::uint32_t> examples)
    : gram_(&gram), examples_(examples.begin(), examples.end()) {
  check_square(gram);
  for (const std::uint32_t e : examples) {
    if (e >= gram.rows()) {
      throw Error(
          fmt::format("there is no example {}: the Gram matrix has {} rows", e, gram.rows()));
    }
  }
}

GramView GramView::select(std::span<const std::uint32_t> positions) const {
  std::vector<std::uint32_t> examples;
  examples.reserve(positions.size());
  for (const std::uint32_t p : positions) examples.push_back(examples_.at(p));
  return GramView(*gram_, examples);
}

void GramView::check_finite() const {
  for (const std::uint32_t a : examples_) {
    const auto row = gram_->row(a);
    if (all_finite(row)) continue;
    for (const std::uint32_t b : examples_) {
      if (std::isfinite(row[b])) continue;
      throw Error(
          fmt::format("the kernel of examples {} and {} is {}: training needs finite kernels; "
                      "norm(..) keeps a kernel between -1 and 1",
                      a + 1, b + 1, row[b]));
    }
  }
}

}  // namespace espalier
