#pragma once

#include <functional>
#include <span>
#include <vector>

#include "espalier/evaluate/splits.hpp"
#include "espalier/evaluate/spread.hpp"
#include "espalier/model/evaluation.hpp"
#include "espalier/model/train.hpp"

namespace espalier {

enum class Validation {
  folds,   ///< stratified k-fold
  random,  ///< repeated stratified random splits
  leave_one_out,
};

struct ValidationOptions {
  Validation how = Validation::folds;
  std::size_t folds = 10;
  std::size_t repetitions = 1;  ///< of all folds, each time dealt anew; or the random splits
  double train_share = 0.8;     ///< of random splits
  /// Random splits in halves, in thirds for a kernel that learns weights: one for these, one to
  /// train on, one to test (Azais & Ingels 2020).
  bool equal_parts = false;
  std::uint64_t seed = 1;
};

/// The splits of a data set with these targets. The same on every machine.
std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options);

struct ValidationResult {
  std::vector<Evaluation> splits;  ///< each on its own test part; none for leave-one-out
  Evaluation pooled;               ///< all test parts together

  /// A metric over the splits; of leave-one-out, where one example makes no metric, the pooled one.
  Spread spread_of(const std::string& metric = "") const;
};

/// Trains on one part and evaluates on the other, for each split. Svm computes the Gram matrix once
/// for all of them. `finished` is called after each split with its number and evaluation.
ValidationResult cross_validate(
    const Kernel& kernel, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const Evaluation&)>& finished = {});

/// The same for several kernels in turn, each on splits by the same seed. `finished` is called
/// after each with its number and result.
std::vector<ValidationResult> cross_validate(
    std::span<const Kernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context = {},
    const std::function<void(std::size_t, const ValidationResult&)>& finished = {});

/// One setting that was tried.
struct TunePoint {
  std::string kernel;
  double cost = 1;
  Spread score;  ///< of the metric over the splits

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

/// Tries each kernel with each cost by cross-validation on `data` alone, on the same splits. Calls
/// `finished` after each, and returns all of them in the order of kernels, then costs. Svm, linear,
/// and kda, which has no cost.
std::vector<TunePoint> tune(std::span<const Kernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context = {},
                            const std::function<void(const TunePoint&)>& finished = {});

/// The one with the highest mean; of equal ones the first with the lowest cost.
const TunePoint& best_point(std::span<const TunePoint> points);

}  // namespace espalier
