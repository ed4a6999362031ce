#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "espalier/data/example.hpp"

namespace espalier {

/// The text of an example on one line: the first text other than "id", otherwise the leaves of the
/// first tree; of a pair, those of both members. Each is cut off after `most` bytes.
std::string example_text(const Example& example,
                         std::size_t most = std::numeric_limits<std::size_t>::max());

/// The beginning of a text: at most 70 bytes, then two dots.
std::string shortened(const std::string& text);

}  // namespace espalier
