#include "espalier/model/select_labels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "espalier/evaluate/splits.hpp"
#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::PlainTree;

/// D of the subset tree kernel by its definition.
double matching_fragments(const PlainTree& x, const PlainTree& y, double decay) {
  if (x.label != y.label || x.children.empty() || x.children.size() != y.children.size()) return 0;
  double product = decay;
  for (std::size_t i = 0; i < x.children.size(); ++i) {
    if (x.children[i].label != y.children[i].label) return 0;
    product *= 1 + matching_fragments(x.children[i], y.children[i], decay);
  }
  return product;
}

using ByLabel = std::map<std::string, double>;

/// The kernel of two trees, taken apart by the label of the two nodes.
ByLabel parts(const PlainTree& a, const PlainTree& b, double decay) {
  ByLabel out;
  test::for_each_node(a, [&](const PlainTree& x) {
    test::for_each_node(b, [&](const PlainTree& y) {
      if (x.label == y.label) out[x.label] += matching_fragments(x, y, decay);
    });
  });
  return out;
}

struct LabelledTrees {
  std::vector<PlainTree> trees;
  std::vector<std::uint32_t> classes;
  Dataset data;

  explicit LabelledTrees(std::uint32_t seed, std::size_t size = 24) {
    test::Random random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      classes.push_back(static_cast<std::uint32_t>(i % 3 == 0 ? 1 : 0));
      PlainTree tree = test::random_shape(random, 2 + random.below(12), 3 + classes.back());
      data.add(test::ExampleOf()
                   .label(classes[i] == 0 ? "A" : "B")
                   .tree("t", test::to_tree(tree))
                   .vector("v", test::dense({1})));
      trees.push_back(std::move(tree));
    }
  }

  /// The parts of the kernels between the halves, each pair times its weight.
  template <class Weight>
  ByLabel gains(const Split& halves, Weight&& weight) const {
    ByLabel out;
    for (const std::uint32_t i : halves.test) {
      for (const std::uint32_t j : halves.train) {
        for (const auto& [label, value] : parts(trees[i], trees[j], 0.4)) {
          out[label] += weight(i, j) * value;
        }
      }
    }
    return out;
  }
};

void expect_gains(const SelectedLabels& found, const ByLabel& expected) {
  for (const LabelGain& each : found.labels) {
    const auto known = expected.find(each.label);
    EXPECT_NEAR(each.gain, known == expected.end() ? 0 : known->second, 1e-12) << each.label;
  }
  for (const auto& [label, gain] : expected) {
    EXPECT_TRUE(gain == 0 || std::ranges::count(found.labels, label, &LabelGain::label) == 1);
  }
}

TEST(SelectLabels, GainsAreThePartsOfTheMeanKernel) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const LabelledTrees sample(seed);
    const auto found = select_labels(Kernel("sst()"), sample.data, {.top = 2, .seed = seed});
    const std::vector<std::uint32_t> one_class(sample.trees.size(), 0);
    const Split halves = stratified_k_fold(one_class, 2, seed)[0];
    const auto pairs = static_cast<double>(halves.test.size() * halves.train.size());
    expect_gains(found, sample.gains(halves, [&](auto, auto) { return 1 / pairs; }));
  }
}

TEST(SelectLabels, SupervisedGainsAreWithinClassesMinusBetweenThem) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const LabelledTrees sample(seed);
    const auto found =
        select_labels(Kernel("sst()"), sample.data, {.top = 2, .supervised = true, .seed = seed});
    const Split halves = stratified_k_fold(sample.classes, 2, seed)[0];
    const auto size = [&](const std::vector<std::uint32_t>& half, std::uint32_t c) {
      return static_cast<double>(
          std::ranges::count(half, c, [&](std::uint32_t i) { return sample.classes[i]; }));
    };
    expect_gains(found, sample.gains(halves, [&](std::uint32_t i, std::uint32_t j) {
      const std::uint32_t a = sample.classes[i], b = sample.classes[j];
      return (a == b ? 1 : -1) / (2 * size(halves.test, a) * size(halves.train, b));
    }));
  }
}

/// With a norm, the parts are those of the normalised kernel: they add up to its mean.
TEST(SelectLabels, GainsAddUpToTheMeanKernel) {
  const LabelledTrees sample(9);
  for (const char* text : {"norm(sst())", "norm(pt())", "0.5*norm(subpath()) + 1", "route()"}) {
    const Kernel kernel(text);
    const auto found = select_labels(kernel, sample.data, {.top = 2});
    const Split halves =
        stratified_k_fold(std::vector<std::uint32_t>(sample.trees.size(), 0), 2, 1)[0];
    const Matrix<double> all =
        gram(kernel, sample.data.view(halves.test), sample.data.view(halves.train));
    double mean = 0, sum = 0, cost = 0;
    for (std::size_t k = 0; k < all.rows() * all.columns(); ++k) mean += all.data()[k];
    mean /= static_cast<double>(all.rows() * all.columns());
    for (const LabelGain& each : found.labels) {
      sum += each.gain;
      cost += each.cost;
    }
    EXPECT_NEAR(sum, std::string(text).find("+ 1") == std::string::npos ? mean : mean - 1, 1e-12);
    EXPECT_NEAR(cost, 1, 1e-12);
  }
}

