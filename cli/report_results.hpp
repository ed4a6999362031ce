#pragma once

#include <string>
#include <vector>

#include "espalier/explain/report.hpp"

namespace espalier::cli {

/// The results in a JSON file: {"results": [{"kernel": "..", "splits": [{"accuracy": 0.9, ..},
/// ..]},
/// ..]}. Throws Error if it has another form.
std::vector<ResultSeries> read_results(const std::string& path);

}  // namespace espalier::cli
