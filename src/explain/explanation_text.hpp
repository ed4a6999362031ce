#pragma once

#include <string>

#include "espalier/explain/explanation.hpp"

namespace espalier {

/// "the 12 fragments that contributed most add +1.200 to the +1.500 that is not bias: 80 %".
/// Requires fragments.
std::string fragments_sum_text(const ExplainedScore& score);

/// "[q12] ", or nothing for an example without an id.
std::string shown_id(const Explanation& explanation);

}  // namespace espalier
