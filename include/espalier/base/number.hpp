#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

/// Parses all of `text` as a finite number, independent of the locale; nothing if it is not one.
std::optional<double> parse_number(std::string_view text);

/// Whether all of `text` is a number that parse_number() rejects: nan, inf, or one beyond the range
/// of doubles.
bool is_not_finite(std::string_view text);

/// The shortest text that parses to exactly this number.
std::string print_number(double number);

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 tree", "1,234 trees".
std::string counted(std::uint64_t number, std::string_view what, std::string_view plural_end = "s");

}  // namespace espalier
