#pragma once

#include "espalier/kernel/kernel.hpp"
#include "kernel/expression.hpp"

namespace espalier {

/// Builds the kernel of an expression, in which each list stands for its chosen operand. Throws
/// Error with the position of an unknown name, or of a value of the wrong type, out of range or
/// misplaced.
KernelNode build_kernel(const Syntax& expression);

}  // namespace espalier
