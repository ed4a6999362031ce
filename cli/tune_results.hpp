#pragma once

#include <span>
#include <string>

#include "espalier/model/tune.hpp"
#include "table.hpp"

namespace espalier::cli {

/// The line of a setting in TSV, after the header if it is the first. There is a column for each
/// searched parameter, and the number of splits where halving makes them differ.
std::string tune_row(const TunePoint& point, const TuneOptions& tuning, bool first);

/// A row for each setting, with its interval; the chosen one is marked.
Table tune_table(std::span<const TunePoint> points, const TunePoint& best);

/// A row for each outer fold: what was chosen, its score in the search and on the test part.
Table nested_table(const NestedResult& found, const Metric& metric);
/// The mean on the test parts with its interval.
std::string nested_text(const NestedResult& found, const Metric& metric);

}  // namespace espalier::cli
