#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Escaping that leaves foreign files alone. A backslash is an ordinary character, except in a run
/// of them that stands directly before a special one. There, each pair of backslashes is one
/// backslash, and an odd one left over makes the special character an ordinary one:
///
///     a\nb   is   a\nb        a\(b   is   a(b        a\\(   is   a\ and then a bracket
///
/// So "%d\n" and "9\/11", as they stand in syntax trees and treebanks, mean themselves.

/// The number of bytes before the first character of `special` that is not escaped, from `begin`
/// on; the end of the text if there is none.
std::size_t find_special(std::string_view text, std::string_view special, std::size_t begin = 0);

/// The text that stands for `text`: appended to `out`. What is written next must be a special
/// character or the end.
void append_escaped(std::string& out, std::string_view text, std::string_view special);

/// What a text that was cut out up to a special character or the end stands for. Returns `raw`
/// itself when it holds no escape, else a view of `scratch`.
std::string_view unescaped(std::string_view raw, std::string_view special, std::string& scratch);

}  // namespace espalier
