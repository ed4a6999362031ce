#include "explain/words.hpp"

#include <fmt/format.h>

#include <numeric>
#include <unordered_set>

#include "espalier/base/number.hpp"
#include "explain/groups.hpp"

namespace espalier {

namespace {

/// "in 3 of 569 trees (0.5 %)".
std::string fraction_text(std::uint64_t part, std::uint64_t all, std::string_view of_what) {
  const double percent = all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
  const std::string fraction = percent > 0 && percent < 0.1    ? "below 0.1 %"
                               : percent < 10 && percent > 0   ? fmt::format("{:.1f} %", percent)
                               : percent > 99 && percent < 100 ? fmt::format("{:.1f} %", percent)
                                                               : fmt::format("{:.0f} %", percent);
  return fmt::format("in {} of {} {} ({})", grouped(part), grouped(all), of_what, fraction);
}

}  // namespace

std::string weight_text(double weight) {
  return weight == 0      ? "0"
         : weight < 0.001 ? fmt::format("{:.1e}", weight)
                          : fmt::format("{:.3g}", weight);
}

CountsText counts_text(const Report& report, const ChosenSubtree& subtree) {
  const SubtreeFacts& facts = report.facts[subtree.vertex];
  if (!report.has_classes) return {fraction_text(facts.trees, report.sizes.size(), "trees"), ""};
  std::uint64_t others = 0, in_others = 0;
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    if (c == facts.group) continue;
    others += report.classes[c].trees;
    in_others += subtree.trees_of_class[c];
  }
  return {fraction_text(subtree.trees_of_class[facts.group], report.classes[facts.group].trees,
                        "trees of " + full_name_of(report, facts.group)),
          fraction_text(in_others, others, "others")};
}

std::string verdict_text(const Report& report, const ChosenSubtree& subtree) {
  const SubtreeFacts& facts = report.facts[subtree.vertex];
  if (!report.has_classes) return name_of(report, facts.group);
  return fmt::format("{} indicates {}", facts.by_absence ? "absence" : "presence",
                     full_name_of(report, facts.group));
}

std::string brackets_text(const Forest& forest, VertexId vertex, std::size_t longest) {
  std::string out;
  std::vector<VertexId> open = {vertex};  // `none` is a closing bracket
  while (!open.empty()) {
    const VertexId v = open.back();
    open.pop_back();
    if (v == none) {
      out += ')';
      continue;
    }
    if (out.size() > longest) return out + " …";
    out += '(';
    out += forest.labels().text(forest.label(v)).substr(0, longest);
    open.push_back(none);
    const auto children = forest.children(v);
    // Bounds the work: more children would not be printed.
    const std::size_t some = std::min(children.size(), longest);
    for (std::size_t k = some; k-- > 0;) open.push_back(children[k]);
  }
  return out;
}

std::string labels_text(const Forest& forest, VertexId vertex) {
  constexpr std::size_t most_vertices = 1000, longest = 1500;
  std::string out;
  std::vector<VertexId> open = {vertex};
  std::unordered_set<VertexId> vertices = {vertex};
  std::unordered_set<LabelId> labels;
  for (std::size_t i = 0; i < open.size() && out.size() < longest; ++i) {
    const LabelId label = forest.label(open[i]);
    if (labels.insert(label).second) {
      if (i > 0) out += '\n';
      out += forest.labels().text(label).substr(0, longest);
    }
    for (const VertexId child : forest.children(open[i])) {
      if (open.size() < most_vertices && vertices.insert(child).second) open.push_back(child);
    }
  }
  return out;
}

std::string root_text(const Forest& forest, VertexId vertex) {
  const std::string_view label = forest.labels().text(forest.label(vertex));
  return label.empty() ? "(no label)" : std::string(label);
}

}  // namespace espalier
