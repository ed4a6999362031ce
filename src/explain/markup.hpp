#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// `text` as the content of an element or of an attribute in quotes, whatever it holds: markup is
/// escaped; control characters except line ends, and what is not UTF-8, become U+FFFD.
std::string escaped_markup(std::string_view text);

/// At most `most` characters of `text`; the last one is an ellipsis if some are missing.
std::string shortened(std::string_view text, std::size_t most);

/// About how wide `text` is drawn in a sans-serif font of that size. Rather too wide than too
/// narrow.
double text_width(std::string_view text, double font_size);

/// The longest shortened() form that is not wider than `width`; at least one character.
std::string fitted(std::string_view text, double font_size, double width);

}  // namespace espalier
