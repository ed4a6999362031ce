#pragma once

#include <algorithm>
#include <cstddef>

#include "espalier/base/matrix.hpp"

namespace espalier::baseline {

/// Fills a Gram matrix tile by tile, so that the trees of a tile stay in the cache: the lower half,
/// mirrored. `every` greater than 1 computes only every so many tiles, spread over the matrix.
/// Returns how many pairs were computed.
template <class PairKernel>
std::size_t tiled_gram(PairKernel& kernel, Matrix<double>& out, std::size_t every = 1,
                       std::size_t tile = 64) {
  std::size_t pairs = 0, number = 0;
  for (std::size_t top = 0; top < out.rows(); top += tile) {
    for (std::size_t left = 0; left <= top; left += tile) {
      if (number++ % every != 0) continue;
      for (std::size_t i = top; i < std::min(top + tile, out.rows()); ++i) {
        for (std::size_t j = left; j < std::min(left + tile, i + 1); ++j, ++pairs) {
          out(i, j) = out(j, i) = kernel(i, j);
        }
      }
    }
  }
  return pairs;
}

}  // namespace espalier::baseline
