#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/parameter.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// A kernel on trees or vectors. Values are in the order of the parameters.
struct LeafRow {
  std::string_view name;
  std::string_view description;
  bool on_vectors;
  std::vector<ParameterRow> (*parameters)();
  /// The kernel on the trees or vectors called `operand`; one value for each parameter.
  KernelNode (*make)(std::string operand, std::span<const Value> values);
  /// The parameter values of a kernel of this row; nothing for any other node.
  std::optional<std::vector<Value>> (*values)(const KernelNode& node);
};

/// What the operand of a combination is applied to.
enum class Applied { to_example, to_members, to_trees };

/// A kernel made from one other kernel.
struct CombinationRow {
  std::string_view name;
  std::string_view description;
  Combination how;
  Applied applied;
};

/// All kernels on trees and vectors: the alternatives of TreeKernelNode and VectorKernelNode.
std::span<const LeafRow> leaf_kernels();

/// All combinations of one kernel.
std::span<const CombinationRow> combinations();

/// What restricts a kernel on trees to some labels.
inline constexpr std::string_view select_name = "select";

}  // namespace espalier
