#include "espalier/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/failure.hpp"
#include "support/trees.hpp"

namespace espalier {

/// How GoogleTest shows a kernel in a failed comparison.
inline void PrintTo(const Kernel& kernel, std::ostream* out) { *out << kernel.to_string(); }

namespace {

using test::contains;
using test::fails_with;
using test::Random;

std::string canonical(std::string_view text) { return Kernel(text).to_string(); }

template <class Options>
Options tree_options(std::string_view text) {
  return std::get<Options>(std::get<TreeKernelNode>(Kernel(text).root().what).options);
}

TEST(KernelExpression, FillsInTheOptionsOfAKernel) {
  EXPECT_EQ(tree_options<SubtreeOptions>("st()"), SubtreeOptions{});
  EXPECT_EQ(
      tree_options<SubtreeOptions>("st(t, decay=0.25, weight=productions, kappa=poly, power=3, "
                                   "leaves=true, unordered=true, labels=false)"),
      (SubtreeOptions{0.25, SubtreeWeight::productions, SubtreeCount::poly, 3, true, true, false}));
  EXPECT_EQ(
      tree_options<PartialTreeOptions>("pt(max_length=4, gap=span, terminal=5, mu=0.1, lambda=1)"),
      (PartialTreeOptions{1, 0.1, 5, Gap::span, 4}));
  EXPECT_EQ(tree_options<DistributedTreeOptions>("dtk(dim=64, lambda=1, compose=convolution, "
                                                 "fragments=subpaths, recipe=papers, arity=false, "
                                                 "seed=7)"),
            (DistributedTreeOptions{64, 1, Composition::convolution, DistributedFragments::subpaths,
                                    Recipe::papers, false, 7}));
  const Kernel poly("poly(\"my vector\", degree=3, scale=1e-3, offset=0)");
  EXPECT_EQ(std::get<VectorKernelNode>(poly.root().what),
            (VectorKernelNode{"my vector", PolynomialOptions{3, 1e-3, 0}}));
}

TEST(KernelExpression, KnowsBothNamesOfADecay) {
  EXPECT_EQ(Kernel("sst(decay=0.1)"), Kernel("sst(lambda=0.1)"));
  EXPECT_EQ(Kernel("st(decay=0.1)"), Kernel("st(lambda=0.1)"));
  EXPECT_EQ(Kernel("pt(decay=0.1, depth_decay=0.2)"), Kernel("pt(lambda=0.1, mu=0.2)"));
}

TEST(KernelExpression, KnowsBothNamesOfADimension) {
  EXPECT_EQ(canonical("dtk(grct, dim=16777216, seed=9007199254740992)"),
            canonical(canonical("dtk(grct, dim=16777216, seed=9007199254740992)")));
}

TEST(KernelExpression, BuildsCombinationsOfItsOperands) {
  const KernelNode sst{TreeKernelNode{"grct", SubsetTreeOptions{}}};
  const KernelNode half{ConstantNode{0.5}};
  const struct {
    std::string text;
    KernelNode node;
  } cases[] = {
      {"sst(grct) + 0.5", {CombinationNode{Combination::sum, {sst, half}}}},
      {"0.5*sst(grct)", {CombinationNode{Combination::product, {half, sst}}}},
      {"norm(sst(grct))", {CombinationNode{Combination::norm, {sst}}}},
      {"pair(sst(grct))", {CombinationNode{Combination::pair, {sst}}}},
      {"cross(sst(grct))", {CombinationNode{Combination::cross, {sst}}}},
      {"pairproduct(sst(grct))", {CombinationNode{Combination::pair_product, {sst}}}},
      {"each(sst())",
       {CombinationNode{Combination::each, {{TreeKernelNode{"", SubsetTreeOptions{}}}}}}},
      {"all(subpath())",
       {CombinationNode{Combination::all, {{TreeKernelNode{"", SubpathOptions{}}}}}}},
  };
  for (const auto& [text, node] : cases) {
    EXPECT_EQ(Kernel(text), Kernel(node));
    EXPECT_EQ(Kernel(node).to_string(), text);
  }
}

TEST(KernelExpression, HasACanonicalForm) {
  const struct {
    std::string text, canonical;
  } cases[] = {
      {"sst( grct,lambda=0.4 )", "sst(grct)"},
      {"sst(decay = .30)", "sst(lambda=0.3)"},
      {"st(lambda=0.25)", "st(decay=0.25)"},
      {"pt(gap=span, depth_decay=1e-1, decay=4e-1)", "pt(mu=0.1, gap=span)"},
      {"st(labels=true, unordered=true, weight=height)", "st(unordered=true)"},
      {"pair(sst()) * rbf(v, gamma=1)", "pair(sst())*rbf(v)"},
      {"norm(pt(grct))+.5*norm( linear(bow))", "norm(pt(grct)) + 0.5*norm(linear(bow))"},
      {"(1+(2+sst()))+3", "1 + 2 + sst() + 3"},
      {"2*(3*sst())*(1+(st()))", "2*3*sst()*(1 + st())"},
      {"((sst()))", "sst()"},
      {"(2*sst())+(3)", "2*sst() + 3"},
      {"norm((1 + sst()))", "norm(1 + sst())"},
      {"sst(\"grct\")", "sst(grct)"},
      {"sst(\"my tree\")", "sst(\"my tree\")"},
      {R"(sst("a\"b\\c"))", R"(sst("a\"b\\c"))"},
      {"sst(\"\")", "sst()"},
      {"sst(0)", "sst(0)"},
      {"sst(true, leaves=true)", "sst(true, leaves=true)"},
      {"1000000*100000000000000000000*sst()", "1000000*1e+20*sst()"},
      {"-0*rbf(gamma=-0)", "0*rbf(gamma=0)"},
      {"pt(max_length=-0)", "pt()"},
      {"all(sst()*linear(v))", "all(sst()*linear(v))"},
      {"pair(each(norm(sst())))", "pair(each(norm(sst())))"},
      {"select(sst(),labels=[NP,\"VP\", NP])", "select(sst(), labels=[NP, VP])"},
      {"norm(select(pt(x, mu=0.1), labels=\"a,]b\"))",
       "norm(select(pt(x, mu=0.1), labels=[\"a,]b\"]))"},
      {"select((route()), labels=[1, .5, \"\"])", "select(route(), labels=[\"\", .5, 1])"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(canonical(text), expected);
    EXPECT_EQ(canonical(expected), expected);
    EXPECT_EQ(Kernel(expected), Kernel(text));
  }
}

TEST(KernelExpression, TellsKernelsApart) {
  const std::vector<std::string> different = {"sst()",
                                              "sst(a)",
                                              "sst(lambda=0.5)",
                                              "st()",
                                              "linear()",
                                              "norm(sst())",
                                              "sst() + 1",
                                              "sst()*1",
                                              "1 + sst()",
                                              "each(sst())",
                                              "all(sst())",
                                              "select(sst(), labels=a)",
                                              "select(sst(), labels=[a, b])"};
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < different.size(); ++j) {
      EXPECT_EQ(Kernel(different[i]) == Kernel(different[j]), i == j)
          << different[i] << " " << different[j];
    }
  }
}

