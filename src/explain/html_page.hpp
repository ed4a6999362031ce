#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// A page in one file that needs no network, with the style sheets of figures and reports.
/// `title` is escaped; `body` and `script` are written as they are. No other script can run.
std::string html_page(std::string_view title, std::string_view body, std::string_view script = "");

}  // namespace espalier
