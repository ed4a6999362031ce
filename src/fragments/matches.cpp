#include <numeric>

#include "fragments/fragment_state.hpp"

namespace espalier {

void Matches::merge_equal() {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  const auto compared = [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare_three_way((*this)[a], (*this)[a] + stride, (*this)[b],
                                                  (*this)[b] + stride);
  };
  // Equal places by value, so that sums have the same bits whatever the order of vertices was.
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const auto places = compared(a, b);
    return places != 0 ? places < 0 : values[a] < values[b];
  });
  Matches merged{stride, {}, {}};
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && compared(order[k - 1], order[k]) == 0) {
      merged.values.back() += values[order[k]];
      continue;
    }
    merged.places.insert(merged.places.end(), (*this)[order[k]], (*this)[order[k]] + stride);
    merged.values.push_back(values[order[k]]);
  }
  *this = std::move(merged);
}

}  // namespace espalier
