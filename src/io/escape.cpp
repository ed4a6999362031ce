#include "espalier/io/escape.hpp"

namespace espalier {

namespace {

std::size_t run_of_backslashes(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find_first_not_of('\\', begin);
  return (end == std::string_view::npos ? text.size() : end) - begin;
}

bool is_special(std::string_view text, std::size_t at, std::string_view special) {
  return at < text.size() && special.find(text[at]) != std::string_view::npos;
}

}  // namespace

std::size_t find_special(std::string_view text, std::string_view special, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::size_t run = run_of_backslashes(text, i);
      i += run;
      if (run % 2 == 1) continue;  // this character is escaped
      if (i == text.size()) break;
    }
    if (special.find(text[i]) != std::string_view::npos) return i;
  }
  return text.size();
}

void append_escaped(std::string& out, std::string_view text, std::string_view special) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t run = run_of_backslashes(text, i);
    const bool at_end = i + run == text.size();
    const bool before_special = is_special(text, i + run, special);
    out.append(at_end || before_special ? 2 * run : run, '\\');
    i += run;
    if (at_end) break;
    if (before_special) out += '\\';
    out += text[i++];
  }
}

std::string_view unescaped(std::string_view raw, std::string_view special, std::string& scratch) {
  if (raw.find('\\') == std::string_view::npos) return raw;
  scratch.clear();
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t run = run_of_backslashes(raw, i);
    const bool at_end = i + run == raw.size();
    const bool halved = at_end || is_special(raw, i + run, special);
    // A trailing odd backslash escapes nothing. Files of other programs may have one; it is kept.
    scratch.append(halved ? run / 2 + (at_end ? run % 2 : 0) : run, '\\');
    i += run;
    if (!at_end) scratch += raw[i++];
  }
  return scratch;
}

}  // namespace espalier
