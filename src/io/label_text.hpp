#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Appends `text` to `out` as a label can hold it: each run of blanks, tabs and line ends is one
/// blank, and there is none at the beginning. Pieces of a text may come one after the other.
inline void append_label_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
}

/// Ends the pieces: drops a blank at the end.
inline std::string_view end_label_text(std::string& text) {
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace espalier
