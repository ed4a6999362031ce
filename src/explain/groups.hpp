#pragma once

#include <string>

#include "espalier/explain/report.hpp"

namespace espalier {

/// There are so many colours for classes; after that they begin anew, and numbers tell more.
inline constexpr std::size_t colour_count = 8;

/// The class of the style sheet with the colour of a group.
std::string colour_of(const Report& report, std::size_t group);

/// Whether groups need numbers because there are fewer colours.
bool has_numbers(const Report& report);

/// The name of a group, after its number where groups have numbers.
std::string name_of(const Report& report, std::size_t group);

/// "class", or what else the groups are.
std::string group_word(const Report& report);

/// How many groups are drawn: all, if there are not too many.
std::size_t drawn_groups(const Report& report);

}  // namespace espalier
