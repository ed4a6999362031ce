#pragma once

#include <string>
#include <string_view>

namespace espalier {

struct Point {
  double x = 0;
  double y = 0;
};

/// Coordinates with at most one decimal, as in "12.5".
std::string coordinate(double value);

/// The elements of an SVG picture, in the order in which they are drawn. Looks come from the
/// classes of the style sheet figure.css; texts are escaped here.
class Drawing {
 public:
  void line(Point from, Point to, std::string_view classes);
  void rectangle(Point corner, double width, double height, std::string_view classes,
                 std::string_view title = "");
  void circle(Point centre, double radius, std::string_view classes, std::string_view title = "");
  void text(Point at, std::string_view text, std::string_view classes = "");
  void path(std::string_view commands, std::string_view classes);
  /// Everything up to close_group() has these attributes, which are written as they are.
  void open_group(std::string_view attributes);
  void close_group() { body_ += "</g>\n"; }
  /// What a mouse over the group shows; first in a group.
  void title(std::string_view text);
  /// Another picture with its corner at this point.
  void insert(Point corner, const Drawing& other);

  const std::string& body() const { return body_; }

 private:
  std::string body_;
};

/// A picture with what is said about it.
struct Figure {
  std::string name;     ///< short, as in --svg NAME
  std::string title;    ///< a heading
  std::string caption;  ///< how to read it, with the numbers of what is drawn and what is not
  double width = 0;
  double height = 0;
  Drawing drawing;
  bool has_parts = false;  ///< whether readers can go from part to part, or it is one picture
};

/// The <svg> element to stand within a page that has the style sheet.
std::string inline_svg(const Figure& figure);
/// A file of its own, with title, caption, style sheet and a white ground.
std::string standalone_svg(const Figure& figure);

}  // namespace espalier
