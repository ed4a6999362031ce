#include "model/setting_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"
#include "espalier/model/word_vectors.hpp"

namespace espalier {

namespace {

constexpr std::size_t largest_grid = 1'000'000;

void check_searched(const SearchedParameter& searched, const Parameters& parameters) {
  const ParameterRow& row = parameters.find(searched.name);
  if (row.affects == Affects::task) {
    throw Error(fmt::format(
        "{} is not searched: settings are compared for one learner and seed, on the same splits",
        row.name));
  }
  if (searched.values.empty()) throw Error(fmt::format("{} has no values to try", row.name));
}

std::size_t grid_size(std::size_t kernels, const TuneOptions& tuning) {
  std::size_t out = kernels;
  for (const SearchedParameter& searched : tuning.search) {
    // No overflow: both factors are at most a million.
    if (searched.values.size() > largest_grid || (out *= searched.values.size()) > largest_grid) {
      throw Error(fmt::format("the grid has more than {} settings", largest_grid));
    }
  }
  return out;
}

/// Which settings of the grid to try, ascending.
std::vector<std::size_t> chosen_settings(std::size_t size, const TuneOptions& tuning) {
  std::vector<std::size_t> out(size);
  std::iota(out.begin(), out.end(), std::size_t{0});
  if (tuning.trials == 0 || tuning.trials >= size) return out;
  Random(tuning.validation.seed).shuffle(std::span(out));
  out.resize(tuning.trials);
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<GridSetting> grid_settings(std::size_t kernels, const TrainOptions& options,
                                       const TuneOptions& tuning) {
  TrainOptions usual = options;
  const Parameters parameters(usual);
  std::vector<std::string> names;
  for (const SearchedParameter& searched : tuning.search) {
    check_searched(searched, parameters);
    const std::string name(parameters.find(searched.name).name);
    if (std::ranges::find(names, name) != names.end()) {
      throw Error(name + " is searched twice: name all its values at once");
    }
    names.push_back(name);
  }
  std::vector<GridSetting> out;
  for (std::size_t number : chosen_settings(grid_size(kernels, tuning), tuning)) {
    GridSetting setting{0, std::vector<std::size_t>(names.size()), options};
    Parameters settable(setting.options);
    for (std::size_t p = names.size(); p-- > 0;) {
      const auto& values = tuning.search[p].values;
      setting.choice[p] = number % values.size();
      number /= values.size();
      settable.set(names[p], values[setting.choice[p]]);
    }
    setting.kernel = number;
    settable.check_use(names, name_of(options.learner),
                       [](auto name) { return std::string(name); });
    out.push_back(std::move(setting));
  }
  return out;
}

const std::vector<Split>& SearchSplits::of(const FittedKernel& kernel) const {
  return !learned.empty() && needs_learning(kernel) ? learned : usual;
}

SettingSearch::SettingSearch(std::span<const FittedKernel> kernels, const Dataset& data,
                             const TrainOptions& options, const TuneOptions& tuning,
                             const Context& context)
    : kernels_(load_word_vectors(kernels, {&data})),
      tuning_(tuning),
      context_(context),
      quiet_(without_progress(context)),
      validation_(data, options, tuning.validation),
      metric_(tuning_metric(tuning, validation_.targets)),
      settings_(grid_settings(kernels.size(), options, tuning)),
      order_(settings_.size()),
      cache_(kernels_, data, validation_.targets, quiet_) {
  if (tuning.halving && tuning.validation.split == SplitKind::leave_one_out) {
    throw Error("halving needs test parts with several examples: use folds or random");
  }
  std::vector<std::string> prepared;
  for (const GridSetting& setting : settings_) prepared.push_back(preparation_of(setting.options));
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
    return std::tie(prepared[a], settings_[a].kernel) < std::tie(prepared[b], settings_[b].kernel);
  });
}

SearchSplits SettingSearch::splits_of(const Targets& targets,
                                      std::span<const std::uint32_t> groups) const {
  SearchSplits out;
  const auto usual = std::ranges::find_if_not(kernels_, needs_learning);
  const auto learned = std::ranges::find_if(kernels_, needs_learning);
  if (usual != kernels_.end()) out.usual = validation_.splits_for(*usual, targets, groups);
  if (learned != kernels_.end()) out.learned = validation_.splits_for(*learned, targets, groups);
  return out;
}

SearchSplits SettingSearch::splits() const {
  return splits_of(validation_.targets, validation_.groups.group_of);
}

SearchSplits SettingSearch::splits_within(std::span<const std::uint32_t> examples) const {
  SearchSplits out =
      splits_of(validation_.targets.select(examples), validation_.groups.select(examples));
  for (auto* splits : {&out.usual, &out.learned}) {
    for (Split& split : *splits) {
      for (auto* part : {&split.train, &split.test}) {
        for (std::uint32_t& place : *part) place = examples[place];
      }
    }
  }
  return out;
}

Outcomes SettingSearch::test(std::size_t setting, const Split& split, bool stop_early_on_test) {
  const GridSetting& with = settings_[setting];
  const Trial trial = cache_.trial(with.kernel, with.options);
  if (trial.learner != nullptr) {
    trial.learner->validate_on(stop_early_on_test ? split.test : std::vector<std::uint32_t>());
  }
  return validation_.outcomes(split.test, train_and_score(trial, split, with.options, quiet_));
}

/// How far a search has come.
struct SettingSearch::Progress {
  std::vector<ValidationResult> results;  ///< per setting; empty when it is finished
  std::vector<std::size_t> tested;        ///< per setting: splits
  std::vector<TunePoint> points;          ///< per setting
  std::size_t done = 0;
  std::size_t all = 0;  ///< training runs
};

void SettingSearch::advance(std::span<const std::size_t> settings, std::size_t end,
                            const SearchSplits& splits, Progress& progress,
                            const Finished& finished) {
  for (const std::size_t s : settings) {
    const std::vector<Split>& all = splits.of(kernels_[settings_[s].kernel]);
    ValidationResult& result = progress.results[s];
    for (std::size_t& k = progress.tested[s]; k < std::min(end, all.size()); ++k) {
      if (context_.cancelled && context_.cancelled()) throw Cancelled();
      result.add(all[k], test(s, all[k], splits.stop_early_on_tests), validation_.groups.group_of,
                 tuning_.validation.split);
      report(context_, ++progress.done, progress.all);
    }
    progress.points[s] = point(s, result);
    if (progress.tested[s] < all.size()) continue;
    if (finished) finished(progress.points[s]);
    result = {};
  }
}

std::vector<TunePoint> SettingSearch::run(const SearchSplits& splits, const Finished& finished) {
  const std::size_t all = std::max(splits.usual.size(), splits.learned.size());
  Progress progress;
  progress.results.resize(settings_.size());
  progress.tested.resize(settings_.size());
  progress.points.resize(settings_.size());
  std::vector<std::size_t> left = order_;
  std::size_t end = tuning_.halving ? 1 : all;
  for (std::size_t e = 0, n = left.size(), to = end;; to = std::min(2 * to, all)) {
    progress.all += n * (to - e);  // the plan
    if (to == all) break;
    e = to;
    n = (n + 1) / 2;
  }
  while (true) {
    advance(left, end, splits, progress, finished);
    if (end >= all) return std::move(progress.points);
    // Best first, in the order of the grid on ties.
    std::vector<std::size_t> ranked = left;
    std::ranges::sort(ranked);
    std::ranges::stable_sort(ranked, [&](std::size_t a, std::size_t b) {
      return metric_.better(progress.points[a].score.mean, progress.points[b].score.mean);
    });
    for (std::size_t k = (ranked.size() + 1) / 2; k < ranked.size(); ++k) {
      std::erase(left, ranked[k]);
      if (finished) finished(progress.points[ranked[k]]);
      progress.results[ranked[k]] = {};
    }
    end = std::min(2 * end, all);
  }
}

TunePoint SettingSearch::point(std::size_t setting, const ValidationResult& result) const {
  const GridSetting& with = settings_[setting];
  TunePoint out;
  out.kernel = kernels_[with.kernel].to_string();
  out.expression = out.kernel;
  if (!tuning_.kernels.empty()) {
    out.expression = tuning_.kernels.at(with.kernel).expression;
    out.kernel_values = tuning_.kernels.at(with.kernel).values;
  }
  TrainOptions options = with.options;
  const Parameters parameters(options);
  for (std::size_t p = 0; p < with.choice.size(); ++p) {
    const ParameterRow& row = parameters.find(tuning_.search[p].name);
    const Value& value = tuning_.search[p].values[with.choice[p]];
    out.parameters.push_back({std::string(row.name), value, print_value(row, value)});
  }
  out.score = result.spread_of(metric_);
  out.interval = result.interval_of(metric_);
  return out;
}

}  // namespace espalier
