#include "espalier/base/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace espalier {

namespace {

/// A number that may be nan or infinite; infinite also where it is beyond the range of doubles.
std::optional<double> parse_any_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (rest != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? number : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const auto number = parse_any_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_not_finite(std::string_view text) {
  const auto number = parse_any_number(text);
  return number && !std::isfinite(*number);
}

std::string print_number(double number) { return fmt::format("{}", number); }

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view what, std::string_view plural_end) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : plural_end);
}

}  // namespace espalier
