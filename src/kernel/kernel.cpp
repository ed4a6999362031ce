#include "espalier/kernel/kernel.hpp"

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
#include "kernel/build.hpp"
#include "kernel/expression.hpp"
#include "kernel/registry.hpp"

namespace espalier {

namespace {

constexpr std::size_t largest_sweep = 10'000;

/// The lists of an expression in the order of the text, each with the name of its parameter.
using Lists = std::vector<std::pair<std::string, Syntax*>>;

void collect_lists(Syntax& node, const std::string& name, Lists& out) {
  if (node.kind == Syntax::Kind::list) {
    const auto same = [&](const auto& other) {
      return other.first == name || other.first.starts_with(name + " (");
    };
    const auto earlier = std::ranges::count_if(out, same);
    out.emplace_back(earlier == 0 ? name : fmt::format("{} ({})", name, earlier + 1), &node);
  }
  const bool parameter = node.kind == Syntax::Kind::parameter;
  for (Syntax& operand : node.operands) {
    collect_lists(operand, parameter ? node.text : "factor", out);
  }
}

Lists lists_of(Syntax& expression) {
  Lists lists;
  collect_lists(expression, "factor", lists);
  return lists;
}

KernelNode parse_one(std::string_view text) {
  Syntax expression = parse_expression(text);
  if (const Lists lists = lists_of(expression); !lists.empty()) {
    fail_at(lists[0].second->position, "a list makes several kernels, and one is wanted here");
  }
  return build_kernel(expression);
}

std::size_t sweep_size(const Lists& lists) {
  std::size_t size = 1;
  for (const auto& [name, list] : lists) {
    // No overflow: both factors are far below the square root of the largest number.
    const std::size_t numbers = list->operands.size();
    if (numbers > largest_sweep || (size *= numbers) > largest_sweep) {
      fail_at(lists[0].second->position,
              fmt::format("the lists make more than {} kernels", largest_sweep));
    }
  }
  return size;
}

/// Advances to the next combination; the last list varies fastest.
void advance(const Lists& lists) {
  for (std::size_t i = lists.size(); i-- > 0;) {
    Syntax& list = *lists[i].second;
    if (++list.choice < list.operands.size()) return;
    list.choice = 0;
  }
}

/// Calls visit(parsed, lists) for each combination of the numbers in the lists.
template <class Visit>
void for_each_choice(std::string_view expression, Visit&& visit) {
  Syntax parsed = parse_expression(expression);
  const Lists lists = lists_of(parsed);
  for (std::size_t left = sweep_size(lists); left > 0; --left) {
    visit(parsed, lists);
    advance(lists);
  }
}

std::string name_text(std::string_view name) {
  if (is_word(name)) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string value_text(const Parameter& parameter, const Value& value) {
  const std::string text = print_value(parameter, value);
  return parameter.type == ParameterType::text ? name_text(text) : text;
}

/// Appends the canonical form of a node.
void print(const KernelNode& node, std::string& out);

void print_leaf(const KernelNode& node, std::string_view operand, std::string& out) {
  for (const LeafRow& row : leaf_kernels()) {
    const auto values = row.values(node);
    if (!values) continue;
    std::vector<std::string> arguments;
    if (!operand.empty()) arguments.push_back(name_text(operand));
    const std::vector<ParameterRow> parameters = row.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if ((*values)[i] == parameters[i].default_value) continue;
      arguments.push_back(
          fmt::format("{}={}", parameters[i].name, value_text(parameters[i], (*values)[i])));
    }
    out += fmt::format("{}({})", row.name, fmt::join(arguments, ", "));
    return;
  }
  throw std::logic_error("a kernel has no row in the registry");
}

void print_tree_kernel(const KernelNode& node, const TreeKernelNode& tree, std::string& out) {
  if (tree.labels.empty()) {
    print_leaf(node, tree.tree, out);
    return;
  }
  out += fmt::format("{}(", select_name);
  print_leaf(node, tree.tree, out);
  std::vector<std::string> labels;
  for (const std::string& label : tree.labels) labels.push_back(name_text(label));
  out += fmt::format(", labels=[{}])", fmt::join(labels, ", "));
}

/// A factor of a product: a sum needs brackets.
void print_factor(const KernelNode& node, std::string& out) {
  const auto* combination = std::get_if<CombinationNode>(&node.what);
  const bool sum = combination != nullptr && combination->how == Combination::sum;
  if (sum) out += '(';
  print(node, out);
  if (sum) out += ')';
}

void print_combination(const CombinationNode& node, std::string& out) {
  const bool product = node.how == Combination::product;
  if (product || node.how == Combination::sum) {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      if (i > 0) out += product ? "*" : " + ";
      product ? print_factor(node.operands[i], out) : print(node.operands[i], out);
    }
    return;
  }
  const auto row = std::ranges::find(combinations(), node.how, &CombinationRow::how);
  out += row->name;
  out += '(';
  print(node.operands.front(), out);
  out += ')';
}

void print(const KernelNode& node, std::string& out) {
  if (const auto* tree = std::get_if<TreeKernelNode>(&node.what)) {
    print_tree_kernel(node, *tree, out);
  } else if (const auto* vector = std::get_if<VectorKernelNode>(&node.what)) {
    print_leaf(node, vector->vector, out);
  } else if (const auto* constant = std::get_if<ConstantNode>(&node.what)) {
    out += print_number(constant->value);
  } else {
    print_combination(std::get<CombinationNode>(node.what), out);
  }
}

void list_tree_kernels(KernelNode& node, std::vector<TreeKernelNode*>& out) {
  if (auto* tree = std::get_if<TreeKernelNode>(&node.what)) out.push_back(tree);
  if (auto* combination = std::get_if<CombinationNode>(&node.what)) {
    for (KernelNode& operand : combination->operands) list_tree_kernels(operand, out);
  }
}

/// Describes the allowed values of a parameter.
std::string allowed_text(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::text:
      return "a text";
    case ParameterType::choice:
      return fmt::format("{}", fmt::join(parameter.choices, ", "));
    default:
      return (parameter.type == ParameterType::integer ? "integer in " : "in ") +
             parameter.range.to_string();
  }
}

