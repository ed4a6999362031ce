#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// A node of the syntax tree of a kernel expression. Only its syntax has been checked; names and
/// values are checked when a kernel is built from it.
struct Syntax {
  enum class Kind {
    word,       ///< a number, a name, true or false
    quoted,     ///< a name in double quotes
    list,       ///< {1,2}: the operands are words that are numbers
    names,      ///< [a,"b c"]: the operands are words or quoted names
    parameter,  ///< text=operand; the operand is a word, quoted, a list or names
    call,       ///< text(operands)
    sum,        ///< two or more operands, none of them a sum
    product,    ///< two or more operands, none of them a product
  };
  Kind kind;
  std::size_t position;  ///< of its first byte in the text, from 0
  std::string text;      ///< of a word or quoted name; the name of a parameter or call
  std::vector<Syntax> operands;
  bool bracketed = false;
  std::size_t choice = 0;  ///< of a list: the operand that build_kernel() uses
};

// clang-format off
/// Parses the text by this grammar:
///
///     expression = product {"+" product}
///     product    = factor {"*" factor}
///     factor     = word | quoted | list | "(" expression ")" | word "(" [argument {"," argument}] ")"
///     argument   = word "=" (word | quoted | list | names) | expression
///     list       = "{" word {"," word} "}"
///     names      = "[" (word | quoted) {"," (word | quoted)} "]"
///     word       = one or more of A-Z a-z 0-9 _ . / - (and the + of 1e+9)
///     quoted     = '"' {any byte, or \ before " and \} '"'
///
/// Throws Error on a syntax error, or if the text is nested more than 100 levels deep.
// clang-format on
Syntax parse_expression(std::string_view text);

/// Whether `name` can be written without quotes.
bool is_word(std::string_view name);

/// Throws Error "kernel expression, position N: message"; `position` counts from 0, N from 1.
[[noreturn]] void fail_at(std::size_t position, std::string_view message);

}  // namespace espalier
