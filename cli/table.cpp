#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier::cli {

namespace {

using Row = std::vector<std::string>;

/// Whether all cells of a column are numbers or blank: then it is aligned on the right.
std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> out(table.head.size(), true);
  for (const Row& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string_view cell = row[c];
      const bool number = cell.empty() || parse_number(cell.substr(cell.starts_with("<") ? 1 : 0));
      out[c] = out[c] && number;
    }
  }
  return out;
}

std::string aligned_text(const Table& table) {
  std::vector<std::size_t> widths;
  const std::vector<bool> numeric = numeric_columns(table);
  for (std::size_t c = 0; c < table.head.size(); ++c) {
    widths.push_back(table.head[c].size());
    for (const Row& row : table.rows) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  const auto add = [&](const Row& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += c > 0 ? "  " : "";
      line += numeric[c] ? fmt::format("{:>{}}", row[c], widths[c])
                         : fmt::format("{:<{}}", row[c], widths[c]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(table.head);
  for (const Row& row : table.rows) add(row);
  return printable(out, "\n");
}

std::string joined(const Row& row, std::string_view between,
                   std::string (*escape)(const std::string&)) {
  std::string out;
  for (std::size_t c = 0; c < row.size(); ++c)
    out += (c > 0 ? std::string(between) : "") + escape(row[c]);
  return out;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c == '\n' ? ' ' : c);
  return out;
}

std::string latex_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else if (c == '<') {
      out += "$<$";
    } else if (c == '\\') {
      out += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      out += fmt::format("\\{}{{}}", c);
    } else {
      out += c;
    }
  }
  return out;
}

std::string csv(const Table& table) {
  std::string out = joined(table.head, ",", csv_cell) + "\n";
  for (const Row& row : table.rows) out += joined(row, ",", csv_cell) + "\n";
  return out;
}

std::string markdown(const Table& table) {
  std::string out = "| " + joined(table.head, " | ", markdown_cell) + " |\n|";
  for (const bool number : numeric_columns(table)) out += number ? "---:|" : "---|";
  for (const Row& row : table.rows) out += "\n| " + joined(row, " | ", markdown_cell) + " |";
  return out + "\n";
}

std::string latex(const Table& table) {
  std::string out = "\\begin{tabular}{";
  for (const bool number : numeric_columns(table)) out += number ? 'r' : 'l';
  out += "}\n\\hline\n" + joined(table.head, " & ", latex_cell) + " \\\\\n\\hline\n";
  for (const Row& row : table.rows) out += joined(row, " & ", latex_cell) + " \\\\\n";
  return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace

void TableOptions::add_to(CLI::App& command) {
  command.add_option("--table", style, "how tables are written: text, csv, markdown or latex")
      ->check(CLI::IsMember(std::vector<std::string>{"text", "csv", "markdown", "latex"}))
      ->option_text("text|csv|markdown|latex [text]");
}

std::string TableOptions::write(const Table& table) const {
  if (style == "csv") return csv(table);
  if (style == "markdown") return markdown(table);
  if (style == "latex") return latex(table);
  return aligned_text(table);
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "";
}

std::string p_cell(const std::optional<double>& p_value) {
  return p_value && *p_value < 0.0001 ? "<0.0001" : cell(p_value);
}

void append_cells(const std::optional<Interval>& interval, Row& row) {
  row.push_back(interval ? cell(interval->low) : "");
  row.push_back(interval ? cell(interval->high) : "");
}

}  // namespace espalier::cli
