#include "io/line_reader.hpp"

#include "espalier/io/limited_builder.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// The name of the i-th column between class and tree, counted from 0.
std::string column_name(std::size_t column) {
  return column == 1 ? "id" : "column" + std::to_string(column + 1);
}

}  // namespace

Text read_columns(const Text& line, const ReadLimits& limits, Example& example) {
  std::size_t begin = 0;
  for (std::size_t column = 0;; ++column) {
    const std::size_t tab = line.bytes().find('\t', begin);
    if (tab == std::string_view::npos) return line.part(begin);
    const std::string_view field = line.bytes().substr(begin, tab - begin);
    check_parts(limits, column + 1, "columns", line, begin);
    if (column > 0) {
      example.texts.push_back({column_name(column), std::string(field)});
    } else if (!field.empty()) {
      example.labels.push_back({std::string(field), {}});
    }
    begin = tab + 1;
  }
}

bool LineReader::next(Example& example) {
  Text line;
  do {
    begin_at(source_);
    if (!source_.next_line(line)) return false;
  } while (line.trimmed().empty() && line.bytes().find('\t') == std::string_view::npos);
  example = {};
  const Text rest = before_tree(read_columns(line, source_.limits(), example), example);
  notation_->parse(rest, add_tree(example));
  return true;
}

}  // namespace espalier
