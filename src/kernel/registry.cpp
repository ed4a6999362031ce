#include "kernel/registry.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "espalier/base/number.hpp"

namespace espalier {

namespace {

/// Aliases, for every kernel that has one of the two parameters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> same_names = {{
    {"decay", "lambda"},  // the second is a keyword in Python
    {"depth_decay", "mu"},
    {"dim", "dimension"},
}};

/// Parameters that are integers, though of type double, in every kernel that has them.
constexpr std::array<std::string_view, 2> whole_numbers = {"max_length", "degree"};

std::string_view other_name(std::string_view name) {
  for (const auto& [one, other] : same_names) {
    if (name == one) return other;
    if (name == other) return one;
  }
  return {};
}

template <class T>
constexpr bool is_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
Value to_value(T value) {
  if constexpr (std::is_enum_v<T>) {
    return Choice{static_cast<std::size_t>(value)};
  } else if constexpr (is_whole<T>) {
    return static_cast<double>(value);
  } else {
    return value;
  }
}

template <class T>
T from_value(const Value& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(std::get<Choice>(value).index);
  } else if constexpr (is_whole<T>) {
    return static_cast<T>(std::get<double>(value));
  } else {
    return std::get<T>(value);
  }
}

/// Calls visit(member, parameter) for each field that the options describe.
template <class Options, class Visit>
struct FieldVisitor {
  Visit& visit;

  // The member may be inherited.
  template <class Number, class Holder>
  requires std::is_arithmetic_v<Number>
  void operator()(std::string_view name, Number Holder::*member, Range range,
                  std::string_view help) {
    report<Number>(member, {name, other_name(name), help, range, false, {}, {}});
  }
  /// A flag or a string.
  template <class T, class Holder>
  void operator()(std::string_view name, T Holder::*member, std::string_view help) {
    report<T>(member, {name, other_name(name), help, {}, false, {}, {}});
  }
  template <class Enum, class Holder, std::size_t N>
  void operator()(std::string_view name, Enum Holder::*member, const char* const (&names)[N],
                  std::string_view help) {
    report<Enum>(member, {name, other_name(name), help, {}, false, {names, names + N}, {}});
  }

  template <class T>
  void report(T Options::*member, Parameter parameter) {
    parameter.whole =
        is_whole<T> || std::ranges::find(whole_numbers, parameter.name) != whole_numbers.end();
    parameter.standard = to_value(Options{}.*member);
    visit(member, std::move(parameter));
  }
};

template <class Options, class Visit>
void for_each_field(Visit visit) {
  Options::describe(FieldVisitor<Options, Visit>{visit});
}

template <class Options>
std::vector<Parameter> parameters_of() {
  std::vector<Parameter> parameters;
  for_each_field<Options>(
      [&](auto, Parameter parameter) { parameters.push_back(std::move(parameter)); });
  return parameters;
}

template <class Node, class Options>
KernelNode make_leaf(std::string operand, std::span<const Value> values) {
  Options options;
  std::size_t next = 0;
  const auto assign = [&]<class T>(T Options::*member, const Parameter&) {
    options.*member = from_value<T>(values[next++]);
  };
  for_each_field<Options>(assign);
  return {Node{std::move(operand), options}};
}

template <class Node, class Options>
std::optional<std::vector<Value>> values_of(const KernelNode& node) {
  const Node* const leaf = std::get_if<Node>(&node.what);
  const Options* const options = leaf == nullptr ? nullptr : std::get_if<Options>(&leaf->options);
  if (options == nullptr) return std::nullopt;
  std::vector<Value> values;
  for_each_field<Options>(
      [&](auto member, const Parameter&) { values.push_back(to_value(options->*member)); });
  return values;
}

template <class Options>
constexpr LeafRow on_trees(std::string_view name, std::string_view description) {
  return {name,
          description,
          false,
          parameters_of<Options>,
          make_leaf<TreeKernelNode, Options>,
          values_of<TreeKernelNode, Options>};
}

template <class Options>
constexpr LeafRow on_vectors(std::string_view name, std::string_view description) {
  return {name,
          description,
          true,
          parameters_of<Options>,
          make_leaf<VectorKernelNode, Options>,
          values_of<VectorKernelNode, Options>};
}

constexpr std::array leaf_rows = {
    on_trees<SubtreeOptions>("st", "complete subtrees that both trees contain"),
    on_trees<SubsetTreeOptions>("sst", "fragments whose nodes keep all of their children or none"),
    on_trees<PartialTreeOptions>("pt",
                                 "fragments whose nodes keep any of their children, in order"),
    on_trees<SmoothedTreeOptions>("spt", "pt in which words match as far as they are similar"),
    on_trees<CompositionalTreeOptions>("cspt",
                                       "spt that also composes the vectors of head and modifier"),
    on_trees<SubpathOptions>("subpath", "vertical paths of labels that both trees contain"),
    on_trees<WordsOptions>("lex", "words of the trees, each with each: equal ones, or by vectors"),
    on_trees<DistributedTreeOptions>(
        "dtk", "dot product of distributed trees: an estimate of sst(lambda) / lambda"),
    on_vectors<LinearOptions>("linear", "dot product"),
    on_vectors<PolynomialOptions>("poly", "(scale * dot product + offset)^degree"),
    on_vectors<RbfOptions>("rbf", "exp(-gamma * squared distance)"),
    on_vectors<CosineOptions>("cosine", "cosine of the angle; 0 if one vector is 0"),
};

constexpr std::array combination_rows = {
    CombinationRow{"norm", "K(x,y) / sqrt(K(x,x) K(y,y)); 0 where a self-kernel is 0",
                   Combination::norm, Applied::to_example},
    CombinationRow{"pair", "K(a1,a2) + K(b1,b2) on the members a and b of two pairs",
                   Combination::pair, Applied::to_members},
    CombinationRow{"cross", "pair(K) + K(a1,b2) + K(b1,a2)", Combination::cross,
                   Applied::to_members},
    CombinationRow{"pairproduct", "K(a1,a2) K(b1,b2)", Combination::pair_product,
                   Applied::to_members},
    CombinationRow{"each", "sum over the names of trees, each with the tree of the same name",
                   Combination::each, Applied::to_trees},
    CombinationRow{"all", "sum over all trees of one example with all trees of the other",
                   Combination::all, Applied::to_trees},
};

}  // namespace

std::string range_text(const Range& range) {
  const bool open = range.high == std::numeric_limits<double>::max();
  return "[" + print_number(range.low) + ", " + (open ? "inf)" : print_number(range.high) + "]");
}

std::span<const LeafRow> leaf_kernels() { return leaf_rows; }

std::span<const CombinationRow> combinations() { return combination_rows; }

}  // namespace espalier
