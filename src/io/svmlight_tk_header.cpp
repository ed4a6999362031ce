#include "io/svmlight_tk_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"

namespace espalier {

namespace {

constexpr std::string_view begin_of_file = "SVM-light Version ";
constexpr std::string_view begin_of_parameter = "kernel parameter -";
/// The flags of versions 1.2 to 1.5; 1.2 has D instead of M and U, SVM-light itself has d to u.
constexpr std::string_view known_parameters = "dgsruLTCFSMDNVWU";

/// The key of a line; empty if it does not belong to a model file.
std::string name_of(std::string_view comment) {
  if (comment == "kernel type") return "-t";
  if (comment.starts_with(begin_of_parameter)) {
    const std::string_view flag = comment.substr(begin_of_parameter.size());
    const bool known = flag.size() == 1 && known_parameters.find(flag) != std::string_view::npos;
    return known ? "-" + std::string(flag) : "";
  }
  using Header = SvmlightTkHeader;
  for (const std::string_view name : {Header::features, Header::examples, Header::support}) {
    if (comment == name) return std::string(name);
  }
  return comment.starts_with(Header::threshold) ? std::string(Header::threshold) : "";
}

bool is_flag(std::string_view name) { return name.starts_with('-'); }

std::string in_words(std::string_view name) {
  return is_flag(name) ? fmt::format("kernel parameter {}", name) : fmt::format("'{}'", name);
}

}  // namespace

SvmlightTkHeader::SvmlightTkHeader(Source& source) {
  Text line;
  const bool found = source.next_line(line) && line.bytes().starts_with(begin_of_file);
  if (!found) {
    throw InputError({source.name(), 1, 1},
                     "a model file of SVM-light-TK begins with 'SVM-light Version'", line.bytes());
  }
  version_ = line.part(begin_of_file.size()).trimmed().bytes();
  while (!has(threshold)) {
    end_ = {source.name(), source.line(), 1};
    if (!source.next_line(line)) {
      throw InputError(end_, "the file ends before the line '# threshold b'");
    }
    add(line, end_.line, source.name());
  }
}

void SvmlightTkHeader::add(const Text& line, std::uint64_t line_number, std::string_view file) {
  const std::size_t hash = std::min(line.bytes().find('#'), line.size());
  const Text value = line.part(0, hash).trimmed();
  if (value.empty()) return;  // a blank line, a comment, or an empty -u
  if (hash == line.size()) value.fail(0, "the header of a model has lines 'value # description'");
  const Text comment = line.part(hash + 1).trimmed();
  const std::string name = name_of(comment.bytes());
  if (name.empty()) comment.fail(0, "unknown line in the header of a model");
  const auto before = static_cast<std::uint64_t>(value.bytes().data() - line.bytes().data());
  const Entry entry{std::string(value.bytes()), {std::string(file), line_number, before + 1}};
  if (!entries_.emplace(name, entry).second) comment.fail(0, "this line comes twice");
}

const SvmlightTkHeader::Entry& SvmlightTkHeader::entry(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    throw InputError(end_, fmt::format("above this line, {} is missing", in_words(name)));
  }
  return found->second;
}

double SvmlightTkHeader::number(std::string_view name) const {
  const auto number = parse_number(entry(name).value);
  if (!number) fail(name, "expected a number");
  return *number;
}

double SvmlightTkHeader::number_within(std::string_view name, double low, double high) const {
  const double found = number(name);
  if (found < low || found > high) {
    fail(name, fmt::format("expected a number in [{}, {}]", low, high));
  }
  return found;
}

double SvmlightTkHeader::whole_number_within(std::string_view name, double low, double high) const {
  const double found = number(name);
  if (found != std::floor(found) || found < low || found > high) {
    fail(name, fmt::format("expected a whole number in [{}, {}]", low, high));
  }
  return found;
}

char SvmlightTkHeader::letter(std::string_view name) const {
  const std::string& value = entry(name).value;
  if (value.size() != 1) fail(name, "expected a single character");
  return value[0];
}

void SvmlightTkHeader::fail(std::string_view name, std::string_view message) const {
  const Entry& at = entry(name);
  throw InputError(at.location, fmt::format("{}: {}", in_words(name), message), at.value);
}

}  // namespace espalier
