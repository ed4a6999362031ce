#include <fmt/format.h>

#include <unordered_map>

#include "espalier/base/number.hpp"
#include "explain/figures.hpp"
#include "explain/forest_layout.hpp"
#include "explain/groups.hpp"
#include "explain/markup.hpp"
#include "explain/words.hpp"

namespace espalier {

namespace {

std::string height_text(std::uint32_t height) {
  return height < 10000 ? fmt::format("{}", height) : fmt::format("{}k", height / 1000);
}

std::string heights_text(const ForestRow& row) {
  const std::uint32_t first = heights_of(row.first_level).first;
  const std::uint32_t last = heights_of(row.last_level).last;
  return first == last ? height_text(first) : height_text(first) + "–" + height_text(last);
}

std::string one_line(const CountsText& counts) {
  return counts.others.empty() ? counts.own : counts.own + ", " + counts.others;
}

void draw_band(const Report& report, const ForestBand& band, Drawing& drawing) {
  using L = ForestLayout;
  drawing.text({L::left - 8, band.top + 14}, "height", "end axis-title");
  drawing.text({L::width, band.top + 14}, "not drawn", "end axis-title");
  for (std::size_t g = band.first_group; g < band.end_group; ++g) {
    const double x = band.columns[g - band.first_group];
    const double width = band.columns[g - band.first_group + 1] - x;
    drawing.open_group(
        fmt::format("class=\"column {}\" data-group=\"{}\"", colour_of(report, g), g));
    drawing.title(name_of(report, g));
    drawing.rectangle({x + 5, band.top + 19}, width - 10, 3, "fill");
    drawing.text({x + 5, band.top + 14}, fitted(name_of(report, g), 12, width - 8), "strong");
    drawing.close_group();
  }
  for (const ForestRow& row : band.rows) {
    drawing.line({L::left, row.top + row.height}, {L::width, row.top + row.height}, "grid");
    const double middle = row.top + row.height / 2 + 4;
    drawing.text({L::left - 8, middle}, heights_text(row), "end");
    drawing.text({L::width, middle}, grouped(row.not_drawn), "end muted");
  }
}

/// Edges from parents to children if both are drawn in the same band.
void draw_edges(const Report& report, const ForestLayout& layout, Drawing& drawing) {
  std::unordered_map<VertexId, const PlacedVertex*> placed;
  for (const PlacedVertex& p : layout.vertices) placed[report.chosen[p.chosen].vertex] = &p;
  for (const PlacedVertex& parent : layout.vertices) {
    VertexId last = none;
    for (const VertexId v : report.forest.children(report.chosen[parent.chosen].vertex)) {
      const auto found = placed.find(v);
      if (v == last || found == placed.end() || found->second->band != parent.band) continue;
      last = v;
      const PlacedVertex& child = *found->second;
      const bool far =
          report.facts[v].group != report.facts[report.chosen[parent.chosen].vertex].group;
      drawing.open_group(fmt::format("class=\"edge{}\" data-ends=\"{} {}\"", far ? " far" : "",
                                     parent.chosen, child.chosen));
      drawing.line(parent.centre, child.centre, "");
      drawing.close_group();
    }
  }
}

void draw_vertex(const Report& report, const PlacedVertex& placed, Drawing& drawing) {
  const ChosenSubtree& subtree = report.chosen[placed.chosen];
  const SubtreeFacts& facts = report.facts[subtree.vertex];
  drawing.open_group(
      fmt::format("class=\"vertex {}{}\" data-vertex=\"{}\" data-group=\"{}\" data-labels=\"{}\"",
                  colour_of(report, facts.group), facts.by_absence ? " absence" : "", placed.chosen,
                  facts.group, escaped_markup(labels_text(report.forest, subtree.vertex))));
  drawing.title(fmt::format("{}\n{}; weight {}\n{}",
                            brackets_text(report.forest, subtree.vertex, 160),
                            verdict_text(report, subtree), weight_text(facts.weight),
                            one_line(counts_text(report, subtree))));
  // Half of the stroke of a hollow circle is outside its radius.
  drawing.circle(placed.centre, placed.radius - (facts.by_absence ? 1 : 0), "");
  const std::string mark = mark_of(report, facts.group);
  if (!mark.empty() && placed.radius >= 6 && text_width(mark, 9) < 2 * placed.radius - 1) {
    drawing.text({placed.centre.x, placed.centre.y + 3}, mark, "number");
  }
  drawing.close_group();
}

void draw_legend(const Report& report, const ForestLayout& layout, double y, Drawing& drawing) {
  double x = ForestLayout::left;
  const auto entry = [&](double radius, std::string_view classes, const std::string& text) {
    drawing.open_group(fmt::format("class=\"vertex legend{}\"", classes));
    drawing.circle({x + radius, y}, radius, "");
    drawing.close_group();
    drawing.text({x + 2 * radius + 6, y + 4}, text);
    x += 2 * radius + 28 + text_width(text, 11);
  };
  if (report.has_classes) {
    entry(7, "", "presence indicates the class");
    entry(6, " absence", "absence indicates the class");
  }
  for (const double fraction : {1.0, 0.25, 0.05}) {
    const double weight = fraction * layout.largest_weight;
    entry(layout.radius(weight), "", fmt::format("weight {:.2g}", weight));
  }
}

std::string caption(const Report& report, const ForestLayout& layout) {
  const std::size_t all = report.facts.size(), drawn = report.chosen.size();
  std::size_t silent = 0;
  for (const SubtreeFacts& facts : report.facts) silent += facts.weight == 0;
  std::string out = fmt::format(
      "Each circle is a distinct subtree; the larger, the more it weighs. Drawn are {} of {}",
      grouped(drawn), grouped(all));
  if (drawn < all) {
    out += fmt::format(
        ": for each {} up to {} with the largest weights. The other {} are counted by height on "
        "the "
        "right",
        group_word(report), report.chosen_per_group, grouped(all - drawn));
    if (silent > 0) out += fmt::format("; {} of them weigh 0", grouped(silent));
  }
  out +=
      ". Height 0 are single leaves. Lines lead from a subtree to those directly below its root, "
      "if these are drawn";
  out += layout.bands.size() > 1 ? " in the same part of the picture." : ".";
  if (drawn_groups(report) < report.groups.size()) {
    out += fmt::format(
        " Only the {} largest of {} classes have a place; subtrees of the others are "
        "not counted on the right.",
        drawn_groups(report), grouped(report.groups.size()));
  }
  return out;
}

}  // namespace

Figure forest_figure(const Report& report) {
  const ForestLayout layout = lay_out_forest(report);
  Figure figure{"forest",
                report.has_classes ? "Subtrees that indicate a class" : "Frequent subtrees",
                caption(report, layout),
                ForestLayout::width,
                layout.height + 12,
                {}};
  figure.has_parts = true;
  for (const ForestBand& band : layout.bands) draw_band(report, band, figure.drawing);
  figure.drawing.open_group("class=\"edges\"");
  draw_edges(report, layout, figure.drawing);
  figure.drawing.close_group();
  for (const PlacedVertex& placed : layout.vertices) draw_vertex(report, placed, figure.drawing);
  draw_legend(report, layout, layout.height - 2, figure.drawing);
  return figure;
}

}  // namespace espalier
