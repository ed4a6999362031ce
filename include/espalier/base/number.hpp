#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

/// The number that all of `text` spells, in any locale; nothing if it is none or not finite.
std::optional<double> parse_number(std::string_view text);

/// The shortest text that reads back as exactly this number.
std::string print_number(double number);

}  // namespace espalier
