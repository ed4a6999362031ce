#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// Turns what DistributedTrees::transform_scaled() gave into plain rows: of length 1 (zeros stay
/// zeros), or as they are. Returns the rows that do not fit single precision as they are, which
/// become zeros; rows of length 1 always fit.
std::vector<std::size_t> finish_rows(Matrix<float>& rows, std::span<const int> exponents,
                                     bool normalize);

}  // namespace espalier
