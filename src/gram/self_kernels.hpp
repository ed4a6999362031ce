#pragma once

#include "gram/plan.hpp"

namespace espalier {

/// The value of each setting (outer) for row i against column i, for all i below `count` (inner).
std::vector<std::vector<double>> aligned_values(const Plan& plan, std::size_t count,
                                                std::size_t settings, const Context& context);

/// What a norm divides by: from plans of the rows against themselves and of the columns against
/// themselves, which may be one and the same. Where a self-kernel is too large or too small for a
/// double and the plan is a leaf, numbers without that limit are used.
std::vector<NormLengths> norm_lengths(const Plan& rows, const Plan& columns, std::size_t row_count,
                                      std::size_t column_count, std::size_t settings,
                                      const Context& context);

}  // namespace espalier
