#pragma once

#include <cstdint>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// The subtrees of examples as sparse features that are named by hashes instead of columns, so that
/// data sets that never meet can be compared. Rows are concatenated; hashes ascend within a row.
struct SubtreeHashes {
  std::vector<std::uint64_t> begins = {0};  ///< one more than rows
  std::vector<std::uint64_t> hashes;        ///< of the content of a subtree: the same everywhere
  std::vector<double> values;               ///< positive; their products are the kernel
};

/// The features of st(..) or norm(st(..)): the dot product of two rows is the kernel of the two
/// examples, but for subtrees whose 64-bit hashes collide, which add to it. A row is empty if the
/// example has no tree. Linear in the distinct subtrees of the data and in the result. Throws Error
/// for other kernels, for kappa=min, and for weights that are learned.
SubtreeHashes subtree_hashes(const Kernel& kernel, const Dataset& data);

}  // namespace espalier
