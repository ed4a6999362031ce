#include "distributed/shuffle.hpp"

#include <algorithm>
#include <numeric>

#include "distributed/lanes.hpp"
#include "espalier/base/random.hpp"

namespace espalier::distributed {

namespace {

std::vector<std::uint32_t> random_order(std::uint64_t seed, const Slice& slice) {
  const std::size_t unit = slice.whole_blocks ? lane_count : 1;
  std::vector<std::uint32_t> order(slice.size / unit);
  std::iota(order.begin(), order.end(), 0U);
  Random(seed).shuffle(std::span(order));
  for (std::uint32_t& from : order) from *= static_cast<std::uint32_t>(unit);
  for (std::size_t i = order.size() * unit; i < slice.padded_size(); ++i) {
    order.push_back(static_cast<std::uint32_t>(i));
  }
  return order;
}

}  // namespace

std::vector<Slice> make_slices(std::uint64_t seed, std::size_t dimension, std::size_t width,
                               bool blocks) {
  const std::size_t count = width == 0 ? 1 : std::max<std::size_t>(1, dimension / width);
  const std::uint64_t start = Random(Random(seed ^ 0x73687566666C6573).next() + dimension).next();
  std::vector<Slice> slices(count);
  for (std::size_t i = 0; i < count; ++i) {
    Slice& slice = slices[i];
    slice.begin = i * width;
    slice.size = i + 1 < count ? width : dimension - slice.begin;
    slice.whole_blocks = blocks && slice.size % lane_count == 0;
    for (const Side side : {left_side, right_side}) {
      slice.order[side] = random_order(Random(start + 2 * i + side).next(), slice);
    }
  }
  return slices;
}

}  // namespace espalier::distributed
