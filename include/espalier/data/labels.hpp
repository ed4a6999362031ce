#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "espalier/data/dataset.hpp"

namespace espalier {

/// The number that a label is: its value, or its name if that is the text of a finite number.
std::optional<double> number_of(const Dataset& data, const LabelEntry& label);

/// The class that a label is: its name, or its value as text if it has no name.
std::string class_of(const Dataset& data, const LabelEntry& label);

/// How many labels of a data set are of each kind. What they mean is decided over all of them.
struct LabelKinds {
  std::uint64_t names = 0;     ///< not numbers
  std::uint64_t integers = 0;  ///< whole numbers without a name
  std::uint64_t numbers = 0;   ///< other numbers, and numbers with a name ("score:3")

  /// Whether the labels are numbers to be predicted. They are classes if some are names, or if all
  /// are integers.
  bool regression() const { return names == 0 && numbers > 0; }
  /// A warning if there are both names and numbers; otherwise empty.
  std::string warning() const;
};

/// Counts the labels of the examples. Throws Error, naming the example, if some are numbers and
/// another is nan, infinite or too large to be represented. Linear.
LabelKinds count_labels(const Dataset& data);

}  // namespace espalier
