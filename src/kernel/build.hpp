#pragma once

#include <cstddef>
#include <span>

#include "espalier/kernel/kernel.hpp"
#include "kernel/expression.hpp"

namespace espalier {

/// The kernel that the expression means, with number `choice[i]` of list i in its place. Throws
/// Error with the position of what is unknown, of the wrong type, out of range or in the wrong
/// place.
KernelNode build_kernel(const Expression& expression, std::span<const std::size_t> choice);

}  // namespace espalier
