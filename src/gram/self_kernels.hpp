#pragma once

#include "gram/plan.hpp"

namespace espalier {

/// The value of each setting (outer) for row i against column i, for all i below `count` (inner).
std::vector<std::vector<double>> aligned_values(const Plan& plan, std::size_t count,
                                                std::size_t settings, const Context& context);

/// The divisors of a norm, from plans of the rows against themselves and of the columns against
/// themselves, which may be the same plan. Where a self-kernel overflows or underflows a double and
/// the plan is a leaf, Scaled numbers are used.
std::vector<NormLengths> norm_lengths(const Plan& rows, const Plan& columns, std::size_t row_count,
                                      std::size_t column_count, std::size_t settings,
                                      const Context& context);

}  // namespace espalier
