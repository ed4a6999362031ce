#include "learn/sweep.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t block = 64 * lanes;  // searched again for the index of the best

/// Calls visit(begin, count) for each block.
template <class Visit>
void for_blocks(std::size_t size, Visit&& visit) {
  for (std::size_t at = 0; at < size; at += block) visit(at, std::min(block, size - at));
}

/// The smallest value(k) for k below count.
template <class Value>
double lane_minimum(std::size_t count, Value&& value) {
  double low[lanes];
  for (double& l : low) l = std::numeric_limits<double>::infinity();
  const std::size_t whole = count - count % lanes;
  for (std::size_t k = 0; k < whole; k += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const double v = value(k + l);
      low[l] = v < low[l] ? v : low[l];
    }
  }
  for (std::size_t k = whole; k < count; ++k) low[0] = std::min(low[0], value(k));
  return *std::min_element(low, low + lanes);
}

/// The first index with this value. It exists; but if a compiler fuses multiplications in only one
/// of the loops, the last bit may differ, and the search must still stop.
template <class Value>
std::size_t find(double wanted, std::size_t count, Value&& value) {
  std::size_t k = 0;
  while (k + 1 < count && value(k) != wanted) ++k;
  return k;
}

}  // namespace

Smallest add_rows(double* products, const RowStep& a, const RowStep& b, const double* offsets,
                  std::size_t size) {
  Smallest best;
  const double step_a = a.step, step_b = b.step;
  for_blocks(size, [&](std::size_t at, std::size_t count) {
    double* __restrict const sums = products + at;
    const float* const row_a = a.row + at;
    const float* const row_b = b.row + at;
    for (std::size_t k = 0; k < count; ++k) {
      sums[k] += step_a * static_cast<double>(row_a[k]) + step_b * static_cast<double>(row_b[k]);
    }
    const auto value = [=](std::size_t k) { return sums[k] + offsets[at + k]; };
    const double low = lane_minimum(count, value);
    if (low < best.value) best = {low, at + find(low, count, value)};
  });
  return best;
}

Smallest smallest_sum(const double* products, const double* offsets, std::size_t size) {
  Smallest best;
  for_blocks(size, [&](std::size_t at, std::size_t count) {
    const auto value = [=](std::size_t k) { return products[at + k] + offsets[at + k]; };
    const double low = lane_minimum(count, value);
    if (low < best.value) best = {low, at + find(low, count, value)};
  });
  return best;
}

Partner best_partner(const double* products, const double* offsets, const double* selves,
                     const First& first, std::size_t size) {
  Partner best;
  double minus_largest = std::numeric_limits<double>::infinity();
  const double gradient = first.gradient, self = first.self;
  for_blocks(size, [&](std::size_t at, std::size_t count) {
    const double* const sums = products + at;
    const double* const downs = offsets + at;
    const double* const diagonal = selves + at;
    const float* const row = first.row + at;
    minus_largest = std::min(
        minus_largest, lane_minimum(count, [=](std::size_t k) { return -(sums[k] + downs[k]); }));
    const auto minus_gain = [=](std::size_t k) {
      const double d = sums[k] + downs[k] - gradient;
      const double gain = d * d / pair_curvature(self, diagonal[k], static_cast<double>(row[k]));
      return d > 0 ? -gain : 0;
    };
    const double low = lane_minimum(count, minus_gain);
    if (-low > best.gain) best = {0, -low, at + find(low, count, minus_gain)};
  });
  best.largest = -minus_largest;
  return best;
}

}  // namespace espalier
