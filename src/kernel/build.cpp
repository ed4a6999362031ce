#include "kernel/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "kernel/registry.hpp"

namespace espalier {

namespace {

using Names = std::vector<std::string_view>;

Names kernel_names() {
  Names names;
  for (const LeafRow& row : leaf_kernels()) names.push_back(row.name);
  for (const CombinationRow& row : combinations()) names.push_back(row.name);
  return names;
}

std::string did_you_mean(std::string_view word, const Names& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

/// The row of that name, or null.
template <class Row>
const Row* find_row(std::span<const Row> rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

[[noreturn]] void fail_unknown_kernel(const Syntax& at) {
  const Names names = kernel_names();
  fail_at(at.position, fmt::format("unknown kernel {}{} (known: {})", in_quotes(at.text),
                                   did_you_mean(at.text, names), fmt::join(names, ", ")));
}

[[noreturn]] void fail_unknown_parameter(const Syntax& argument, const LeafRow& row,
                                         const std::vector<Parameter>& parameters) {
  Names known, candidates;
  for (const Parameter& parameter : parameters) {
    known.push_back(parameter.name);
    candidates.push_back(parameter.name);
    if (!parameter.other_name.empty()) candidates.push_back(parameter.other_name);
  }
  const std::string all =
      known.empty() ? "it has none" : fmt::format("known: {}", fmt::join(known, ", "));
  fail_at(argument.position,
          fmt::format("unknown parameter {} of {}{} ({})", in_quotes(argument.text), row.name,
                      did_you_mean(argument.text, candidates), all));
}

std::size_t find_parameter(const Syntax& argument, const LeafRow& row,
                           const std::vector<Parameter>& parameters) {
  // Exact names before aliases: an alias may be a parameter of its own in another kernel.
  for (const auto name : {&Parameter::name, &Parameter::other_name}) {
    const auto found = std::ranges::find(parameters, argument.text, name);
    if (found != parameters.end()) return static_cast<std::size_t>(found - parameters.begin());
  }
  fail_unknown_parameter(argument, row, parameters);
}

[[noreturn]] void fail_given_twice(const Syntax& argument, const LeafRow& row,
                                   const Parameter& parameter) {
  const std::string why =
      parameter.other_name.empty()
          ? ""
          : fmt::format(" ({} and {} are the same)", parameter.name, parameter.other_name);
  fail_at(argument.position,
          fmt::format("parameter '{}' of {} is given twice{}", argument.text, row.name, why));
}

/// Parses the value of a parameter; `name` is the name as written in the expression.
class ValueReader {
 public:
  ValueReader(const Parameter& parameter, std::string_view name, const Syntax& text)
      : parameter_(parameter), name_(name), text_(text) {}

  Value operator()(double) const {
    const auto number = parse_number(text_.text);
    if (!number) fail_type("a number");
    if (parameter_.whole && *number != std::floor(*number)) fail_number("is not a whole number");
    if (*number < parameter_.range.low || *number > parameter_.range.high) {
      fail_number("is outside " + range_text(parameter_.range));
    }
    return *number + 0.0;  // -0 becomes 0
  }
  Value operator()(bool) const {
    if (text_.text != "true" && text_.text != "false") fail_type("true or false");
    return text_.text == "true";
  }
  Value operator()(Choice) const {
    const Names& names = parameter_.choices;
    const auto found = std::ranges::find(names, text_.text);
    if (found == names.end()) fail_type(fmt::format("one of {}", fmt::join(names, ", ")));
    return Choice{static_cast<std::size_t>(found - names.begin())};
  }
  Value operator()(const std::string&) const { return text_.text; }

 private:
  [[noreturn]] void fail_type(std::string_view expected) const {
    fail_at(text_.position,
            fmt::format("{} takes {}, not {}{}", name_, expected, in_quotes(text_.text),
                        did_you_mean(text_.text, parameter_.choices)));
  }
  [[noreturn]] void fail_number(std::string_view problem) const {
    fail_at(text_.position, fmt::format("{} = {} {}", name_, text_.text.substr(0, 40), problem));
  }

  const Parameter& parameter_;
  std::string_view name_;
  const Syntax& text_;
};

/// The enclosing combinations that restrict what a subexpression may contain.
struct Around {
  const CombinationRow* members = nullptr;  ///< one that splits pairs into members
  const CombinationRow* trees = nullptr;    ///< one that iterates over the trees of examples
};

void check_nesting(const CombinationRow& row, const Syntax& call, const Around& around) {
  if (row.applied == Applied::to_example) return;
  const CombinationRow* outer = around.trees;
  if (outer == nullptr && row.applied == Applied::to_members) outer = around.members;
  if (outer == nullptr) return;
  fail_at(call.position, fmt::format("{} cannot stand inside {}", row.name, outer->name));
}

bool has_tree_kernel(const KernelNode& node) {
  if (const auto* combination = std::get_if<CombinationNode>(&node.what)) {
    return std::ranges::any_of(combination->operands, has_tree_kernel);
  }
  return std::holds_alternative<TreeKernelNode>(node.what);
}

class Builder {
 public:
  explicit Builder(std::span<const std::size_t> choice) : choice_(choice) {}

  KernelNode kernel(const Syntax& syntax, const Around& around) const;

 private:
  KernelNode operands_of(Combination how, const Syntax& syntax, const Around& around) const;
  KernelNode call(const Syntax& call, const Around& around) const;
  KernelNode leaf(const LeafRow& row, const Syntax& call, const Around& around) const;
  KernelNode combination(const CombinationRow& row, const Syntax& call, Around around) const;

  /// The chosen item of a list; any other syntax node unchanged.
  const Syntax& chosen(const Syntax& syntax) const {
    return syntax.kind == Syntax::Kind::list ? syntax.operands[choice_[syntax.list]] : syntax;
  }

  std::span<const std::size_t> choice_;
};

/// A word in place of a kernel: a constant, or an error.
KernelNode constant(const Syntax& word) {
  if (const auto number = parse_number(word.text)) {
    if (*number >= 0) return {ConstantNode{*number + 0.0}};  // -0 becomes 0
    fail_at(word.position,
            fmt::format("the number {} is negative: the result would not be a kernel",
                        word.text.substr(0, 40)));
  }
  if (std::ranges::count(kernel_names(), word.text) > 0) {
    fail_at(word.position, fmt::format("{0} needs brackets: {0}(..)", word.text));
  }
  if (std::string_view("0123456789.-").find(word.text[0]) != std::string_view::npos) {
    fail_at(word.position, in_quotes(word.text) + " is not a finite number");
  }
  fail_unknown_kernel(word);
}

KernelNode Builder::kernel(const Syntax& syntax, const Around& around) const {
  switch (syntax.kind) {
    case Syntax::Kind::sum:
      return operands_of(Combination::sum, syntax, around);
    case Syntax::Kind::product:
      return operands_of(Combination::product, syntax, around);
    case Syntax::Kind::call:
      return call(syntax, around);
    case Syntax::Kind::word:
    case Syntax::Kind::list:
      return constant(chosen(syntax));
    case Syntax::Kind::parameter:
      fail_at(syntax.position, fmt::format("expected a kernel, found a value of the parameter {}",
                                           in_quotes(syntax.text)));
    case Syntax::Kind::quoted:
      break;
  }
  fail_at(syntax.position, fmt::format("the name {} is no kernel; it belongs inside one, as in "
                                       "sst(\"name\")",
                                       in_quotes(syntax.text)));
}

KernelNode Builder::operands_of(Combination how, const Syntax& syntax, const Around& around) const {
  CombinationNode node{how, {}};
  node.operands.reserve(syntax.operands.size());
  for (const Syntax& operand : syntax.operands) node.operands.push_back(kernel(operand, around));
  return {std::move(node)};
}

KernelNode Builder::call(const Syntax& call, const Around& around) const {
  if (const LeafRow* row = find_row(leaf_kernels(), call.text)) return leaf(*row, call, around);
  if (const CombinationRow* row = find_row(combinations(), call.text)) {
    return combination(*row, call, around);
  }
  fail_unknown_kernel(call);
}

/// The name of the tree or vector, which is argument `index` of the call.
std::string operand_name(const LeafRow& row, const Syntax& call, std::size_t index,
                         const Around& around) {
  const Syntax& argument = call.operands[index];
  const std::string_view what = row.on_vectors ? "vector" : "tree";
  const bool is_name = argument.kind == Syntax::Kind::word || argument.kind == Syntax::Kind::quoted;
  if (!is_name || argument.bracketed) {
    fail_at(argument.position,
            fmt::format("{} takes the name of a {} and parameters, nothing else", row.name, what));
  }
  if (index > 0) {
    fail_at(argument.position, fmt::format("the name of a {} must be the first argument of {}, and "
                                           "the only name; parameters are written name=value",
                                           what, row.name));
  }
  if (!row.on_vectors && around.trees != nullptr) {
    fail_at(argument.position, fmt::format("{} goes over all trees: {} inside it cannot name one",
                                           around.trees->name, row.name));
  }
  return argument.text;
}

KernelNode Builder::leaf(const LeafRow& row, const Syntax& call, const Around& around) const {
  const std::vector<Parameter> parameters = row.parameters();
  std::vector<Value> values;
  values.reserve(parameters.size());
  for (const Parameter& parameter : parameters) values.push_back(parameter.standard);
  std::vector<bool> given(parameters.size());
  std::string operand;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Syntax& argument = call.operands[i];
    if (argument.kind != Syntax::Kind::parameter) {
      operand = operand_name(row, call, i, around);
      continue;
    }
    const std::size_t index = find_parameter(argument, row, parameters);
    const Parameter& parameter = parameters[index];
    if (given[index]) fail_given_twice(argument, row, parameter);
    given[index] = true;
    const Syntax& value = chosen(argument.operands[0]);
    const bool text = std::holds_alternative<std::string>(parameter.standard);
    if (value.kind == Syntax::Kind::quoted && !text) {
      fail_at(value.position, fmt::format("{} takes no text in quotes", argument.text));
    }
    const ValueReader reader(parameter, argument.text, value);
    values[index] = std::visit(reader, parameter.standard);
  }
  return row.make(std::move(operand), values);
}

KernelNode Builder::combination(const CombinationRow& row, const Syntax& call,
                                Around around) const {
  check_nesting(row, call, around);
  if (call.operands.empty()) {
    fail_at(call.position, fmt::format("{0} needs a kernel, as in {0}(sst())", row.name));
  }
  if (call.operands.size() > 1) {
    fail_at(call.operands[1].position,
            fmt::format("{} takes one kernel and nothing else", row.name));
  }
  if (row.applied == Applied::to_members) around.members = &row;
  if (row.applied == Applied::to_trees) around.trees = &row;
  CombinationNode node{row.how, {}};
  node.operands.push_back(kernel(call.operands[0], around));
  if (row.applied == Applied::to_trees && !has_tree_kernel(node.operands[0])) {
    fail_at(call.position, fmt::format("{} needs a kernel on trees inside it", row.name));
  }
  return {std::move(node)};
}

}  // namespace

KernelNode build_kernel(const Expression& expression, std::span<const std::size_t> choice) {
  return Builder(choice).kernel(expression.root, {});
}

}  // namespace espalier
