#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "espalier/evaluate/significance.hpp"

namespace espalier::cli {

/// Cells of a table; each row has as many as the head.
struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// How a table is written.
struct TableOptions {
  std::string style = "text";

  /// Adds --table.
  void add_to(CLI::App& command);
  bool text() const { return style == "text"; }
  /// Aligned text, CSV, Markdown, or a LaTeX tabular; numbers are aligned on the right.
  std::string write(const Table& table) const;
};

/// Four decimals; a blank cell for what is absent.
std::string cell(const std::optional<double>& value);
/// The same for a p-value, which is never shown as 0.
std::string p_cell(const std::optional<double>& p_value);
/// The two ends of an interval.
void append_cells(const std::optional<Interval>& interval, std::vector<std::string>& row);

}  // namespace espalier::cli
