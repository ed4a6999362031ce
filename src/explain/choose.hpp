#pragma once

#include <vector>

#include "espalier/explain/report.hpp"

namespace espalier {

/// Chooses the subtrees to draw: those with the largest weights in each group; ties go to the
/// larger subtree. Sets `chosen` and `chosen_per_group`, except for the counts by class.
void choose_subtrees(Report& report);

/// Indices into `chosen` of the first `most` subtrees of a group, without those that are part of a
/// larger listed one and occur in the same number of trees.
std::vector<std::size_t> top_of_group(const Report& report, std::uint32_t group, std::size_t most);

}  // namespace espalier
