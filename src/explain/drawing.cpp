#include "explain/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "explain/assets.hpp"
#include "explain/markup.hpp"

namespace espalier {

namespace {

std::string class_attribute(std::string_view classes) {
  return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string with_title(std::string_view element, std::string_view title) {
  if (title.empty()) return "/>\n";
  return fmt::format("><title>{}</title></{}>\n", escaped_markup(title), element);
}

/// Wraps the text into lines of at most `longest` characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t longest) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (!lines.back().empty() && lines.back().size() + 1 + end > longest) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string coordinate(double value) {
  const double tenths = std::round(value * 10);
  if (tenths == 0) return "0";  // never -0
  std::string out = fmt::format("{:.1f}", tenths / 10);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

void Drawing::line(Point from, Point to, std::string_view classes) {
  body_ +=
      fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", coordinate(from.x),
                  coordinate(from.y), coordinate(to.x), coordinate(to.y), class_attribute(classes));
}

void Drawing::rectangle(Point corner, double width, double height, std::string_view classes,
                        std::string_view title) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}",
                       coordinate(corner.x), coordinate(corner.y), coordinate(width),
                       coordinate(height), class_attribute(classes), with_title("rect", title));
}

void Drawing::circle(Point centre, double radius, std::string_view classes,
                     std::string_view title) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}{}", coordinate(centre.x),
                       coordinate(centre.y), coordinate(radius), class_attribute(classes),
                       with_title("circle", title));
}

void Drawing::text(Point at, std::string_view text, std::string_view classes) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", coordinate(at.x), coordinate(at.y),
                       class_attribute(classes), escaped_markup(text));
}

void Drawing::path(std::string_view commands, std::string_view classes) {
  body_ += fmt::format("<path d=\"{}\"{}/>\n", commands, class_attribute(classes));
}

void Drawing::open_group(std::string_view attributes) {
  body_ += attributes.empty() ? "<g>" : fmt::format("<g {}>", attributes);
}

void Drawing::title(std::string_view text) {
  body_ += fmt::format("<title>{}</title>", escaped_markup(text));
}

void Drawing::insert(Point corner, const Drawing& other) {
  body_ += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", coordinate(corner.x),
                       coordinate(corner.y), other.body_);
}

std::string inline_svg(const Figure& figure) {
  const std::string width = coordinate(figure.width), height = coordinate(figure.height);
  return fmt::format(
      "<svg class=\"figure\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"{2}\" "
      "aria-label=\"{3}\">\n{4}</svg>\n",
      width, height, figure.has_parts ? "group" : "img", escaped_markup(figure.title),
      figure.drawing.body());
}

std::string standalone_svg(const Figure& figure) {
  constexpr double margin = 16, top = 48, line_height = 16;
  const double width = figure.width + 2 * margin;
  const auto lines = wrapped(figure.caption, static_cast<std::size_t>(figure.width / 6.2));
  const double caption_top = top + figure.height + 24;
  const double height = caption_top + line_height * static_cast<double>(lines.size());
  Drawing page;
  page.rectangle({0, 0}, width, height, "ground");
  page.text({margin, 28}, figure.title, "heading");
  page.insert({margin, top}, figure.drawing);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    page.text({margin, caption_top + line_height * static_cast<double>(i)}, lines[i], "caption");
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" role=\"img\">\n<title>{2}</title>\n<style>\n{3}</style>\n"
      "{4}</svg>\n",
      coordinate(width), coordinate(height), escaped_markup(figure.title), figure_css, page.body());
}

}  // namespace espalier
