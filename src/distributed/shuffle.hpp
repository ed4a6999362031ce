#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier::distributed {

/// Consecutive entries of all vectors, which the shuffles keep together. In memory a slice is made
/// up to whole blocks of 8; what is added stays where it is and reaches no result.
struct Slice {
  std::size_t begin = 0;  ///< in the whole vector: a multiple of 1024
  std::size_t size = 0;
  bool whole_blocks = false;
  /// Per side: where block i (whole_blocks) or entry i comes from, as a place in the slice.
  std::vector<std::uint32_t> order[2];

  std::size_t blocks() const { return (size + 7) / 8; }
  std::size_t padded_size() const { return 8 * blocks(); }
};

/// The slices of vectors of that dimension with their shuffles, as distributed_trees.hpp defines
/// them. `width` is the size of slices; 0: there is only one.
std::vector<Slice> make_slices(std::uint64_t seed, std::size_t dimension, std::size_t width);

}  // namespace espalier::distributed
