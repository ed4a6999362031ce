#pragma once

#include <string>

#include "espalier/explain/report.hpp"

namespace espalier {

/// Number of colours for classes. With more classes colours repeat, and marks distinguish them.
inline constexpr std::size_t colour_count = 8;

/// The CSS class with the colour of a group.
std::string colour_of(const Report& report, std::size_t group);

/// The text in the circles of a group if there are more groups than colours: its name if all names
/// are short, otherwise its number. Empty if colours suffice.
std::string mark_of(const Report& report, std::size_t group);

/// The name of a group, prefixed by its number if that is its mark.
std::string name_of(const Report& report, std::size_t group);

/// "class" or "range of frequency".
std::string group_word(const Report& report);
/// The name within a sentence: "class HUM".
std::string full_name_of(const Report& report, std::size_t group);

/// Number of groups drawn: all, up to most_groups.
std::size_t drawn_groups(const Report& report);

}  // namespace espalier
