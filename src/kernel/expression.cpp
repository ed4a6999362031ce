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

struct Token {
  enum class Kind { word, quoted, symbol, end };
  Kind kind = Kind::end;
  std::size_t position = 0;
  std::string text;
};

/// Splits the text into tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  /// The token at a position, for messages.
  std::string found_at(std::size_t position) const;

 private:
  Token word();
  Token quoted();

  std::string_view text_;
  std::size_t at_ = 0;
};

Token Lexer::next() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  if (at_ == text_.size()) return {Token::Kind::end, at_, ""};
  if (is_word_character(text_[at_])) return word();
  if (text_[at_] == '"') return quoted();
  const std::size_t position = at_++;
  return {Token::Kind::symbol, position, std::string(1, text_[position])};
}

Token Lexer::word() {
  const std::size_t begin = at_;
  const auto skip = [&](auto&& of_kind) {
    while (at_ < text_.size() && of_kind(text_[at_])) ++at_;
  };
  skip(is_word_character);
  const std::string_view rest = text_.substr(at_);
  // The exponent of a number like 1e+9, which is how large numbers are printed.
  const std::string_view end = text_.substr(at_ - 1, 1);
  if ((end == "e" || end == "E") && rest.size() > 1 && rest[0] == '+' && is_digit(rest[1]) &&
      parse_number(text_.substr(begin, at_ - 1 - begin))) {
    ++at_;
    skip(is_digit);
  }
  return {Token::Kind::word, begin, std::string(text_.substr(begin, at_ - begin))};
}

Token Lexer::quoted() {
  Token token{Token::Kind::quoted, at_++, ""};
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\') {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
      if (next != '"' && next != '\\') fail_at(at_, "expected \\\" or \\\\ in a quoted name");
      ++at_;
    }
    token.text += text_[at_];
  }
  if (at_ == text_.size()) fail_at(token.position, "this double quote has no end");
  ++at_;
  return token;
}

std::string Lexer::found_at(std::size_t position) const {
  return position == text_.size() ? "the end" : in_quotes(text_.substr(position));
}

/// Recursive descent: one function for each line of the grammar.
class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), next_(lexer_.next()) {}

  Expression parse() &&;

 private:
  Syntax expression();
  Syntax product();
  Syntax factor();
  Syntax bracket();
  Syntax call(Token name);
  Syntax argument();
  Syntax value();
  Syntax list();
  Syntax names();

  bool at_symbol(char symbol) const {
    return next_.kind == Token::Kind::symbol && next_.text[0] == symbol;
  }
  /// A word or a quoted name.
  Syntax name(std::string_view expected);
  /// Skips the symbol if it is next.
  bool skip(char symbol);
  /// Consumes the next token.
  Token take() { return std::exchange(next_, lexer_.next()); }
  /// Consumes the closing bracket that matches the one at `opened`.
  void close(char symbol, std::size_t opened, std::string_view expected);
  [[noreturn]] void fail_expected(std::string_view what) const;

  Lexer lexer_;
  Token next_;
  std::size_t depth_ = 0;
  std::vector<std::size_t> lists_;
  std::size_t first_list_ = 0;
};

Expression Parser::parse() && {
  if (next_.kind == Token::Kind::end) fail_at(0, "the expression is empty");
  Syntax root = expression();
  if (next_.kind != Token::Kind::end) fail_expected("'+', '*' or the end");
  return {std::move(root), std::move(lists_), first_list_};
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
  if (next_.kind == Token::Kind::quoted) {
    Token name = take();
    return {Syntax::Kind::quoted, name.position, std::move(name.text), {}};
  }
  if (next_.kind != Token::Kind::word) fail_expected("a kernel or a number");
  Token word = take();
  if (at_symbol('(')) return call(std::move(word));
  return {Syntax::Kind::word, word.position, std::move(word.text), {}};
}

Syntax Parser::bracket() {
  const std::size_t opened = take().position;
  if (++depth_ > deepest) fail_at(opened, fmt::format("nested more than {} deep", deepest));
  Syntax inner = expression();
  close(')', opened, "'+', '*' or ')'");
  --depth_;
  inner.bracketed = true;
  return inner;
}

Syntax Parser::call(Token name) {
  const std::size_t opened = take().position;
  if (++depth_ > deepest) fail_at(opened, fmt::format("nested more than {} deep", deepest));
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
  if (next_.kind == Token::Kind::end || at_symbol(',') || at_symbol(')')) {
    fail_expected("an argument");
  }
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

Syntax Parser::name(std::string_view expected) {
  const bool quoted = next_.kind == Token::Kind::quoted;
  if (next_.kind != Token::Kind::word && !quoted) fail_expected(expected);
  Token word = take();
  return {
      quoted ? Syntax::Kind::quoted : Syntax::Kind::word, word.position, std::move(word.text), {}};
}

Syntax Parser::names() {
  const std::size_t opened = take().position;
  Syntax names{Syntax::Kind::names, opened, "", {}};
  do names.operands.push_back(name("a name"));
  while (skip(','));
  close(']', opened, "',' or ']'");
  return names;
}

Syntax Parser::list() {
  const std::size_t opened = take().position;
  Syntax list{Syntax::Kind::list, opened, "", {}};
  do {
    if (next_.kind != Token::Kind::word || !parse_number(next_.text)) fail_expected("a number");
    Token number = take();
    list.operands.push_back({Syntax::Kind::word, number.position, std::move(number.text), {}});
  } while (skip(','));
  close('}', opened, "',' or '}'");
  if (lists_.empty()) first_list_ = opened;
  list.list = lists_.size();
  lists_.push_back(list.operands.size());
  return list;
}

bool Parser::skip(char symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

void Parser::close(char symbol, std::size_t opened, std::string_view expected) {
  if (skip(symbol)) return;
  fail_expected(fmt::format("{} (a bracket is open since position {})", expected, opened + 1));
}

void Parser::fail_expected(std::string_view what) const {
  const bool foreign = next_.kind == Token::Kind::symbol &&
                       std::string_view("(){}[]+*,=").find(next_.text) == std::string_view::npos;
  fail_at(next_.position,
          fmt::format("expected {}, found {}{}", what, lexer_.found_at(next_.position),
                      foreign ? "; names with such characters go in double quotes" : ""));
}

}  // namespace

Expression parse_expression(std::string_view text) { return Parser(text).parse(); }

bool is_word(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_word_character);
}

void fail_at(std::size_t position, std::string_view message) {
  throw Error(fmt::format("kernel expression, position {}: {}", position + 1, message));
}

}  // namespace espalier
