#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Appends `text` to the label `out`, collapsing whitespace to single blanks and dropping it at the
/// beginning. May be called for consecutive pieces of a text.
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

/// Finishes the label: drops a blank at the end.
inline std::string_view end_label_text(std::string& text) {
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace espalier
