#include "explain/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace espalier {

std::string colour_of(const Report& report, std::size_t group) {
  return report.has_classes ? fmt::format("c{}", group % colour_count)
                            : fmt::format("s{}", std::min<std::size_t>(group, 3));
}

bool has_numbers(const Report& report) {
  return report.has_classes && report.groups.size() > colour_count;
}

std::string name_of(const Report& report, std::size_t group) {
  const std::string& name = report.groups[group].name;
  const std::string shown = name.empty() ? "(no name)" : name;
  return has_numbers(report) ? fmt::format("{}: {}", group + 1, shown) : shown;
}

std::string group_word(const Report& report) { return report.has_classes ? "class" : "frequency"; }

std::size_t drawn_groups(const Report& report) {
  return std::min(report.groups.size(), most_groups);
}

}  // namespace espalier
