#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier::distributed {

/// Consecutive components that are shuffled only among themselves. In memory a slice is padded to
/// whole blocks of 8; the padding is not shuffled and does not affect results.
struct Slice {
  std::size_t begin = 0;  ///< in the whole vector: a multiple of 1024
  std::size_t size = 0;
  bool whole_blocks = false;
  /// Per side: the source of block i (whole_blocks) or component i, as an index into the slice.
  std::vector<std::uint32_t> order[2];

  std::size_t blocks() const { return (size + 7) / 8; }
  std::size_t padded_size() const { return 8 * blocks(); }
  /// Where component i comes from.
  std::size_t source(std::size_t side, std::size_t i) const {
    if (!whole_blocks) return order[side][i];
    constexpr std::uint8_t lanes[2][8] = {{2, 5, 0, 7, 1, 4, 3, 6}, {4, 3, 6, 0, 7, 2, 1, 5}};
    return order[side][i / 8] + lanes[side][i % 8];
  }
};

/// The slices of vectors of that dimension with their shuffles, as specified in
/// distributed_trees.hpp. `width` is the size of a slice; 0: a single slice. `blocks`: whether
/// slices of a multiple of 8 are shuffled block by block.
std::vector<Slice> make_slices(std::uint64_t seed, std::size_t dimension, std::size_t width,
                               bool blocks);

}  // namespace espalier::distributed
