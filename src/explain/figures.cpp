#include "explain/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "explain/histogram.hpp"

namespace espalier {

namespace {

Figure size_figure(const Report& report) {
  return histogram_figure(report.sizes, true,
                          {"sizes", "Size of the trees", "Nodes per tree", "tree"});
}

Figure height_figure(const Report& report) {
  return histogram_figure(report.heights, true,
                          {"heights", "Height of the trees", "Height of a tree", "tree"});
}

Figure outdegree_figure(const Report& report) {
  return histogram_figure(
      report.outdegrees, true,
      {"outdegrees", "Outdegree of the trees", "Largest number of children of a node", "tree"});
}

struct NamedFigure {
  const char* name;
  Figure (*draw)(const Report&);
};

constexpr NamedFigure figures[] = {
    {"sizes", size_figure},    {"heights", height_figure}, {"outdegrees", outdegree_figure},
    {"classes", class_figure}, {"forest", forest_figure},  {"weights", weight_figure},
    {"top", top_figure},       {"results", result_figure},
};

}  // namespace

std::vector<std::string> figure_names() {
  std::vector<std::string> out;
  for (const NamedFigure& figure : figures) out.emplace_back(figure.name);
  return out;
}

std::optional<Figure> make_figure(const Report& report, std::string_view name) {
  if (name == "results" && report.results.empty()) return std::nullopt;
  for (const NamedFigure& figure : figures) {
    if (figure.name == name) return figure.draw(report);
  }
  throw Error(fmt::format("there is no figure {}: there are {}", in_quotes(name),
                          fmt::join(figure_names(), ", ")));
}

std::string report_svg(const Report& report, std::string_view figure) {
  const std::optional<Figure> drawn = make_figure(report, figure);
  if (!drawn) throw Error("there are no results to draw: give some with --results");
  return standalone_svg(*drawn);
}

}  // namespace espalier
