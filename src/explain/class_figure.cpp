#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "explain/figures.hpp"
#include "explain/groups.hpp"
#include "explain/histogram.hpp"
#include "explain/markup.hpp"

namespace espalier {

namespace {

constexpr std::size_t most_per_column = 26;
constexpr double column_width = 440, row_height = 18, top = 6;

std::string class_name(const Report& report, std::size_t c) {
  return report.has_classes ? name_of(report, c) : report.classes[c].name;
}

/// Horizontal bars in one column, or in several if there are many classes.
void draw_bars(const Report& report, std::size_t shown, std::size_t rows, Figure& figure) {
  const std::size_t columns = (shown + rows - 1) / rows;
  const double wide =
      columns > 1 ? std::max(220.0, 900 / static_cast<double>(columns)) : column_width;
  const double count_width = 100;
  double name_width = 20;
  for (std::size_t c = 0; c < shown; ++c) {
    name_width = std::max(name_width, text_width(class_name(report, c), 11) + 12);
  }
  name_width = std::min(name_width, columns > 1 ? 80.0 : 130.0);
  figure.width = wide * static_cast<double>(columns);
  figure.height = top + row_height * static_cast<double>(rows) + 8;
  const auto most = static_cast<double>(report.classes[0].trees);
  std::uint64_t all = 0;
  for (const Group& group : report.classes) all += group.trees;
  for (std::size_t c = 0; c < shown; ++c) {
    const auto count = static_cast<double>(report.classes[c].trees);
    const std::size_t column = c / rows;
    const double x = wide * static_cast<double>(column) + name_width;
    const double y = top + row_height * static_cast<double>(c % rows);
    const double length = std::max(1.0, count / most * (wide - name_width - count_width));
    const std::string name = class_name(report, c);
    Drawing& drawing = figure.drawing;
    drawing.open_group(fmt::format("class=\"class-bar {}\" data-group=\"{}\"",
                                   report.has_classes ? colour_of(report, c) : "s1", c));
    drawing.title(fmt::format("{}: {}", name, counted(report.classes[c].trees, "example")));
    drawing.text({x - 8, y + 13}, fitted(name, 11, name_width - 10), "end");
    drawing.rectangle({x, y + 3}, length, row_height - 6, "fill");
    drawing.text({x + length + 6, y + 13},
                 fmt::format("{} ({:.1f} %)", grouped(report.classes[c].trees),
                             100 * count / static_cast<double>(all)),
                 "muted");
    drawing.close_group();
  }
}

}  // namespace

Figure class_figure(const Report& report) {
  if (!report.numbers.empty()) {
    return histogram_figure(report.numbers, false,
                            {"classes", "Numbers as labels", "Number to predict", "example"});
  }
  Figure figure{"classes", "Examples per class", "", column_width, 60, {}};
  if (report.classes.empty()) {
    figure.caption = "The examples have no labels.";
    figure.drawing.text({column_width / 2, 34}, "no labels", "middle muted");
    return figure;
  }
  const std::size_t shown = std::min(report.classes.size(), most_groups);
  const std::size_t columns = (shown + most_per_column - 1) / most_per_column;
  draw_bars(report, shown, (shown + columns - 1) / columns, figure);
  figure.caption = counted(report.classes.size(), "class", "es") + ", most frequent first.";
  if (shown < report.classes.size()) {
    figure.caption +=
        fmt::format(" The {} smallest are not drawn.", grouped(report.classes.size() - shown));
  }
  if (report.unlabelled > 0) {
    figure.caption += fmt::format(" {} without a class.", counted(report.unlabelled, "example"));
  }
  return figure;
}

}  // namespace espalier
