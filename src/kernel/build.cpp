#include "kernel/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  names.push_back(select_name);
  return names;
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
                                         const std::vector<ParameterRow>& parameters) {
  Names known, candidates;
  for (const ParameterRow& parameter : parameters) {
    known.push_back(parameter.name);
    candidates.push_back(parameter.name);
    if (!parameter.alias.empty()) candidates.push_back(parameter.alias);
  }
  const std::string all =
      known.empty() ? "it has none" : fmt::format("known: {}", fmt::join(known, ", "));
  fail_at(argument.position,
          fmt::format("unknown parameter {} of {}{} ({})", in_quotes(argument.text), row.name,
                      did_you_mean(argument.text, candidates), all));
}

[[noreturn]] void fail_given_twice(const Syntax& argument, const LeafRow& row,
                                   const Parameter& parameter) {
  const std::string why = parameter.alias.empty() ? ""
                                                  : fmt::format(" ({} and {} are the same)",
                                                                parameter.name, parameter.alias);
  fail_at(argument.position,
          fmt::format("parameter '{}' of {} is given twice{}", argument.text, row.name, why));
}

/// The value of an argument; `name` is the parameter's name as written.
Value read_value(const Parameter& parameter, std::string_view name, const Syntax& text) {
  try {
    return parse_value(parameter, text.text, name);
  } catch (const Error& error) {
    fail_at(text.position, error.what());
  }
}

/// The chosen operand of a list; any other syntax node unchanged.
const Syntax& chosen(const Syntax& syntax) {
  return syntax.kind == Syntax::Kind::list ? syntax.operands[syntax.choice] : syntax;
}

/// `outer` is the innermost combination around it that splits examples into members or trees.
void check_nesting(const CombinationRow& row, const Syntax& call, const CombinationRow* outer) {
  if (outer == nullptr || row.applied == Applied::to_example) return;
  if (row.applied == Applied::to_trees && outer->applied == Applied::to_members) return;
  fail_at(call.position, fmt::format("{} cannot stand inside {}", row.name, outer->name));
}

bool has_tree_kernel(const KernelNode& node) {
  if (const auto* combination = std::get_if<CombinationNode>(&node.what)) {
    return std::ranges::any_of(combination->operands, has_tree_kernel);
  }
  return std::holds_alternative<TreeKernelNode>(node.what);
}

KernelNode build(const Syntax& syntax, const CombinationRow* outer);

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

KernelNode operands_of(Combination how, const Syntax& syntax, const CombinationRow* outer) {
  CombinationNode node{how, {}};
  node.operands.reserve(syntax.operands.size());
  for (const Syntax& operand : syntax.operands) node.operands.push_back(build(operand, outer));
  return {std::move(node)};
}

/// The name of the tree or vector, which is argument `index` of the call.
std::string operand_name(const LeafRow& row, const Syntax& call, std::size_t index,
                         const CombinationRow* outer) {
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
  if (!row.on_vectors && outer != nullptr && outer->applied == Applied::to_trees) {
    fail_at(argument.position, fmt::format("{} goes over all trees: {} inside it cannot name one",
                                           outer->name, row.name));
  }
  return argument.text;
}

KernelNode leaf(const LeafRow& row, const Syntax& call, const CombinationRow* outer) {
  const std::vector<ParameterRow> parameters = row.parameters();
  std::vector<Value> values;
  values.reserve(parameters.size());
  for (const ParameterRow& parameter : parameters) values.push_back(parameter.default_value);
  std::vector<bool> given(parameters.size());
  std::string operand;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Syntax& argument = call.operands[i];
    if (argument.kind != Syntax::Kind::parameter) {
      operand = operand_name(row, call, i, outer);
      continue;
    }
    const ParameterRow* const found = find_parameter(parameters, argument.text);
    if (found == nullptr) fail_unknown_parameter(argument, row, parameters);
    const Parameter& parameter = *found;
    const auto index = static_cast<std::size_t>(found - parameters.data());
    if (given[index]) fail_given_twice(argument, row, parameter);
    given[index] = true;
    const Syntax& value = chosen(argument.operands[0]);
    if (value.kind == Syntax::Kind::names) {
      fail_at(value.position, fmt::format("{} takes one value, not several names", argument.text));
    }
    if (value.kind == Syntax::Kind::quoted && parameter.type != ParameterType::text) {
      fail_at(value.position, fmt::format("{} takes no text in quotes", argument.text));
    }
    values[index] = read_value(parameter, argument.text, value);
  }
  return row.make(std::move(operand), values);
}