/// What was taken before the first label that does not fit is the best for its cost.
TEST(SelectLabels, SolvesTheLinearProgram) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const LabelledTrees sample(seed);
    for (const double budget : {0.2, 0.4, 0.7}) {
      const auto found = select_labels(Kernel("pt()"), sample.data, {.budget = budget});
      double gain = 0, cost = 0, spent = 0;
      for (const LabelGain& each : found.labels) {
        if (!each.selected) break;
        gain += each.gain;
        cost += each.cost;
      }
      for (const LabelGain& each : found.labels) spent += each.selected ? each.cost : 0;
      EXPECT_LE(spent, budget);
      for (std::size_t subset = 0; subset >> found.labels.size() == 0; ++subset) {
        double other_gain = 0, other_cost = 0;
        for (std::size_t k = 0; k < found.labels.size(); ++k) {
          if ((subset >> k & 1) == 0) continue;
          other_gain += found.labels[k].gain;
          other_cost += found.labels[k].cost;
        }
        if (other_cost > cost) continue;
        EXPECT_LE(other_gain, gain + 1e-12);
      }
    }
  }
}

TEST(SelectLabels, TakesTheLargestGainsOfANumber) {
  const LabelledTrees sample(3);
  const auto found = select_labels(Kernel("norm(pt())"), sample.data, {.top = 2});
  ASSERT_GE(found.labels.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(found.labels, std::greater(), &LabelGain::gain));
  for (std::size_t k = 0; k < found.labels.size(); ++k) {
    EXPECT_EQ(found.labels[k].selected, k < 2 && found.labels[k].gain > 0);
  }
  std::vector<std::string> names = {found.labels[0].label, found.labels[1].label};
  EXPECT_EQ(found.kernel.kernel, with_labels(Kernel("norm(pt())"), names));
}

TEST(SelectLabels, DrawsASample) {
  const LabelledTrees sample(3, 40);
  const auto found =
      select_labels(Kernel("pt()"), sample.data, {.top = 1, .supervised = true, .sample = 12});
  EXPECT_EQ(found.sample.size(), 12U);
  EXPECT_TRUE(std::ranges::is_sorted(found.sample));
  const auto again =
      select_labels(Kernel("pt()"), sample.data, {.top = 1, .supervised = true, .sample = 12});
  EXPECT_EQ(found.sample, again.sample);
}

TEST(SelectLabels, SaysWhatItNeeds) {
  const LabelledTrees sample(3);
  const auto fails = [&](const char* message, const char* kernel, const SelectOptions& options) {
    return test::fails_with(message, [&] { select_labels(Kernel(kernel), sample.data, options); });
  };
  EXPECT_TRUE(fails("for sst, pt, subpath or route", "st()", {}));
  EXPECT_TRUE(fails("one kernel on trees", "sst() + pt()", {}));
  EXPECT_TRUE(fails("already selected", "select(sst(), labels=a)", {}));
  EXPECT_TRUE(fails("no tree adds to the kernel by itself", "sst()*rbf(v)", {}));
  EXPECT_TRUE(fails("4 examples or more", "sst()", {.sample = 3}));
  EXPECT_TRUE(fails("no label with a positive gain", "pt()", {.budget = 1e-9}));
  const Dataset one = sample.data.view(std::vector<std::uint32_t>{0, 3, 6, 9, 12});
  EXPECT_TRUE(test::fails_with("all examples have the same class",
                               [&] { select_labels(Kernel("sst()"), one, {.supervised = true}); }));
}

TEST(CompareKernels, MeasuresCorrelationAndAccuracy) {
  const LabelledTrees sample(3, 60);
  const FittedKernel full{Kernel("norm(sst())")};
  const SelectionEffect same = compare_kernels(full, full, sample.data);
  EXPECT_NEAR(*same.correlation, 1, 1e-12);
  EXPECT_EQ(same.accuracy, same.accuracy_selected);
  EXPECT_GT(same.seconds, 0);
  const SelectionEffect none =
      compare_kernels(full, Kernel("norm(select(sst(), labels=z))"), sample.data);
  EXPECT_FALSE(none.correlation) << "of a constant";
  EXPECT_EQ(*none.accuracy_selected, 2.0 / 3) << "the larger class";
}

}  // namespace
}  // namespace espalier
