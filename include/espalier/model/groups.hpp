#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"

namespace espalier {

/// Which examples belong together: a split never separates them.
struct GroupOptions {
  std::optional<std::string> groups = {};  ///< "name" or "member/name"
  bool group_duplicates = true;

  static void describe(auto& self, auto&& field) {
    field("groups", self.groups,
          "text that examples of a group have in common; no group is in both parts of a split",
          {.common = true, .affects = Affects::task});
    field("group_duplicates", self.group_duplicates,
          "keep examples with identical trees in the same part of a split",
          {.affects = Affects::task});
  }
  friend bool operator==(const GroupOptions&, const GroupOptions&) = default;
};

/// Groups of examples, numbered by their first example.
struct ExampleGroups {
  std::vector<std::uint32_t> group_of;  ///< per example
  std::size_t count = 0;
  std::size_t duplicates = 0;  ///< examples whose trees an earlier example has too

  /// The groups of some examples, by their old numbers.
  std::vector<std::uint32_t> select(std::span<const std::uint32_t> examples) const;
};

/// Examples that have the text in common or, unless that is turned off, identical trees in all
/// columns; and those connected by a chain of such examples. Examples without trees have no
/// duplicates. O(n log n). Throws Error, with the names of the texts, if there is no such text or
/// an example lacks it.
ExampleGroups example_groups(const Dataset& data, const GroupOptions& options);

/// Per example: the number of its text, by first occurrence. Throws Error as example_groups().
std::vector<std::uint32_t> text_groups(const Dataset& data, const std::string& name);

}  // namespace espalier
