#pragma once

#include <optional>

#include "espalier/explain/report.hpp"
#include "explain/drawing.hpp"

namespace espalier {

// Each figure has its own file.

Figure class_figure(const Report& report);
Figure forest_figure(const Report& report);
Figure weight_figure(const Report& report);
Figure top_figure(const Report& report);
Figure result_figure(const Report& report);

/// How many of the strongest subtrees of each group are drawn as trees.
std::size_t top_count(const Report& report);
/// The caption of top_figure().
std::string top_caption(const Report& report);

/// The figure of that name; nothing if there are no data for it, such as results.
std::optional<Figure> make_figure(const Report& report, std::string_view name);

}  // namespace espalier
