#include "espalier/evaluate/metrics.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "evaluate/check_lengths.hpp"
#include "evaluate/weighted.hpp"

namespace espalier {

namespace {

/// What a metric was named with: the class that is meant, and k.
struct MetricArgument {
  std::uint32_t positive = none;
  std::size_t k = 1;
};

using Prepare = WeightedMetric (*)(const Outcomes&, const MetricArgument&);

template <TallyScore Score>
WeightedMetric tally_score(const Outcomes& outcomes, const MetricArgument&) {
  return weighted_tally_score(outcomes, Score);
}

template <double GroupScores::*Score>
WeightedMetric group_score(const Outcomes& outcomes, const MetricArgument& argument) {
  return weighted_ranking(outcomes, Score, argument.k);
}

template <WeightedMetric (*Score)(const Outcomes&, std::uint32_t)>
WeightedMetric class_score(const Outcomes& outcomes, const MetricArgument& argument) {
  return Score(outcomes, argument.positive);
}

template <auto Score>
WeightedMetric number_score(const Outcomes& outcomes, const MetricArgument&) {
  return [&outcomes](std::span<const double> weights) -> std::optional<double> {
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) return {};
    return Score({outcomes.true_numbers, outcomes.numbers, weights});
  };
}

constexpr double infinity = std::numeric_limits<double>::infinity();

struct MetricRow : MetricDescription {
  Prepare prepare;
};

constexpr MetricRow rows[] = {
    {{"accuracy", "", "classification", true,
      "fraction of examples whose classes are exactly the true ones"},
     [](const Outcomes& outcomes, const MetricArgument&) { return weighted_accuracy(outcomes); }},
    {{"macro_precision", "", "classification", true, "precision, averaged over the classes"},
     tally_score<macro_precision>},
    {{"macro_recall", "", "classification", true, "recall, averaged over the classes"},
     tally_score<macro_recall>},
    {{"macro_f1", "", "classification", true, "F1, averaged over the classes"},
     tally_score<macro_f1>},
    {{"micro_f1", "", "classification", true, "F1 over all pairs of example and class"},
     tally_score<micro_f1>},
    {{"f1", "CLASS", "classification", true, "F1 of one class"}, class_score<weighted_f1>},
    {{"roc_auc", "CLASS", "classification", true,
      "area under the ROC curve of one class, or averaged over the classes"},
     class_score<weighted_roc_auc>},
    {{"average_precision", "CLASS", "classification", true,
      "average precision of one class, or averaged over the classes"},
     class_score<weighted_average_precision>},
    {{"map", "", "ranking", true, "mean average precision over the groups"},
     group_score<&GroupScores::average_precision>},
    {{"mrr", "", "ranking", true, "mean of 1 / rank of the first relevant example of a group"},
     group_score<&GroupScores::reciprocal_rank>},
    {{"precision_at", "K", "ranking", true,
      "fraction of relevant ones among the first K of a group"},
     group_score<&GroupScores::precision>},
    {{"r2", "", "regression", true, "coefficient of determination", -infinity, 1},
     number_score<r2>},
    {{"pearson", "", "regression", true, "Pearson's correlation", -1, 1}, number_score<pearson>},
    {{"spearman", "", "regression", true, "Spearman's rank correlation", -1, 1},
     number_score<spearman>},
    {{"mse", "", "regression", false, "mean squared error", 0, infinity},
     number_score<mean_squared_error>},
    {{"mae", "", "regression", false, "mean absolute error", 0, infinity},
     number_score<mean_absolute_error>},
};

std::string shown(const MetricDescription& row) {
  return std::string(row.name) + (row.argument.empty() ? "" : ":" + std::string(row.argument));
}

[[noreturn]] void fail_unknown(std::string_view name) {
  std::string list;
  std::vector<std::string_view> names;
  for (const MetricRow& row : rows) {
    list += (list.empty() ? "" : ", ") + shown(row);
    names.push_back(row.name);
  }
  const std::string near = nearest(name, names);
  throw Error("there is no metric " + in_quotes(name) + ": " +
              (near.empty() ? "" : "did you mean " + near + "? ") + "there are " + list);
}

std::size_t parse_rank(const std::string& argument, const std::string& text) {
  const auto number = parse_number(argument);
  if (!number || *number < 1 || *number > 1e9 ||
      *number != static_cast<double>(static_cast<std::size_t>(*number))) {
    throw Error("the metric " + in_quotes(text) + " needs a rank: precision_at:1, precision_at:5");
  }
  return static_cast<std::size_t>(*number);
}

void check_applies(const MetricDescription& row, const std::string& text,
                   const Outcomes& outcomes) {
  if (row.task == "ranking") {
    if (outcomes.groups.empty()) {
      throw Error("the metric " + text + " ranks the examples of each group: name the groups");
    }
    check_lengths(outcomes.size(), outcomes.groups.size());
    if (!outcomes.regression() && outcomes.positive == none) {
      throw Error("name the relevant class: none is called 1, true or yes");
    }
    return;
  }
  if ((row.task == "regression") != outcomes.regression()) {
    throw Error("the metric " + text + " is for " + std::string(row.task) + ", not for " +
                (outcomes.regression() ? "regression" : "classification"));
  }
}

}  // namespace

