#pragma once

#include <functional>
#include <span>
#include <vector>

#include "espalier/evaluate/resampling.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/evaluate/spread.hpp"
#include "espalier/model/evaluation.hpp"
#include "espalier/model/groups.hpp"
#include "espalier/model/train.hpp"

namespace espalier {

/// How data are split into training and test sets.
enum class SplitKind {
  folds,   ///< stratified k-fold cross-validation
  random,  ///< repeated stratified random splits
  leave_one_out,
};
constexpr std::array<const char*, 3> names_of(SplitKind) {
  return {"folds", "random", "leave-one-out"};
}

struct ValidationOptions {
  SplitKind split = SplitKind::folds;
  std::size_t folds = 10;
  std::size_t repeats = 1;
  double train_fraction = 0.8;
  bool equal_parts = false;
  GroupOptions grouping = {};
  std::optional<std::string> relevant = {};  ///< see RankingOptions
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("split", self.split, "stratified folds, stratified random splits, or leave-one-out",
          {.common = true});
    field("folds", self.folds, "number of folds",
          {.range = {2, 1e6}, .users = "folds", .common = true});
    RandomSplitOptions::describe(self, field);
    field(
        "equal_parts", self.equal_parts,
        "split in halves instead; in thirds where the kernel learns weights, one of them for these",
        {.users = "random"});
    GroupOptions::describe(self.grouping, field);
    field("relevant", self.relevant,
          "class that f1, roc_auc, average_precision and rankings are about, if it is not called "
          "1, true, yes or relevant");
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

/// The splits of a data set with these targets; the same on every machine. `groups` has the number
/// of each example's group; without it each example is a group.
std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options,
                               std::span<const std::uint32_t> groups = {});

struct ValidationResult {
  std::vector<Outcomes> splits;      ///< one per test part; empty for leave-one-out
  Outcomes pooled;                   ///< over all test parts together
  std::vector<std::uint32_t> units;  ///< per example of `pooled`: its group, for estimate()
  /// Per split: the number of tested examples for each one that was trained on.
  std::vector<double> test_ratios;

  /// Adds what was predicted on the test part of a split; `groups` as in make_splits().
  void add(const Split& split, Outcomes outcomes, std::span<const std::uint32_t> groups,
           SplitKind kind);

  /// The values of a metric on the splits; leave-one-out, where single examples have none, has the
  /// pooled one. Splits on which it is not defined, such as ROC AUC without a positive example, are
  /// left out. Throws Error if that is all of them.
  std::vector<double> values_of(const Metric& metric) const;
  /// Summary of values_of().
  Spread spread_of(const Metric& metric) const { return spread(values_of(metric)); }
  /// Of default_metric().
  Spread spread_of() const { return spread_of(default_metric(pooled)); }
  Spread spread_of(const std::string& metric) const { return spread_of(Metric(metric)); }
  /// 95 % confidence interval: corrected_t_interval() of the mean over the splits; a bootstrap by
  /// group for leave-one-out. Absent if there is too little to compute it from.
  std::optional<Interval> interval_of(const Metric& metric) const;
  /// The mean of test_ratios.
  double test_ratio() const;
};

/// Two settings on the same splits, by one metric.
struct SplitComparison {
  double difference = 0;  ///< of the means: a - b
  std::optional<Interval> interval;
  std::optional<double> p_value;           ///< corrected_t_test()
  std::optional<double> adjusted_p_value;  ///< see adjust()
  std::optional<double> wilcoxon_p_value;

  void fields(auto&& field) const {
    field("difference", difference);
    field("interval", interval);
    field("p_value", p_value);
    field("adjusted_p_value", adjusted_p_value);
    field("wilcoxon_p_value", wilcoxon_p_value);
  }
};

/// Compares two settings that were validated on the same splits; absent if they were not, if there
/// are fewer than two splits, or if the metric is not defined on all of them.
std::optional<SplitComparison> compare(const ValidationResult& a, const ValidationResult& b,
                                       const Metric& metric);

/// Sets the p-values that are adjusted for all of these comparisons (Holm).
void adjust(std::span<std::optional<SplitComparison>> comparisons);

/// Cross-validation: trains and evaluates on each split. `svm` computes the Gram matrix once for
/// all splits. Calls `finished` after each split with its number and outcomes.
ValidationResult cross_validate(
    const FittedKernel& kernel, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const Outcomes&)>& finished = {});

/// The same for several kernels, on the same splits. Calls `finished` after each kernel with its
/// number and result.
std::vector<ValidationResult> cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const ValidationResult&)>& finished = {});

}  // namespace espalier
