#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// One node of the text of a kernel expression: only its form is known to be right. Whether its
/// names and values make sense is for who builds a kernel from it.
struct Syntax {
  enum class Kind {
    word,       ///< a number, a name, true or false
    quoted,     ///< a name in double quotes
    list,       ///< {1,2}: the operands are words that are numbers
    parameter,  ///< text=operand; the operand is a word or a list
    call,       ///< text(operands)
    sum,        ///< two or more operands, none of them a sum
    product,    ///< two or more operands, none of them a product
  };
  Kind kind;
  std::size_t position;  ///< of its first byte in the text, from 0
  std::string text;      ///< of a word or quoted name; the name of a parameter or call
  std::vector<Syntax> operands;
  std::size_t list = 0;  ///< which of Expression::lists this is
  bool bracketed = false;
};

/// A whole expression.
struct Expression {
  Syntax root;
  std::vector<std::size_t> lists;  ///< how many numbers each list has, in the order of the text
  std::size_t first_list = 0;      ///< where the first list stands in the text
};

/// Reads the text into its form:
///
///     expression = product {"+" product}          product = factor {"*" factor}
///     factor     = word | quoted | list | "(" expression ")" | word "(" [argument {"," argument}]
///     ")" argument   = word "=" (word | list) | expression list       = "{" word {"," word} "}"
///     word       = one or more of A-Z a-z 0-9 _ . / - (and the + of 1e+9)
///     quoted     = '"' {any byte, or \ before " and \} '"'
///
/// Throws Error where the text does not fit, or is nested more than 100 levels deep.
Expression parse_expression(std::string_view text);

/// Whether `name` can stand in an expression without quotes.
bool is_word(std::string_view name);

/// Throws Error "kernel expression, position N: message"; `position` counts from 0, N from 1.
[[noreturn]] void fail_at(std::size_t position, std::string_view message);

}  // namespace espalier
