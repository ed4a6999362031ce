#pragma once

#include <string>
#include <string_view>

namespace espalier {

struct Point {
  double x = 0;
  double y = 0;
};

/// A coordinate with at most one decimal, as in "12.5".
std::string coordinate(double value);

/// Writes the elements of an SVG picture in drawing order. The style comes from CSS classes of
/// figure.css. Texts are escaped.
class Drawing {
 public:
  void line(Point from, Point to, std::string_view classes);
  void rectangle(Point corner, double width, double height, std::string_view classes,
                 std::string_view title = "");
  void circle(Point centre, double radius, std::string_view classes, std::string_view title = "");
  void text(Point at, std::string_view text, std::string_view classes = "");
  void path(std::string_view commands, std::string_view classes);
  /// Opens a group with these attributes, which are written verbatim.
  void open_group(std::string_view attributes);
  void close_group() { body_ += "</g>\n"; }
  /// The tooltip of a group; must be its first element.
  void title(std::string_view text);
  /// Inserts another picture with its top left corner at this point.
  void insert(Point corner, const Drawing& other);

  const std::string& body() const { return body_; }

 private:
  std::string body_;
};

/// A picture with title and caption.
struct Figure {
  std::string name;     ///< as in --svg NAME
  std::string title;    ///< the heading
  std::string caption;  ///< how to read it, and how much of the data is drawn
  double width = 0;
  double height = 0;
  Drawing drawing;
  bool has_parts = false;  ///< whether its elements can be selected (a group, not an image)
};

/// The <svg> element for a page that includes the style sheet.
std::string inline_svg(const Figure& figure);
/// A complete file with title, caption, style sheet and white background.
std::string standalone_svg(const Figure& figure);

}  // namespace espalier
