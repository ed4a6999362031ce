#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Whitespace as JSON, XML, Newick and most formats define it.
inline constexpr std::string_view blanks = " \t\r\n";

/// Lower-cases ASCII letters only, in any locale; for keywords of formats.
inline std::string ascii_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace espalier
