#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Escapes `text` for use in an element or in a quoted attribute. Control characters other than
/// line breaks, and invalid UTF-8, become U+FFFD.
std::string escaped_markup(std::string_view text);

/// At most `most` characters of `text`; if it was truncated, the last one is an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

/// Approximate width of `text` in a sans-serif font of that size; an overestimate.
double text_width(std::string_view text, double font_size);

/// The longest shortened() text that fits `width`; at least one character.
std::string fitted(std::string_view text, double font_size, double width);

}  // namespace espalier
