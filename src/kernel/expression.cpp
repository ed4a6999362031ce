#include "kernel/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

namespace {

constexpr std::size_t deepest = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_./-").find(c) != std::string_view::npos;
}

/// Recursive descent: one function for each line of the grammar. All leave the position behind
/// blanks.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { skip_blanks(); }

  Syntax parse();

 private:
  Syntax expression();
  Syntax product();
  Syntax factor();
  Syntax bracket();
  Syntax call(Syntax name);
  Syntax argument();
  Syntax value();
  Syntax list();
  Syntax names();
  Syntax number();
  Syntax word();
  Syntax quoted();
  /// A word or a quoted name.
  Syntax name(std::string_view expected);

  bool at_end() const { return at_ == text_.size(); }
  bool at_symbol(char symbol) const { return !at_end() && text_[at_] == symbol; }
  bool at_word() const { return !at_end() && is_word_character(text_[at_]); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  /// Skips the symbol that is next and returns its position.
  std::size_t take();
  /// Skips the symbol if it is next.
  bool skip(char symbol);
  /// Skips an opening bracket and returns its position.
  std::size_t open();
  /// Skips the closing bracket that matches the one at `opened`.
  void close(char symbol, std::size_t opened, std::string_view expected);
  [[noreturn]] void fail_expected(std::string_view what) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

Syntax Parser::parse() {
  if (at_end()) fail_at(0, "the expression is empty");
  Syntax root = expression();
  if (!at_end()) fail_expected("'+', '*' or the end");
  return root;
}

/// Appends an operand. An operand of the same kind is flattened into its own operands.
void append_flat(Syntax& to, Syntax operand) {
  if (operand.kind == to.kind) {
    std::ranges::move(operand.operands, std::back_inserter(to.operands));
  } else {
    to.operands.push_back(std::move(operand));
  }
}

Syntax Parser::expression() {
  Syntax first = product();
  if (!at_symbol('+')) return first;
  Syntax sum{Syntax::Kind::sum, first.position, "", {}};
  append_flat(sum, std::move(first));
  while (skip('+')) append_flat(sum, product());
  return sum;
}

Syntax Parser::product() {
  Syntax first = factor();
  if (!at_symbol('*')) return first;
  Syntax product{Syntax::Kind::product, first.position, "", {}};
  append_flat(product, std::move(first));
  while (skip('*')) append_flat(product, factor());
  return product;
}

Syntax Parser::factor() {
  if (at_symbol('{')) return list();
  if (at_symbol('(')) return bracket();
  if (at_symbol('"')) return quoted();
  if (!at_word()) fail_expected("a kernel or a number");
  Syntax name = word();
  return at_symbol('(') ? call(std::move(name)) : name;
}

Syntax Parser::bracket() {
  const std::size_t opened = open();
  Syntax inner = expression();
  close(')', opened, "'+', '*' or ')'");
  --depth_;
  inner.bracketed = true;
  return inner;
}

Syntax Parser::call(Syntax name) {
  const std::size_t opened = open();
  Syntax call{Syntax::Kind::call, name.position, std::move(name.text), {}};
  if (!at_symbol(')')) {
    do call.operands.push_back(argument());
    while (skip(','));
  }
  close(')', opened, "',' or ')'");
  --depth_;
  return call;
}

Syntax Parser::argument() {
  if (at_end() || at_symbol(',') || at_symbol(')')) fail_expected("an argument");
  Syntax first = expression();
  if (first.kind != Syntax::Kind::word || first.bracketed || !skip('=')) return first;
  Syntax parameter{Syntax::Kind::parameter, first.position, std::move(first.text), {}};
  parameter.operands.push_back(value());
  return parameter;
}

Syntax Parser::value() {
  if (at_symbol('{')) return list();
  if (at_symbol('[')) return names();
  return name("a number, a word or a list of numbers");
}

Syntax Parser::list() {
  const std::size_t opened = take();
  Syntax list{Syntax::Kind::list, opened, "", {}};
  do list.operands.push_back(number());
  while (skip(','));
  close('}', opened, "',' or '}'");
  return list;
}

Syntax Parser::names() {
  const std::size_t opened = take();
  Syntax names{Syntax::Kind::names, opened, "", {}};
  do names.operands.push_back(name("a name"));
  while (skip(','));
  close(']', opened, "',' or ']'");
  return names;
}

Syntax Parser::number() {
  const std::size_t position = at_;
  if (at_word()) {
    Syntax number = word();
    if (parse_number(number.text)) return number;
  }
  at_ = position;
  fail_expected("a number");
}

Syntax Parser::name(std::string_view expected) {
  if (at_symbol('"')) return quoted();
  if (!at_word()) fail_expected(expected);
  return word();
}

Syntax Parser::word() {
  const std::size_t begin = at_;
  const auto skip_all = [&](auto&& of_kind) {
    while (!at_end() && of_kind(text_[at_])) ++at_;
  };
  skip_all(is_word_character);
  const std::string_view rest = text_.substr(at_);
  // The exponent of a number like 1e+9, which is how large numbers are printed.
  const std::string_view end = text_.substr(at_ - 1, 1);
  if ((end == "e" || end == "E") && rest.size() > 1 && rest[0] == '+' && is_digit(rest[1]) &&
      parse_number(text_.substr(begin, at_ - 1 - begin))) {
    ++at_;
    skip_all(is_digit);
  }
  Syntax word{Syntax::Kind::word, begin, std::string(text_.substr(begin, at_ - begin)), {}};
  skip_blanks();
  return word;
}

Syntax Parser::quoted() {
  Syntax name{Syntax::Kind::quoted, at_++, "", {}};
  for (; !at_end() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\') {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
      if (next != '"' && next != '\\') fail_at(at_, "expected \\\" or \\\\ in a quoted name");
      ++at_;
    }
    name.text += text_[at_];
  }
  if (at_end()) fail_at(name.position, "this double quote has no end");
  ++at_;
  skip_blanks();
  return name;
}

std::size_t Parser::take() {
  const std::size_t taken = at_++;
  skip_blanks();
  return taken;
}

bool Parser::skip(char symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

std::size_t Parser::open() {
  if (++depth_ > deepest) fail_at(at_, fmt::format("nested more than {} deep", deepest));
  return take();
}

void Parser::close(char symbol, std::size_t opened, std::string_view expected) {
  if (skip(symbol)) return;
  fail_expected(fmt::format("{} (a bracket is open since position {})", expected, opened + 1));
}

void Parser::fail_expected(std::string_view what) const {
  const std::string_view rest = text_.substr(at_);
  const bool foreign = !at_end() && !at_word() &&
                       std::string_view("(){}[]+*,=\"").find(rest[0]) == std::string_view::npos;
  fail_at(at_, fmt::format("expected {}, found {}{}", what, at_end() ? "the end" : in_quotes(rest),
                           foreign ? "; names with such characters go in double quotes" : ""));
}

}  // namespace

Syntax parse_expression(std::string_view text) { return Parser(text).parse(); }

bool is_word(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_word_character);
}

void fail_at(std::size_t position, std::string_view message) {
  throw Error(fmt::format("kernel expression, position {}: {}", position + 1, message));
}

}  // namespace espalier