/// Makes random kernels of the kind that the parser makes: checked and flat.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed) {}

  KernelNode kernel(std::size_t depth, bool in_members = false, bool in_trees = false) {
    switch (depth == 0 ? random_.below(3) : random_.below(9)) {
      case 0:
        return {ConstantNode{number({0, random_.one_in(2) ? 2 : 1e30})}};
      case 1:
        return {VectorKernelNode{name(), any<decltype(VectorKernelNode::options)>()}};
      case 2:
        return tree_kernel(in_trees);
      case 3:
      case 4:
        return flat(Combination::sum, depth, in_members, in_trees);
      case 5:
      case 6:
        return flat(Combination::product, depth, in_members, in_trees);
      case 7:
        if (!in_trees) return over_members_or_trees(depth, in_members);
        [[fallthrough]];
      default:
        return one(Combination::norm, kernel(depth - 1, in_members, in_trees));
    }
  }

 private:
  static KernelNode one(Combination how, KernelNode operand) {
    return {CombinationNode{how, {std::move(operand)}}};
  }

  KernelNode over_members_or_trees(std::size_t depth, bool in_members) {
    if (in_members || random_.one_in(2)) {
      const KernelNode with_tree{CombinationNode{
          Combination::sum, {tree_kernel(true), one(Combination::norm, kernel(0, false, true))}}};
      return one(random_.one_in(2) ? Combination::each : Combination::all, with_tree);
    }
    constexpr Combination hows[] = {Combination::pair, Combination::cross,
                                    Combination::pair_product};
    return one(hows[random_.below(3)], kernel(depth - 1, true));
  }

  KernelNode flat(Combination how, std::size_t depth, bool in_members, bool in_trees) {
    CombinationNode node{how, {}};
    const std::size_t operands = 2 + random_.below(3);
    while (node.operands.size() < operands) {
      KernelNode operand = kernel(depth - 1, in_members, in_trees);
      const auto* inner = std::get_if<CombinationNode>(&operand.what);
      if (inner == nullptr || inner->how != how) node.operands.push_back(std::move(operand));
    }
    return {std::move(node)};
  }

  KernelNode tree_kernel(bool in_trees) {
    TreeKernelNode out{in_trees ? "" : name(), any<decltype(TreeKernelNode::options)>()};
    while (can_select(out) && random_.one_in(2)) out.labels.push_back(name());
    std::ranges::sort(out.labels);
    out.labels.erase(std::unique(out.labels.begin(), out.labels.end()), out.labels.end());
    return {std::move(out)};
  }

  std::string name() { return random_.one_in(3) ? "" : test::nasty_text(random_); }

  double number(Range range) {
    if (random_.one_in(8)) return range.low;
    if (random_.one_in(8)) return range.high;
    const double share = static_cast<double>(random_.below(1 << 30)) / (1 << 30);
    return range.low + (range.high - range.low) * share * std::pow(0.1, random_.below(9));
  }

  /// One of the alternatives of a variant of options.
  template <class Variant>
  Variant any() {
    return [this]<std::size_t... I>(std::index_sequence<I...>) {
      const std::size_t which = random_.below(sizeof...(I));
      Variant out;
      ((which == I ? void(out = filled<std::variant_alternative_t<I, Variant>>()) : void()), ...);
      return out;
    }
    (std::make_index_sequence<std::variant_size_v<Variant>>());
  }

  template <class Options>
  Options filled() {
    Options options;
    for_each_parameter(options, [&]<class T>(const Parameter& row, T& member) {
      if (random_.one_in(2)) return;
      if constexpr (std::is_same_v<T, bool>) {
        member = random_.one_in(2);
      } else if constexpr (std::is_same_v<T, std::string>) {
        member = random_.one_in(2) ? "a/b-1.txt.gz" : "with \"quotes\" and \\, (x)";
      } else if constexpr (std::is_arithmetic_v<T>) {
        const double value = number(row.range);
        member = static_cast<T>(std::is_integral_v<T> || row.integer ? std::ceil(value) : value);
      } else {
        member = static_cast<T>(random_.below(enum_names<T>.size()));
      }
    });
    return options;
  }

  Random random_;
};

