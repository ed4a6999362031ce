#include "explain/choose.hpp"

#include <algorithm>
#include <unordered_set>

namespace espalier {

namespace {

constexpr std::size_t most_in_all = 360, least_per_group = 3, most_per_group = 60;

/// Whether `part` occurs in the subtree `whole`. Linear in the distinct subtrees of `whole`.
bool contains(const Forest& forest, VertexId whole, VertexId part) {
  std::vector<VertexId> open = {whole};
  std::unordered_set<VertexId> seen;
  while (!open.empty()) {
    const VertexId v = open.back();
    open.pop_back();
    if (v == part) return true;
    for (const VertexId child : forest.children(v)) {
      // Descendants have smaller ids, so no vertex below `part` has to be visited.
      if (child >= part && seen.insert(child).second) open.push_back(child);
    }
  }
  return false;
}

}  // namespace

void choose_subtrees(Report& report) {
  const std::size_t groups = std::min(report.groups.size(), most_groups);
  report.chosen_per_group =
      std::clamp(most_in_all / std::max<std::size_t>(groups, 1), least_per_group, most_per_group);
  std::vector<std::vector<VertexId>> candidates(groups);
  for (VertexId v = 0; v < report.facts.size(); ++v) {
    const SubtreeFacts& facts = report.facts[v];
    if (facts.weight > 0 && facts.group < groups) candidates[facts.group].push_back(v);
  }
  const auto before = [&](VertexId a, VertexId b) {
    const double x = report.facts[a].weight, y = report.facts[b].weight;
    if (x != y) return x > y;
    if (report.forest.size(a) != report.forest.size(b)) {
      return report.forest.size(a) > report.forest.size(b);
    }
    return a < b;
  };
  for (auto& of_group : candidates) {
    const std::size_t kept = std::min(report.chosen_per_group, of_group.size());
    std::ranges::partial_sort(of_group, of_group.begin() + static_cast<std::ptrdiff_t>(kept),
                              before);
    of_group.resize(kept);
    for (const VertexId v : of_group) report.chosen.push_back({v, {}});
  }
}

std::vector<std::size_t> top_of_group(const Report& report, std::uint32_t group, std::size_t most) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < report.chosen.size() && out.size() < most; ++i) {
    const ChosenSubtree& candidate = report.chosen[i];
    if (report.facts[candidate.vertex].group != group) continue;
    const bool part_of_another = std::ranges::any_of(out, [&](std::size_t other) {
      const ChosenSubtree& whole = report.chosen[other];
      return report.facts[whole.vertex].trees == report.facts[candidate.vertex].trees &&
             contains(report.forest, whole.vertex, candidate.vertex);
    });
    if (!part_of_another) out.push_back(i);
  }
  return out;
}

}  // namespace espalier
