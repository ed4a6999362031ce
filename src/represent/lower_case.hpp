#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Appends `text` (UTF-8) in lower case: Latin, Greek, Cyrillic and Armenian letters that have one
/// small letter each. All else, wrong bytes too, stays as it is. The same on every machine,
/// whatever its locale.
void append_lower_case(std::string& out, std::string_view text);

}  // namespace espalier
