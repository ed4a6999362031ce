#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"

namespace espalier {

namespace {

/// Whether there is a linkage such as "(b1-4" at `at`.
bool is_linkage(std::string_view text, std::size_t at) {
  if (text.size() - at < 5 || std::string_view("ab?").find(text[at + 1]) == text.npos) return false;
  const auto position = [](char c) { return c == '?' || (c >= '1' && c <= '9'); };
  return text[at] == '(' && position(text[at + 2]) && text[at + 3] == '-' && position(text[at + 4]);
}

/// Repairs errors found in glycan collections: a doubled bracket, "Man((a1-3)", or a missing one,
/// "Man(a1-3Glc".
std::string repaired(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool twice = (c == '(' || c == ')') && out.ends_with(c);
    const bool unclosed = out.size() >= 5 && is_linkage(out, out.size() - 5);
    if (unclosed && c >= 'A' && c <= 'Z') out += ')';
    if (!twice) out += c;
  }
  return out;
}

/// IUPAC-condensed: "Man(a1-3)[Man(a1-6)]Man(b1-4)GlcNAc". The root, at the reducing end, comes
/// last; a sugar is the parent of the sugar before it and of the branches in square brackets before
/// it. Reading from the right visits parents before children.
class GlycanNotation final : public Notation {
 public:
  explicit GlycanNotation(const ReadOptions& options)
      : builder_(options.limits), linkages_(options.mapping.linkages), warn_(options.warn) {}

  void parse(const Text& text, Tree& tree) override {
    Text glycan = text.trimmed();
    repaired_ = repaired(glycan.bytes());
    if (repaired_ != glycan.bytes()) {
      warn_of(glycan, 0, "brackets of linkages that are doubled or missing are fixed");
      glycan = glycan.replaced(repaired_);
    }
    builder_.start(tree);
    branches_.clear();
    std::size_t end = glycan.size();
    while (end > 0) {
      if (glycan[end - 1] == ']') {
        // "A(b1-3)[B(b1-3)C]": the part before the last bracket is a child of the root within it.
        if (builder_.depth() == 0) warn_of(glycan, end - 1, "the root is inside a branch");
        branches_.push_back({end - 1, std::max<std::size_t>(builder_.depth(), 1)});
        --end;
      } else if (glycan[end - 1] == '[') {
        if (branches_.empty()) glycan.fail(end - 1, "a '[' without its ']'");
        close_to(branches_.back().depth);
        if (branches_.back().end == end) glycan.fail(end - 1, "an empty branch");
        branches_.pop_back();
        --end;
      } else {
        end = read_sugar(glycan, end);
      }
    }
    // The opening bracket of the first branch is sometimes omitted, which changes nothing.
    if (!branches_.empty()) {
      warn_of(glycan, branches_.front().end, "a ']' without its '[', read as if at the beginning");
    }
    if (builder_.depth() == 0 && !glycan.empty()) glycan.fail(0, "a glycan without a sugar");
    close_to(0);
  }

 private:
  struct Branch {
    std::size_t end;    ///< position of its ']'
    std::size_t depth;  ///< of its parent
  };

  /// Opens the sugar that ends at `end`; returns its first position.
  std::size_t read_sugar(const Text& text, std::size_t end) {
    const std::string_view bytes = text.bytes();
    std::size_t name_end = end;
    // The root may end in an open linkage, "GlcNAc(b1-".
    if (bytes[end - 1] == ')' || bytes[end - 1] == '-') {
      name_end = bytes.rfind('(', end - 1);
      if (name_end == bytes.npos) text.fail(end - 1, "a linkage without its '('");
    } else if (builder_.depth() > 0) {
      text.fail(end - 1, "a sugar ends in its linkage, as in Man(a1-3)");
    }
    const std::size_t before =
        name_end == 0 ? bytes.npos : bytes.find_last_of("()[]", name_end - 1);
    const std::size_t begin = before == bytes.npos ? 0 : before + 1;
    if (begin == name_end) text.fail(begin, "a linkage without a sugar");
    if (before != bytes.npos && bytes[before] == '(') text.fail(before, "a '(' without its ')'");
    std::string_view linkage = bytes.substr(name_end, end - name_end);
    if (linkages_ == Linkages::node && !linkage.empty()) {
      linkage.remove_prefix(1);
      if (linkage.ends_with(')')) linkage.remove_suffix(1);
      builder_.open(text, name_end, linkage);
    }
    const std::size_t label_end = linkages_ == Linkages::label ? end : name_end;
    builder_.open(text, begin, bytes.substr(begin, label_end - begin));
    return begin;
  }

  void close_to(std::size_t depth) {
    while (builder_.depth() > depth) builder_.close();
  }

  /// Warns once per file: such glycans are common.
  void warn_of(const Text& text, std::size_t at, std::string_view message) {
    if (warned_ || !warn_) return;
    warned_ = true;
    try {
      text.fail(at, message);
    } catch (const Error& error) {
      warn_(error.what());
    }
  }

  LimitedBuilder builder_;
  Linkages linkages_;
  std::function<void(const std::string&)> warn_;
  bool warned_ = false;
  std::string repaired_;
  std::vector<Branch> branches_;
};

bool is_glycan(std::string_view line) {
  for (std::size_t at = line.find('('); at < line.size(); at = line.find('(', at + 1)) {
    if (at > 0 && is_linkage(line, at) && line.substr(at + 5).starts_with(')'))
      return line.find_first_of("<{|\"") == line.npos;
    if (at == 0 || line[at - 1] == '\t') return false;
  }
  return false;
}

constexpr std::string_view glycan_suffixes[] = {".iupac", ".glycan"};

}  // namespace

std::unique_ptr<Notation> glycan_notation(const ReadOptions& options) {
  return std::make_unique<GlycanNotation>(options);
}

const Format glycan_format = {
    .name = "glycan",
    .description = "glycans in IUPAC-condensed, a line each: [class TAB ..] Man(a1-3)..GlcNAc",
    .suffixes = glycan_suffixes,
    .matches = is_glycan,
    .reader = [](Source source, const ReadOptions& options) -> std::unique_ptr<ExampleReader> {
      return std::make_unique<LineReader>(std::move(source), glycan_notation(options));
    },
};

}  // namespace espalier
