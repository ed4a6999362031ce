#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/parameter.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// How select_labels() selects.
struct SelectOptions {
  std::size_t top = 0;
  double budget = 0.1;
  bool supervised = false;
  std::size_t sample = 200;
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("top", self.top,
          "number of labels with the largest gain; 0: as many as the budget allows",
          {.common = true});
    field("budget", self.budget, "fraction of the expected cost of the full kernel",
          {.range = {0, 1, true}, .common = true});
    field("supervised", self.supervised, "choose labels that distinguish the classes",
          {.common = true});
    field("sample", self.sample, "number of examples to choose by; 0: all", {.common = true});
    field("seed", self.seed, "random seed of the sample", {.range = {0, 0x1p53}});
  }
};

/// What a label adds to a kernel.
struct LabelGain {
  std::string label;
  double gain = 0;  ///< see select_labels()
  double cost = 0;  ///< fraction of the pairs of nodes with equal labels that have this one
  bool selected = false;

  void fields(auto&& field) const {
    field("label", label);
    field("gain", gain);
    field("cost", cost);
    field("selected", selected);
  }
};

/// The labels of a sample, and the kernel that is restricted to some of them.
struct SelectedLabels {
  FittedKernel kernel;
  std::vector<LabelGain> labels;      ///< in the order in which they are preferred
  std::vector<std::uint32_t> sample;  ///< examples, ascending
};

/// Selects labels for an approximate tree kernel, select(K, labels=..), on a sample of the data
/// (Rieck, Krueger, Brefeld & Mueller 2010). The kernel is a sum over pairs of nodes with equal
/// labels, and so over labels; the sample is split into halves, so that no example is compared with
/// itself. The gain of a label is its part of the mean kernel of two examples; supervised: its part
/// of the mean kernel of two examples of the same class minus that of different classes, all
/// classes having the same weight.
///
/// With a budget, the labels of the largest total gain whose cost is at most that fraction: a
/// linear program with one constraint, which takes labels in the order of gain by cost. A label
/// that does not fit is left out. With a number of labels, those of the largest gain. Labels
/// without a positive gain are never chosen.
///
/// Costs as much as predicting half of the sample, with an output for each class. Throws Error
/// unless the kernel has exactly one kernel on trees, which select() takes and which is not inside
/// a product; if there are fewer than 4 examples, or both a number and a budget; or if no label is
/// chosen.
SelectedLabels select_labels(const FittedKernel& kernel, const Dataset& data,
                             const SelectOptions& options = {}, const Context& context = {});

/// What a kernel gains and loses by a restriction to some labels.
struct SelectionEffect {
  double seconds = 0;           ///< for the Gram matrix of the full kernel
  double seconds_selected = 0;  ///< and of the other
  /// Pearson's, between the two kernels of all pairs of different examples; absent if one is
  /// constant.
  std::optional<double> correlation;
  /// Of an SVM in 5-fold cross-validation, if each example has a class.
  std::optional<double> accuracy;
  std::optional<double> accuracy_selected;

  double speed_up() const { return seconds / seconds_selected; }
  void fields(auto&& field) const {
    field("seconds", seconds);
    field("seconds_selected", seconds_selected);
    field("speed_up", speed_up());
    field("correlation", correlation);
    field("accuracy", accuracy);
    field("accuracy_selected", accuracy_selected);
  }
};

/// Compares two kernels on the same examples. The times are the shortest of three, in turn.
SelectionEffect compare_kernels(const FittedKernel& full, const FittedKernel& selected,
                                const Dataset& data, const Context& context = {});

}  // namespace espalier
