#include "text.hpp"

#include <fmt/format.h>

namespace espalier::cli {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view what, std::string_view plural_end) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : plural_end);
}

}  // namespace espalier::cli
