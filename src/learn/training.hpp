#pragma once

#include <cstdint>
#include <span>

#include "espalier/learn/svm.hpp"

namespace espalier {

// What the trainers share.

/// Throws an Error unless the value is finite and above 0.
void check_above_zero(const char* name, double value);

/// Throws an Error unless there are examples, with finite kernels, and the options are sound.
void check_trainable(const GramView& view, const SolverOptions& options);

/// train_svc() of arguments that are known to be sound.
Machine separate(const GramView& view, std::span<const std::int8_t> signs,
                 std::span<const double> costs, const SolverOptions& options,
                 const Context& context);

}  // namespace espalier
