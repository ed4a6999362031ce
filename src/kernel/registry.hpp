#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// A value of an enumeration parameter.
struct Choice {
  std::size_t index;  ///< in Parameter::choices
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The value of any parameter.
using Value = std::variant<double, bool, Choice, std::string>;

/// A parameter of a kernel, from describe() of its options.
struct Parameter {
  std::string_view name;
  std::string_view other_name;  ///< alias; may be empty
  std::string_view help;
  Range range;                            ///< of a number
  bool whole = false;                     ///< whether a number must be an integer
  std::vector<std::string_view> choices;  ///< of a Choice
  Value standard;                         ///< the default; defines the type
};

/// "[0, 1]", or "[0, inf)" without an upper bound.
std::string range_text(const Range& range);

/// A kernel on trees or vectors. Values are in the order of the parameters.
struct LeafRow {
  std::string_view name;
  std::string_view description;
  bool on_vectors;
  std::vector<Parameter> (*parameters)();
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

/// All kernels on trees and vectors. To add one, write its options, give them a place in the
/// variant of TreeKernelNode or VectorKernelNode, and add a row.
std::span<const LeafRow> leaf_kernels();

/// All combinations of one kernel.
std::span<const CombinationRow> combinations();

}  // namespace espalier
