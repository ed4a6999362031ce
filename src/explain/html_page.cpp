#include "explain/html_page.hpp"

#include <fmt/format.h>

#include "espalier/version.hpp"
#include "explain/assets.hpp"
#include "explain/markup.hpp"

namespace espalier {

std::string html_page(std::string_view title, std::string_view body, std::string_view script) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; {}img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n{}"
      "<footer>Made by espalier {}. One file that needs no network; it may be printed.</footer>\n"
      "</main>\n{}</body>\n</html>\n",
      script.empty() ? "" : "script-src 'unsafe-inline'; ", escaped_markup(title), figure_css,
      report_css, body, version,
      script.empty() ? "" : fmt::format("<script>\n{}</script>\n", script));
}

}  // namespace espalier