std::vector<MetricDescription> metric_descriptions() { return {std::begin(rows), std::end(rows)}; }

Metric::Metric(std::string_view text) : text_(text), row_(0) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  while (row_ < std::size(rows) && rows[row_].name != name) ++row_;
  if (row_ == std::size(rows)) fail_unknown(name);
  if (colon != std::string_view::npos) argument_ = text.substr(colon + 1);
  const std::string_view takes = rows[row_].argument;
  if (takes.empty() && colon != std::string_view::npos) {
    throw Error("the metric " + std::string(name) + " takes no argument: leave out " +
                in_quotes(argument_));
  }
  if (takes == "K") parse_rank(argument_, text_);
}

WeightedMetric Metric::prepare(const Outcomes& outcomes) const {
  const MetricRow& row = rows[row_];
  check_applies(row, text_, outcomes);
  MetricArgument argument;
  if (row.argument == "K") argument.k = parse_rank(argument_, text_);
  if (row.argument == "CLASS") {
    argument.positive =
        argument_.empty() ? outcomes.positive : class_named(argument_, outcomes.classes);
    if (row.name == "f1" && argument.positive == none) {
      throw Error("the metric f1 needs a class: f1:" + outcomes.classes.front());
    }
  }
  return row.prepare(outcomes, argument);
}

const MetricDescription& Metric::description() const { return rows[row_]; }

Interval Metric::clipped(Interval interval) const {
  const MetricRow& row = rows[row_];
  return {std::max(interval.low, row.least), std::min(interval.high, row.greatest)};
}

std::optional<double> Metric::operator()(const Outcomes& outcomes) const {
  return prepare(outcomes)(std::vector<double>(outcomes.size(), 1.0));
}

double Metric::value(const Outcomes& outcomes) const {
  if (const auto found = (*this)(outcomes)) return *found;
  const std::string_view task = description().task;
  throw Error("the metric " + text_ + " is not defined for these " +
              counted(outcomes.size(), "example") + ": " +
              (task == "classification" ? "they need examples of the class and others"
               : task == "ranking"      ? "no group has a relevant example"
                                        : "all true or all predicted numbers are equal"));
}

std::vector<Metric> metrics_named(std::span<const std::string> names, const Outcomes& outcomes) {
  if (names.empty()) return usual_metrics(outcomes);
  return {names.begin(), names.end()};
}

Metric default_metric(const Outcomes& outcomes) {
  if (outcomes.regression()) return Metric("r2");
  return Metric(outcomes.multi_label() ? "micro_f1" : "accuracy");
}

std::vector<Metric> usual_metrics(const Outcomes& outcomes) {
  std::vector<Metric> out;
  const auto add = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) out.emplace_back(name);
  };
  if (outcomes.regression()) {
    add({"r2", "pearson", "spearman", "mse", "mae"});
  } else if (outcomes.multi_label()) {
    add({"accuracy", "micro_f1", "macro_f1"});
  } else {
    add({"accuracy", "macro_precision", "macro_recall", "macro_f1"});
  }
  if (!outcomes.groups.empty() && (outcomes.regression() || outcomes.positive != none)) {
    add({"map", "mrr", "precision_at:1"});
  }
  return out;
}

}  // namespace espalier
