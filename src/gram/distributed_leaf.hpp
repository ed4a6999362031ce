#pragma once

#include <memory>

#include "gram/distributed_side.hpp"
#include "kernel/leaf.hpp"

namespace espalier {

/// The dot products of distributed trees. Refers to both sides. Vectors that are not kept are
/// computed for each block, by threads that share `context.memory`.
std::unique_ptr<Leaf> make_distributed_leaf(const DistributedSide& rows,
                                            const DistributedSide& columns, const Context& context);

}  // namespace espalier