KernelNode combination(const CombinationRow& row, const Syntax& call, const CombinationRow* outer) {
  check_nesting(row, call, outer);
  if (call.operands.empty()) {
    fail_at(call.position, fmt::format("{0} needs a kernel, as in {0}(sst())", row.name));
  }
  if (call.operands.size() > 1) {
    fail_at(call.operands[1].position,
            fmt::format("{} takes one kernel and nothing else", row.name));
  }
  if (row.applied != Applied::to_example) outer = &row;
  CombinationNode node{row.how, {}};
  node.operands.push_back(build(call.operands[0], outer));
  if (row.applied == Applied::to_trees && !has_tree_kernel(node.operands[0])) {
    fail_at(call.position, fmt::format("{} needs a kernel on trees inside it", row.name));
  }
  return {std::move(node)};
}

std::vector<std::string> labels_of(const Syntax& value) {
  if (value.kind == Syntax::Kind::list) {
    fail_at(value.position, "labels stand in square brackets, as in labels=[1, 2]");
  }
  if (value.kind != Syntax::Kind::names) return {value.text};
  std::vector<std::string> out;
  for (const Syntax& label : value.operands) out.push_back(label.text);
  return out;
}

/// select(K, labels=[..]).
KernelNode selection(const Syntax& call, const CombinationRow* outer) {
  constexpr const char* usage =
      "select takes a kernel and labels, as in select(sst(), labels=[NP, VP])";
  if (call.operands.size() != 2) fail_at(call.position, usage);
  const Syntax& labels = call.operands[1];
  if (labels.kind != Syntax::Kind::parameter || labels.text != "labels") {
    fail_at(labels.position, usage);
  }
  const KernelNode operand = build(call.operands[0], outer);
  if (!std::holds_alternative<TreeKernelNode>(operand.what)) {
    fail_at(call.operands[0].position,
            "select takes a kernel on trees and stands inside others, as in "
            "norm(select(sst(), labels=[NP, VP]))");
  }
  std::vector<std::string> chosen = labels_of(labels.operands[0]);
  try {
    return with_labels(Kernel(operand), std::move(chosen)).root();
  } catch (const Error& error) {
    fail_at(call.operands[0].position, error.what());
  }
}

KernelNode call(const Syntax& call, const CombinationRow* outer) {
  if (call.text == select_name) return selection(call, outer);
  if (const LeafRow* row = find_row(leaf_kernels(), call.text)) return leaf(*row, call, outer);
  if (const CombinationRow* row = find_row(combinations(), call.text)) {
    return combination(*row, call, outer);
  }
  fail_unknown_kernel(call);
}

KernelNode build(const Syntax& syntax, const CombinationRow* outer) {
  switch (syntax.kind) {
    case Syntax::Kind::sum:
      return operands_of(Combination::sum, syntax, outer);
    case Syntax::Kind::product:
      return operands_of(Combination::product, syntax, outer);
    case Syntax::Kind::call:
      return call(syntax, outer);
    case Syntax::Kind::word:
    case Syntax::Kind::list:
      return constant(chosen(syntax));
    case Syntax::Kind::parameter:
      fail_at(syntax.position, fmt::format("expected a kernel, found a value of the parameter {}",
                                           in_quotes(syntax.text)));
    case Syntax::Kind::quoted:
    case Syntax::Kind::names:  // only as the value of a parameter
      break;
  }
  fail_at(syntax.position, fmt::format("the name {} is no kernel; it belongs inside one, as in "
                                       "sst(\"name\")",
                                       in_quotes(syntax.text)));
}

}  // namespace

KernelNode build_kernel(const Syntax& expression) { return build(expression, nullptr); }

}  // namespace espalier
