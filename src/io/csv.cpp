#include <algorithm>
#include <deque>

#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/dot_bracket_parser.hpp"
#include "io/formats.hpp"
#include "io/notation.hpp"

namespace espalier {

namespace {

/// A field of a table with the name or number of its column.
struct Role {
  std::string_view name;
  std::string column;
  std::size_t place = 0;
};

constexpr std::string_view role_names[] = {"class", "tree",     "newick",     "glycan",
                                           "terms", "sequence", "dot-bracket"};

/// "class=kingdom,glycan=target".
std::vector<Role> parse_roles(std::string_view columns) {
  if (columns.empty()) {
    throw Error("csv needs the option columns, such as class=family,newick=tree");
  }
  std::vector<Role> roles;
  for (;;) {
    const std::string_view part = columns.substr(0, columns.find(','));
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto* const name = std::ranges::find(role_names, part.substr(0, equals));
    if (name == std::end(role_names) || equals + 1 >= part.size()) {
      throw Error(
          "the option columns is a list of ROLE=COLUMN, where a role is class, sequence, "
          "tree (brackets), newick, glycan, terms or dot-bracket; " +
          in_quotes(part) + " is none");
    }
    roles.push_back({*name, std::string(part.substr(equals + 1)), 0});
    if (part.size() == columns.size()) return roles;
    columns.remove_prefix(part.size() + 1);
  }
}

/// Comma- or tab-separated tables; the option `columns` assigns roles to columns.
class CsvReader final : public ExampleReader {
 public:
  CsvReader(Source source, const ReadOptions& options)
      : source_(std::move(source)),
        rna_(options.limits),
        needs_classes_(options.needs_classes),
        roles_(parse_roles(options.columns)) {
    for (const Role& role : roles_) {
      if (role.name == "class" || role.name == "sequence") continue;
      if (tree_ != roles_.size()) throw Error("the option columns names two trees");
      tree_ = static_cast<std::size_t>(&role - roles_.data());
    }
    if (tree_ == roles_.size()) throw Error("the option columns names no tree");
    const std::string_view name = roles_[tree_].name;
    if (name == "tree") notation_ = bracket_notation(options);
    if (name == "newick") notation_ = newick_notation(options);
    if (name == "glycan") notation_ = glycan_notation(options);
    if (name == "terms") notation_ = terms_notation(options);
    find_columns();
  }

  bool next(Example& example) override {
    if (!read_row()) return false;
    example = {};
    const Text row(row_, source_.name(), location().line);
    for (const Role& role : roles_) {
      if (role.place >= fields_.size() && is_needed(role)) {
        row.fail(row.size(), "a row of " + std::to_string(fields_.size()) +
                                 " columns lacks column " + in_quotes(role.column));
      }
    }
    Text sequence;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto role = std::ranges::find(roles_, i, &Role::place);
      const std::string_view value = fields_[i].bytes();
      if (role == roles_.end()) {
        example.texts.push_back({column_name(i), std::string(value)});
      } else if (role->name == "sequence") {
        sequence = fields_[i].trimmed();
      } else if (role->name == "class" && !value.empty()) {
        example.labels.push_back({std::string(value), {}});
      }
    }
    Tree& tree = add_tree(example);
    const Text& field = fields_[roles_[tree_].place];
    if (notation_ != nullptr) {
      notation_->parse(field, tree);
    } else {
      rna_.parse(field.trimmed(), sequence, tree);
    }
    return true;
  }

 private:
  bool is_needed(const Role& role) const { return needs_classes_ || role.name != "class"; }

  /// Columns are given by number, counted from 1, in a table without a header, or by header name.
  void find_columns() {
    const auto is_number = [](const Role& role) {
      return role.column.find_first_not_of("0123456789") == std::string::npos;
    };
    const std::string_view head = source_.peek(std::size_t{1} << 16);
    separator_ = head.substr(0, head.find('\n')).find('\t') != head.npos ? '\t' : ',';
    if (std::ranges::all_of(roles_, is_number)) {
      for (Role& role : roles_) role.place = std::stoul(role.column.substr(0, 9)) - 1;
      return;
    }
    if (!read_row()) return;
    for (const Text& field : fields_) names_.emplace_back(field.trimmed().bytes());
    for (Role& role : roles_) {
      const auto name = std::ranges::find(names_, role.column);
      if (name == names_.end() && is_needed(role)) {
        throw InputError(location(), "there is no column " + in_quotes(role.column), row_);
      }
      role.place = name == names_.end() ? std::string::npos
                                        : static_cast<std::size_t>(name - names_.begin());
    }
  }

  /// Reads the next non-blank row into row_ and fields_.
  bool read_row() {
    Text line;
    do {
      begin_at(source_);
      if (!source_.next_line(line)) return false;
    } while (line.trimmed().empty());
    row_ = line.bytes();
    for (bool open = opens_or_closes(line); open && source_.next_line(line);) {
      source_.check_size(row_.size() + line.size());
      row_ += '\n';
      row_ += line.bytes();
      open = open != opens_or_closes(line);
    }
    fields_.clear();
    unquoted_.clear();
    const Text row(row_, source_.name(), location().line);
    for (std::size_t at = 0; at <= row.size(); ++at) {
      check_parts(source_.limits(), fields_.size() + 1, "columns", row, at);
      at = read_field(row, at);
    }
    return true;
  }

  /// Whether a quote that is open before a line is closed after it, or the other way round.
  bool opens_or_closes(const Text& line) const {
    return separator_ == ',' && std::ranges::count(line.bytes(), '"') % 2 == 1;
  }

  /// Returns the position of the separator after the field. Quotes are special only in
  /// comma-separated tables.
  std::size_t read_field(const Text& row, std::size_t begin) {
    const std::string_view bytes = row.bytes();
    if (separator_ != ',' || begin == bytes.size() || bytes[begin] != '"') {
      const std::size_t end = std::min(bytes.find(separator_, begin), bytes.size());
      fields_.push_back(row.part(begin, end - begin));
      return end;
    }
    std::string value;
    std::size_t at = begin;
    for (;;) {  // up to the next quote; two quotes stand for one
      const std::size_t quote = bytes.find('"', at + 1);
      if (quote == bytes.npos) row.fail(begin, "the field that starts here is missing its quote");
      value += bytes.substr(at + 1, quote - at - 1);
      at = quote + 1;
      if (at == bytes.size() || bytes[at] != '"') break;
      value += '"';
    }
    if (at < bytes.size() && bytes[at] != ',') row.fail(at, "expected ',' after a quoted field");
    unquoted_.push_back(std::move(value));
    fields_.emplace_back(unquoted_.back(), source_.name(), location().line, begin + 2);
    return at;
  }

  std::string column_name(std::size_t place) const {
    return place < names_.size() ? names_[place] : "column" + std::to_string(place + 1);
  }

  Source source_;
  DotBracketParser rna_;
  bool needs_classes_;
  std::vector<Role> roles_;
  std::size_t tree_ = roles_.size();
  std::unique_ptr<Notation> notation_;  ///< null: dot-bracket
  char separator_ = ',';
  std::string row_;
  std::vector<Text> fields_;
  std::deque<std::string> unquoted_;  ///< content of quoted fields
  std::vector<std::string> names_;    ///< of the columns, if there is a header
};

constexpr std::string_view csv_suffixes[] = {".csv"};

}  // namespace

const Format csv_format = {
    .name = "csv",
    .description = "a table with commas or tabs; the option columns says what is in it",
    .suffixes = csv_suffixes,
    .matches = [](std::string_view) { return false; },
    .reader = make_reader<CsvReader>,
};

}  // namespace espalier
