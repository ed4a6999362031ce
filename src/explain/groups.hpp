#pragma once

#include <string>

#include "espalier/explain/report.hpp"

namespace espalier {

/// There are so many colours for classes; after that they begin anew, and numbers tell more.
inline constexpr std::size_t colour_count = 8;

/// The class of the style sheet with the colour of a group.
std::string colour_of(const Report& report, std::size_t group);

/// What stands in the circles of a group where there are fewer colours than groups: its name if
/// all names are short, else its number; empty where colours suffice.
std::string mark_of(const Report& report, std::size_t group);

/// The name of a group, after its number if that is its mark.
std::string name_of(const Report& report, std::size_t group);

/// "class", or what else the groups are.
std::string group_word(const Report& report);
/// The name within a sentence: "class HUM".
std::string full_name_of(const Report& report, std::size_t group);

/// How many groups are drawn: all, if there are not too many.
std::size_t drawn_groups(const Report& report);

}  // namespace espalier
