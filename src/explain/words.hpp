#pragma once

#include <string>

#include "espalier/explain/report.hpp"

namespace espalier {

/// A weight as text: "0.42".
std::string weight_text(double weight);

/// "in 92 of 151 trees of class HUM (61 %)" and "in 3 of 569 others (0.5 %)"; the second one is
/// empty without classes.
struct CountsText {
  std::string own;
  std::string others;
};
CountsText counts_text(const Report& report, const ChosenSubtree& subtree);

/// "presence indicates class HUM".
std::string verdict_text(const Report& report, const ChosenSubtree& subtree);

/// The subtree in brackets, truncated to about `longest` bytes, which also bounds the cost.
std::string brackets_text(const Forest& forest, VertexId vertex, std::size_t longest);

/// The distinct labels of the subtree, one per line; only some if there are very many.
std::string labels_text(const Forest& forest, VertexId vertex);

/// The label of the root; "(no label)" if it is empty.
std::string root_text(const Forest& forest, VertexId vertex);

}  // namespace espalier
