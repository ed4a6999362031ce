#pragma once

#include "espalier/model/tune.hpp"
#include "model/prepared_cache.hpp"

namespace espalier {

/// A setting of the grid.
struct GridSetting {
  std::size_t kernel;
  std::vector<std::size_t> choice;  ///< per searched parameter: which of its values
  TrainOptions options;
};

/// The settings to try, in the order of the grid. Throws Error if a parameter cannot be searched.
std::vector<GridSetting> grid_settings(std::size_t kernels, const TrainOptions& options,
                                       const TuneOptions& tuning);

/// What settings are evaluated on.
struct SearchSplits {
  std::vector<Split> usual;
  std::vector<Split> learned = {};  ///< of kernels that learn weights; empty: the same
  bool stop_early_on_tests = false;

  const std::vector<Split>& of(const FittedKernel& kernel) const;
};

/// Evaluates the settings of a search on any splits of a data set, sharing what they can. The
/// arguments must outlive this.
class SettingSearch {
 public:
  using Finished = std::function<void(const TunePoint&)>;

  SettingSearch(std::span<const FittedKernel> kernels, const Dataset& data,
                const TrainOptions& options, const TuneOptions& tuning, const Context& context);

  const Validation& validation() const { return validation_; }
  const Metric& metric() const { return metric_; }
  /// The splits of all examples, or of some of them.
  SearchSplits splits() const;
  SearchSplits splits_within(std::span<const std::uint32_t> examples) const;

  /// A point for each setting, in the order of the grid.
  std::vector<TunePoint> run(const SearchSplits& splits, const Finished& finished);
  /// Trains with a setting on one part of a split and predicts the other.
  Outcomes test(std::size_t setting, const Split& split, bool stop_early_on_test = false);

 private:
  struct Progress;

  SearchSplits splits_of(const Targets& targets, std::span<const std::uint32_t> groups) const;
  /// Tests these settings on splits up to `end`.
  void advance(std::span<const std::size_t> settings, std::size_t end, const SearchSplits& splits,
               Progress& progress, const Finished& finished);
  TunePoint point(std::size_t setting, const ValidationResult& result) const;

  std::vector<FittedKernel> kernels_;  ///< with word vectors
  const TuneOptions& tuning_;
  Context context_;
  Context quiet_;
  Validation validation_;
  Metric metric_;
  std::vector<GridSetting> settings_;
  std::vector<std::size_t> order_;  ///< settings that share what is prepared follow each other
  PreparedCache cache_;
};

}  // namespace espalier
