#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/model/validation.hpp"

namespace espalier {

/// A parameter of TrainOptions, and the values to try.
struct SearchedParameter {
  std::string name;
  std::vector<Value> values;
};

/// A parameter in one setting of a search.
struct SettingValue {
  std::string name;
  Value value;
  std::string text;  ///< of the value
  friend bool operator==(const SettingValue&, const SettingValue&) = default;
};

/// Where a kernel comes from: the expression with its lists, and what each list has in this kernel.
struct SweptKernel {
  std::string expression;
  std::vector<SettingValue> values;
};

/// For each kernel of sweep(expression). A list that is a factor is called "factor"; of several
/// lists with one name the second is called "lambda (2)".
std::vector<SweptKernel> swept_kernels(std::string_view expression);

struct TuneOptions {
  std::vector<SearchedParameter> search = {};  ///< the last varies fastest
  std::vector<SweptKernel> kernels = {};       ///< one for each kernel, for tables; or none
  std::string metric = {};                     ///< "": default_metric()
  std::size_t trials = 0;
  bool halving = false;
  bool one_standard_error = false;
  ValidationOptions validation = {.folds = 5};

  /// Without those of `validation`.
  static void describe(auto& self, auto&& field) {
    field("trials", self.trials,
          "number of settings to try, drawn at random from the grid; 0: the whole grid",
          {.range = {0, 1e6}, .common = true});
    field("halving", self.halving,
          "successive halving: all settings on the first split, the better half on twice as many "
          "splits, and so on",
          {.common = true});
    field("one_standard_error", self.one_standard_error,
          "choose the first setting within one standard error of the best: list simple values "
          "first",
          {.common = true});
  }
};

/// A setting and how good it is.
struct TunePoint {
  std::string kernel;
  std::string expression;                   ///< that the kernel comes from
  std::vector<SettingValue> kernel_values;  ///< of the lists in it
  std::vector<SettingValue> parameters;     ///< in the order of the search
  Spread score;                             ///< the metric over the splits
  std::optional<Interval> interval;         ///< see ValidationResult::interval_of()

  /// kernel_values and parameters.
  std::vector<SettingValue> values() const;
};

/// "C = 10, dropout = 0.2"; empty without searched parameters.
std::string to_string(std::span<const SettingValue> values);

/// `options` with the parameters of a setting.
TrainOptions with_setting(TrainOptions options, const TunePoint& point);

/// The metric of `tuning` for data with such targets.
Metric tuning_metric(const TuneOptions& tuning, const Targets& targets);

/// Throws Error, with the nearest name, if a parameter of the search does not exist or cannot be
/// searched, if the learner does not use it, or if a value is out of range.
void check_search(std::size_t kernels, const TrainOptions& options, const TuneOptions& tuning);

/// Searches the grid of kernels and parameters by cross-validation on `data`, or, if there is a
/// validation set, by training on `data` and predicting that; networks then stop early by it, too.
/// All settings have the same splits. Gram matrices, vectors and features are computed once for all
/// settings that share them, as long as they fit into the memory: Parameter::affects says which do.
/// Calls `finished` for each setting after the last split that it is tested on, and returns the
/// settings in the order of the grid: kernels vary slowest. Throws Error as check_search().
std::vector<TunePoint> tune(std::span<const FittedKernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context = {},
                            const std::function<void(const TunePoint&)>& finished = {},
                            const Dataset* validation = nullptr);

/// The setting to use. Those on fewer splits than others, as halving leaves them, are not chosen.
/// Of the rest, the one with the best mean, on ties the first; with one_standard_error the first
/// whose mean is within one standard error of that.
const TunePoint& best_point(std::span<const TunePoint> points, const Metric& metric,
                            bool one_standard_error = false);

/// A parameter whose best value is the smallest or the largest that was tried.
struct GridEdge {
  std::string name;
  std::string value;
  bool largest = false;
  bool of_kernel = false;  ///< a list in the kernel expression
};
/// Those beyond which other values are possible.
std::vector<GridEdge> grid_edges(std::span<const TunePoint> points, const TunePoint& best);

/// What a whole search, with the choice of the best, gives on examples that it has not seen.
struct NestedResult {
  ValidationResult result;        ///< on the test parts of the outer splits
  std::vector<TunePoint> chosen;  ///< per outer split
};

/// Nested cross-validation: for each outer split, tune() on its training part, then trains with the
/// best setting on that part and predicts the test part. Calls `finished` after each outer split.
NestedResult nested_cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const TuneOptions& tuning, const ValidationOptions& outer, const Context& context = {},
    const std::function<void(const TunePoint&, const Outcomes&)>& finished = {});

}  // namespace espalier
