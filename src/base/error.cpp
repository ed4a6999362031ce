#include "espalier/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/utf8.hpp"

namespace espalier {

namespace {

std::string describe(const Location& location, std::string_view message, std::string_view near) {
  std::string line =
      fmt::format("{}:{}:{}: {}", location.file, location.line, location.column, message);
  if (!near.empty()) line += ", near " + in_quotes(near);
  return line;
}

}  // namespace

InputError::InputError(Location location, std::string_view message, std::string_view near)
    : Error(describe(location, message, near)), location_(std::move(location)) {}

InputError InputError::followed_by(std::string_view more) const {
  InputError out = *this;
  static_cast<Error&>(out) = Error(what() + std::string(more));
  return out;
}

ExampleError::ExampleError(std::size_t example, std::string message)
    : Error(fmt::format("example {} {}", example + 1, message)),
      example_(example),
      message_(std::move(message)) {}

std::string printable(std::string_view text, std::string_view keep) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    const bool control = byte < 0x20 || byte == 0x7F;
    if (control && keep.find(text[k]) == std::string_view::npos) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F
      out += fmt::format("\\x{:02x}", next);
      ++k;
    } else {
      out += text[k];
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  const std::size_t length = character_start(text, longest);
  return "'" + printable(text.substr(0, length)) + (length < text.size() ? "...'" : "'");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace espalier
