#include "explain/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace espalier {

std::string colour_of(const Report& report, std::size_t group) {
  return report.has_classes ? fmt::format("c{}", group % colour_count)
                            : fmt::format("s{}", std::min<std::size_t>(group, 3));
}

std::string mark_of(const Report& report, std::size_t group) {
  if (!report.has_classes || report.groups.size() <= colour_count) return "";
  const bool short_names = std::ranges::all_of(
      report.groups, [](const Group& g) { return !g.name.empty() && g.name.size() <= 3; });
  return short_names ? report.groups[group].name : fmt::format("{}", group + 1);
}

std::string name_of(const Report& report, std::size_t group) {
  const std::string& name = report.groups[group].name;
  const std::string shown = name.empty() ? "(no name)" : name;
  const std::string mark = mark_of(report, group);
  return mark.empty() || mark == name ? shown : fmt::format("{}: {}", mark, shown);
}

std::string full_name_of(const Report& report, std::size_t group) {
  return report.has_classes ? "class " + name_of(report, group) : name_of(report, group);
}

std::string group_word(const Report& report) {
  return report.has_classes ? "class" : "range of frequency";
}

std::size_t drawn_groups(const Report& report) {
  return std::min(report.groups.size(), most_groups);
}

}  // namespace espalier
