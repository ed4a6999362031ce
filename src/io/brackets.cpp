#include "espalier/io/brackets.hpp"

#include <array>
#include <vector>

#include "espalier/base/error.hpp"
#include "espalier/io/escape.hpp"

namespace espalier {

namespace {

enum class Kind : unsigned char { ordinary, blank, open, close, backslash };

constexpr std::array<Kind, 256> kinds = [] {
  std::array<Kind, 256> table{};
  for (const char c : {' ', '\t', '\r', '\n'}) table[static_cast<unsigned char>(c)] = Kind::blank;
  table['('] = Kind::open;
  table[')'] = Kind::close;
  table['\\'] = Kind::backslash;
  return table;
}();

Kind kind(char c) { return kinds[static_cast<unsigned char>(c)]; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && kind(text[at]) == Kind::blank) ++at;
  return at;
}

}  // namespace

BracketParser::BracketParser(std::string_view special, const ReadLimits& limits)
    : special_(special), builder_(limits) {}

void BracketParser::parse(const Text& text, Tree& tree) {
  const std::string_view bytes = text.bytes();
  builder_.start(tree);
  const std::size_t first = skip_blanks(bytes, 0);
  std::size_t begin = first;
  for (std::size_t at = first; at < bytes.size(); at = skip_blanks(bytes, at)) {
    if (builder_.depth() == 0 && at > first) {
      text.fail(at, bytes[at] == ')' ? "a ')' without its '('" : "unexpected text after the tree");
    }
    switch (kind(bytes[at])) {
      case Kind::open:
        at = skip_blanks(bytes, at + 1);
        begin = at;
        builder_.open(text, begin, read_label(bytes, at));
        break;
      case Kind::close:
        if (builder_.depth() == 0) text.fail(at, "a ')' without its '('");
        builder_.close();
        ++at;
        break;
      default:
        if (builder_.depth() == 0) text.fail(at, "a tree begins with '('");
        begin = at;
        builder_.leaf(text, begin, read_label(bytes, at));
    }
  }
  builder_.check_closed(text, first);
}

/// Reads the label at `at` and advances `at` past it.
std::string_view BracketParser::read_label(std::string_view bytes, std::size_t& at) {
  const std::size_t begin = at;
  bool escapes = false;
  for (; at < bytes.size(); ++at) {
    const Kind here = kind(bytes[at]);
    if (here == Kind::ordinary) continue;
    if (here != Kind::backslash) break;
    escapes = true;
    const std::size_t run_end = std::min(bytes.find_first_not_of('\\', at), bytes.size());
    const bool odd = (run_end - at) % 2 == 1;
    at = run_end - 1;
    const bool special =
        run_end < bytes.size() && special_.find(bytes[run_end]) != std::string_view::npos;
    if (odd && special) ++at;  // an escaped character belongs to the label
  }
  const std::string_view raw = bytes.substr(begin, at - begin);
  return escapes ? unescaped(raw, special_, scratch_) : raw;
}

void append_brackets(std::string& out, const Tree& tree, BracketStyle style,
                     std::string_view special) {
  constexpr std::string_view refused("\t\n\r\0", 4);
  std::vector<std::uint32_t> missing;  // per open node: remaining children
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const std::string_view label = tree.label(node);
    if (label.find_first_of(refused) != std::string_view::npos) {
      throw Error("label " + in_quotes(label) +
                  " holds a tab, line end or NUL byte, which brackets cannot");
    }
    const bool first_child = node > 0 && tree.children(node - 1) > 0;
    // A word directly after a bracket without a label would be read as that label.
    const bool word = style == BracketStyle::words && node > 0 && tree.children(node) == 0 &&
                      !label.empty() && !(first_child && tree.label(node - 1).empty());
    if (node > 0) {
      if (style == BracketStyle::words || (style == BracketStyle::spaced && first_child))
        out += ' ';
      --missing.back();
    }
    if (!word) out += '(';
    append_escaped(out, label, special);
    if (!word) missing.push_back(tree.children(node));
    while (!missing.empty() && missing.back() == 0) {
      out += ')';
      missing.pop_back();
    }
  }
}

}  // namespace espalier
