#include "espalier/base/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace espalier {

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string print_number(double number) { return fmt::format("{}", number); }

}  // namespace espalier