TEST(KernelExpression, ReadsBackAnyKernelThatItPrints) {
  for (std::uint32_t seed = 0; seed < 5'000; ++seed) {
    const Kernel kernel(RandomKernel(seed).kernel(seed % 5));
    const std::string text = kernel.to_string();
    ASSERT_EQ(Kernel(text), kernel);
    ASSERT_EQ(canonical(text), text);
  }
}

/// The options of every alternative print under a name of their own that reads back.
template <class Node, std::size_t... I>
std::vector<std::string> names_of_all(std::index_sequence<I...>) {
  std::vector<std::string> names;
  const auto check = [&](const Node& node) {
    names.push_back(Kernel(KernelNode{node}).to_string());
    EXPECT_EQ(Kernel(names.back()), Kernel(KernelNode{node}));
  };
  (check({"", std::variant_alternative_t<I, decltype(Node::options)>{}}), ...);
  return names;
}

TEST(KernelRegistry, HoldsEveryAlternative) {
  auto names = names_of_all<TreeKernelNode>(
      std::make_index_sequence<std::variant_size_v<decltype(TreeKernelNode::options)>>());
  const auto more = names_of_all<VectorKernelNode>(
      std::make_index_sequence<std::variant_size_v<decltype(VectorKernelNode::options)>>());
  names.insert(names.end(), more.begin(), more.end());
  std::vector<std::string> registered;
  for (const KernelDescription& kernel : kernel_descriptions()) {
    registered.push_back(std::string(kernel.name) + "()");
  }
  EXPECT_EQ(names, registered);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

std::vector<std::string> swept(std::string_view text) {
  std::vector<std::string> out;
  for (const Kernel& kernel : parse_sweep(text)) out.push_back(kernel.to_string());
  return out;
}

TEST(Sweep, MakesOneKernelForEachCombinationTheLastListFastest) {
  EXPECT_EQ(swept("sst(lambda={0.2,0.4,0.6})"),
            (std::vector<std::string>{"sst(lambda=0.2)", "sst()", "sst(lambda=0.6)"}));
  EXPECT_EQ(swept("{1,2}*pt(mu={0.1,0.2}, lambda={0,1}) + {3}"),
            (std::vector<std::string>{"1*pt(lambda=0, mu=0.1) + 3", "1*pt(lambda=1, mu=0.1) + 3",
                                      "1*pt(lambda=0, mu=0.2) + 3", "1*pt(lambda=1, mu=0.2) + 3",
                                      "2*pt(lambda=0, mu=0.1) + 3", "2*pt(lambda=1, mu=0.1) + 3",
                                      "2*pt(lambda=0, mu=0.2) + 3", "2*pt(lambda=1, mu=0.2) + 3"}));
}

TEST(Sweep, GoesThroughTheKernelWhoseLabelsAreSelected) {
  EXPECT_EQ(swept("select(sst(lambda={0.2,0.4}), labels=[a, b])"),
            (std::vector<std::string>{"select(sst(lambda=0.2), labels=[a, b])",
                                      "select(sst(), labels=[a, b])"}));
}

TEST(Select, RestrictsTheOnlyKernelOnTrees) {
  EXPECT_EQ(with_labels(Kernel("0.5*norm(sst(t)) + linear(v)"), {"b", "a", "b"}),
            Kernel("0.5*norm(select(sst(t), labels=[a, b])) + linear(v)"));
  const struct {
    const char *kernel, *message;
  } cases[] = {
      {"sst() + pt()", "one kernel on trees, and sst() + pt() has 2"},
      {"linear(v)", "one kernel on trees, and linear(v) has 0"},
      {"norm(st())", "for sst, pt, subpath or route, not for norm(st())"},
      {"select(sst(), labels=x)", "already selected: select(sst(), labels=[x])"},
  };
  for (const auto& [kernel, message] : cases) {
    EXPECT_TRUE(fails_with(message, [&] { with_labels(Kernel(kernel), {"a"}); }));
  }
  EXPECT_TRUE(fails_with("no labels", [&] { with_labels(Kernel("sst()"), {}); }));
}

TEST(Select, SaysWhatItTakes) {
  const struct {
    const char *text, *message;
  } cases[] = {
      {"select()", "position 1: select takes a kernel and labels, as in"},
      {"select(sst())", "position 1: select takes a kernel and labels, as in"},
      {"select(sst(), a)", "position 15: select takes a kernel and labels, as in"},
      {"select(sst(), label=a)", "position 15: select takes a kernel and labels, as in"},
      {"select(sst(), labels=a, labels=b)", "position 1: select takes a kernel and labels"},
      {"select(sst(), labels=[])", "position 23: expected a name, found '])'"},
      {"select(sst(), labels=[a", "expected ',' or ']' (a bracket is open since position 22)"},
      {"select(sst(), labels={1,2})", "labels stand in square brackets"},
      {"select(norm(sst()), labels=a)", "position 8: select takes a kernel on trees and stands"},
      {"select(st(), labels=a)", "position 8: labels are selected for sst, pt, subpath or route"},
      {"select(select(sst(), labels=a), labels=b)", "position 8: labels are already selected"},
      {"sst(lambda=[a])", "position 12: lambda takes one value, not several names"},
      {"selct(sst(), labels=a)", "did you mean 'select'?"},
      {"select", "select needs brackets"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_TRUE(fails_with(message, [&, t = text] { parse_sweep(t); })) << text;
  }
}

TEST(Sweep, IsOneKernelWithoutAList) {
  EXPECT_EQ(swept("norm(sst())"), (std::vector<std::string>{"norm(sst())"}));
}

TEST(Sweep, MayHaveTenThousandKernels) {
  std::string hundred = "{0";
  for (int i = 1; i < 100; ++i) hundred += "," + std::to_string(i);
  hundred += "}";
  const std::vector<Kernel> kernels =
      parse_sweep("rbf(gamma=" + hundred + ") + rbf(gamma=" + hundred + ")");
  ASSERT_EQ(kernels.size(), 10'000U);
  EXPECT_EQ(kernels[4207], Kernel("rbf(gamma=42) + rbf(gamma=7)"));
}

TEST(Sweep, IsAnErrorWhereOneKernelIsWanted) {
  EXPECT_TRUE(fails_with("position 16: a list makes several kernels, and one is wanted here",
                         [] { Kernel kernel("1 + sst(lambda={0.1}) + st(decay={1,0})"); }));
}

TEST(DescribeKernels, ListsEveryKernelWithItsParameters) {
  const std::string text = describe_kernels();
  for (const std::string part : {"  st  ",
                                 "  sst  ",
                                 "  pt  ",
                                 "  subpath  ",
                                 "  dtk  ",
                                 "dim=8192 ",
                                 "(integer in [1, 16777216])",
                                 "  linear  ",
                                 "  poly  ",
                                 "  rbf  ",
                                 "  cosine  ",
                                 "  norm  ",
                                 "  pair  ",
                                 "  cross  ",
                                 "  pairproduct  ",
                                 "  each  ",
                                 "  all  ",
                                 "K + L, K*L",
                                 "lambda=0.4 ",
                                 "(in [0, 1]; also called decay)",
                                 "gap=skips ",
                                 "(skips, span)",
                                 "leaves=false ",
                                 "(true or false)",
                                 "max_length=0 ",
                                 "(integer in [0, 1000000])",
                                 "how fast the kernel falls with distance"}) {
    EXPECT_TRUE(contains(text, part));
  }
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace espalier
