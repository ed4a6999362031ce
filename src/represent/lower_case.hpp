#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Appends `text` (UTF-8) in lower case: Latin, Greek, Cyrillic and Armenian letters with a single
/// lower-case letter. Everything else is kept, including invalid bytes. Does not depend on the
/// locale.
void append_lower_case(std::string& out, std::string_view text);

}  // namespace espalier
