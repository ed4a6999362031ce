#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// An escaping scheme that does not change the meaning of existing files. A backslash is an
/// ordinary character unless it belongs to a run of backslashes directly before a special
/// character. In such a run each pair of backslashes is one backslash, and an odd one escapes the
/// special character:
///
///     a\nb   is   a\nb        a\(b   is   a(b        a\\(   is   a\ and then a bracket
///
/// So "%d\n" and "9\/11", as found in syntax trees and treebanks, are read literally.

/// Position of the first unescaped character of `special` at or after `begin`; the size of the text
/// if there is none.
std::size_t find_special(std::string_view text, std::string_view special, std::size_t begin = 0);

/// Appends `text` to `out`, escaped. What is written next must be a special character or the end.
void append_escaped(std::string& out, std::string_view text, std::string_view special);

/// Unescapes a text that ends at a special character or at the end of the input. Returns `raw`
/// itself if there is nothing to unescape, otherwise a view of `scratch`.
std::string_view unescaped(std::string_view raw, std::string_view special, std::string& scratch);

}  // namespace espalier