std::string line(std::string_view name, std::string_view description) {
  return fmt::format("  {:<13}{}\n", name, description);
}

std::string describe(const LeafRow& row) {
  std::string out = line(row.name, row.description);
  for (const ParameterRow& parameter : row.parameters()) {
    const std::string standard =
        fmt::format("{}={}", parameter.name, value_text(parameter, parameter.default_value));
    const std::string also =
        parameter.alias.empty() ? "" : fmt::format("; also called {}", parameter.alias);
    out += fmt::format("      {:<24}{} ({}{})\n", standard, parameter.help, allowed_text(parameter),
                       also);
  }
  return out;
}

std::string describe_leaves(bool on_vectors) {
  std::string out;
  for (const LeafRow& row : leaf_kernels()) {
    if (row.on_vectors == on_vectors) out += describe(row);
  }
  return out;
}

}  // namespace

Kernel::Kernel(std::string_view expression) : root_(parse_one(expression)) {}

std::string Kernel::to_string() const {
  std::string out;
  print(root_, out);
  return out;
}

bool can_select(const TreeKernelNode& kernel) {
  return std::holds_alternative<SubsetTreeOptions>(kernel.options) ||
         std::holds_alternative<PartialTreeOptions>(kernel.options) ||
         std::holds_alternative<SubpathOptions>(kernel.options) ||
         std::holds_alternative<RouteOptions>(kernel.options);
}

Kernel with_labels(const Kernel& kernel, std::vector<std::string> labels) {
  KernelNode root = kernel.root();
  std::vector<TreeKernelNode*> trees;
  list_tree_kernels(root, trees);
  if (trees.size() != 1) {
    throw Error(fmt::format("labels are selected for one kernel on trees, and {} has {}",
                            kernel.to_string(), trees.size()));
  }
  TreeKernelNode& tree = *trees[0];
  if (!can_select(tree)) {
    throw Error("labels are selected for sst, pt, subpath or route, not for " + kernel.to_string());
  }
  if (!tree.labels.empty()) throw Error("labels are already selected: " + kernel.to_string());
  if (labels.empty()) throw Error("no labels are selected");
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  tree.labels = std::move(labels);
  return Kernel(std::move(root));
}

std::vector<Kernel> parse_sweep(std::string_view expression) {
  std::vector<Kernel> kernels;
  for_each_choice(expression, [&](const Syntax& parsed, const Lists&) {
    kernels.emplace_back(build_kernel(parsed));
  });
  return kernels;
}

std::vector<std::vector<Setting>> sweep_settings(std::string_view expression) {
  std::vector<std::vector<Setting>> out;
  for_each_choice(expression, [&](const Syntax&, const Lists& lists) {
    auto& settings = out.emplace_back();
    for (const auto& [name, list] : lists) {
      settings.push_back({name, list->operands[list->choice].text});
    }
  });
  return out;
}

std::vector<KernelDescription> kernel_descriptions() {
  std::vector<KernelDescription> out;
  for (const LeafRow& row : leaf_kernels()) {
    out.push_back({row.name, row.description, row.parameters()});
  }
  return out;
}

std::string describe_kernels() {
  std::string out =
      "On trees, as in sst(name, lambda=0.3), or sst() where there is one tree; parameters and "
      "their defaults:\n" +
      describe_leaves(false) + "On vectors, as in rbf(name, gamma=0.1):\n" + describe_leaves(true) +
      "Made from another kernel K, as in norm(K):\n";
  for (const CombinationRow& row : combinations()) out += line(row.name, row.description);
  out += line(select_name,
              "as in select(sst(), labels=[NP, VP]): only nodes with these labels match (sst, pt, "
              "subpath, route)");
  out += line("K + L, K*L", "sums and products, also with numbers: K + 0.5*L");
  out += "A list in place of a number, as in sst(lambda={0.2,0.4}), makes one kernel for each.\n";
  return out;
}

}  // namespace espalier
