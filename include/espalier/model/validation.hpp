#pragma once

#include <functional>
#include <span>
#include <vector>

#include "espalier/evaluate/splits.hpp"
#include "espalier/evaluate/spread.hpp"
#include "espalier/model/evaluation.hpp"
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
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

/// The splits of a data set with these targets; the same on every machine.
std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options);

struct ValidationResult {
  std::vector<Evaluation> splits;  ///< one per test part; empty for leave-one-out
  Evaluation pooled;               ///< over all test parts together

  /// Summary of a metric over the splits; the pooled metric for leave-one-out, where single
  /// examples have none.
  Spread spread_of(const std::string& metric = "") const;
};

/// Cross-validation: trains and evaluates on each split. `svm` computes the Gram matrix once for
/// all splits. Calls `finished` after each split with its number and evaluation.
ValidationResult cross_validate(
    const FittedKernel& kernel, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const Evaluation&)>& finished = {});

/// The same for several kernels, on the same splits. Calls `finished` after each kernel with its
/// number and result.
std::vector<ValidationResult> cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const ValidationResult&)>& finished = {});

/// One setting of a grid search.
struct TunePoint {
  std::string kernel;
  double cost = 1;
  Spread score;  ///< the metric over the splits

  void fields(auto&& field) const {
    field("kernel", kernel);
    field("C", cost);
    field("score", score);
  }
};

struct TuneOptions {
  std::vector<double> costs = {1};
  std::string metric = {};  ///< "" as in metric()
  ValidationOptions validation = {.folds = 5};
};

/// Grid search over kernels and costs by cross-validation on `data`, on the same splits. Calls
/// `finished` after each setting, and returns all of them, ordered by kernel, then cost. For svm,
/// linear, and kda, which has no cost.
std::vector<TunePoint> tune(std::span<const FittedKernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context = {},
                            const std::function<void(const TunePoint&)>& finished = {});

/// The setting with the highest mean score, on ties the first with the lowest cost.
const TunePoint& best_point(std::span<const TunePoint> points);

}  // namespace espalier
