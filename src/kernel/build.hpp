#pragma once

#include <cstddef>
#include <span>

#include "espalier/kernel/kernel.hpp"
#include "kernel/expression.hpp"

namespace espalier {

/// Builds the kernel of an expression, with item `choice[i]` substituted for list i. Throws Error
/// with the position of an unknown name, or of a value of the wrong type, out of range or
/// misplaced.
KernelNode build_kernel(const Expression& expression, std::span<const std::size_t> choice);

}  // namespace espalier
