#pragma once

#include <vector>

#include "espalier/explain/report.hpp"

namespace espalier {

/// Chooses the subtrees to draw: those with the largest weights of each group, of equal ones the
/// larger first. Fills in `chosen` and `chosen_per_group`, except for the counts by class.
void choose_subtrees(Report& report);

/// Of a group's chosen subtrees the first `most`, by their places in `chosen`, without those that
/// are only parts of a larger one listed, in exactly as many trees.
std::vector<std::size_t> top_of_group(const Report& report, std::uint32_t group, std::size_t most);

}  // namespace espalier
