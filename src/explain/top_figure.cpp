#include <fmt/format.h>

#include <algorithm>

#include "explain/choose.hpp"
#include "explain/figures.hpp"
#include "explain/groups.hpp"
#include "explain/markup.hpp"
#include "explain/tree_layout.hpp"
#include "explain/words.hpp"

namespace espalier {

std::size_t top_count(const Report& report) {
  const std::size_t groups = drawn_groups(report);
  return groups <= 6 ? 6 : groups <= 12 ? 4 : groups <= 30 ? 3 : 2;
}

Figure top_figure(const Report& report) {
  constexpr double width = 1000, gap = 24, header = 28, font_size = 11;
  Figure figure{"top",
                report.has_classes ? "Strongest subtrees of each class"
                                   : "Most frequent subtrees of each range",
                "",
                width,
                0,
                {}};
  figure.caption = top_caption(report);
  double y = 0;
  for (std::uint32_t g = 0; g < drawn_groups(report); ++g) {
    const auto top = top_of_group(report, g, top_count(report));
    if (top.empty()) continue;
    figure.drawing.rectangle({0, y + 6}, 12, 12, "fill " + colour_of(report, g));
    figure.drawing.text({18, y + 16}, full_name_of(report, g), "strong");
    y += header;
    double x = 0, tallest = 0;
    for (const std::size_t i : top) {
      const ChosenSubtree& subtree = report.chosen[i];
      const Figure tree = tree_figure(report.forest, subtree.vertex);
      const CountsText counts = counts_text(report, subtree);
      const std::string weight =
          fmt::format("weight {}{}{}", weight_text(report.facts[subtree.vertex].weight),
                      report.facts[subtree.vertex].by_absence ? ", by absence" : "",
                      tree.caption.empty() ? "" : ", " + tree.caption);
      const double wide =
          std::max({tree.width, text_width(counts.own, font_size), text_width(weight, font_size)});
      if (x > 0 && x + wide > width) {
        y += tallest + 66;
        x = tallest = 0;
      }
      figure.drawing.insert({x, y}, tree.drawing);
      figure.drawing.text({x, y + tree.height + 14}, weight);
      figure.drawing.text({x, y + tree.height + 29}, counts.own, "muted");
      figure.drawing.text({x, y + tree.height + 44}, counts.others, "muted");
      tallest = std::max(tallest, tree.height);
      figure.width = std::max(figure.width, wide);
      x += wide + gap;
    }
    y += tallest + 72;
  }
  figure.height = y;
  return figure;
}

std::string top_caption(const Report& report) {
  return fmt::format(
      "Up to {} subtrees with the largest weights for each {}; those that are only a part of a "
      "larger one, in the same number of trees, are left out. +N stands for N nodes that are not "
      "drawn.",
      top_count(report), group_word(report));
}

}  // namespace espalier
