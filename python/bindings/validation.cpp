#include "espalier/model/validation.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>

#include "bindings.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/model/learning_curve.hpp"
#include "espalier/model/tune.hpp"
#include "parameters.hpp"
#include "to_object.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// Each metric over the splits, by name.
nb::dict metrics_of(const ValidationResult& result, std::span<const Metric> metrics) {
  nb::dict out;
  for (const Metric& metric : metrics) {
    nb::dict one = nb::cast<nb::dict>(to_object(result.spread_of(metric)));
    one["interval"] = to_object(result.interval_of(metric));
    out[metric.name().c_str()] = one;
  }
  return out;
}

/// The options of training and of splitting, from one dict.
struct ValidatedTraining {
  TrainOptions training;
  ValidationOptions validation;

  ValidatedTraining(const nb::dict& options, const ValidationOptions& defaults)
      : validation(defaults) {
    Parameters train_parameters(training), split_parameters(validation);
    nb::dict others;  // what splitting has no parameter for, and the seed of both
    for (const auto& [name, value] : options) {
      const bool known = find_parameter(split_parameters.rows(), nb::cast<std::string>(name));
      if (!known || nb::cast<std::string>(name) == "seed") others[name] = value;
    }
    set_parameters(split_parameters, options);
    for (const std::string& name : set_parameters(train_parameters, others)) {
      std::vector<std::string_view> names;
      for (const ParameterRow& row : train_parameters.rows()) names.push_back(row.name);
      for (const ParameterRow& row : split_parameters.rows()) names.push_back(row.name);
      throw nb::type_error(
          ("there is no parameter " + in_quotes(name) + did_you_mean(name, names)).c_str());
    }
    check_use(train_parameters, name_of(training.learner));
    training.grouping = validation.grouping;
    check_use(split_parameters, name_of(validation.split));
  }
};

/// A dict for each kernel.
nb::list cross_validated(const std::vector<std::string>& expressions, const Dataset& data,
                         const std::vector<std::string>& metric_names, const nb::dict& options,
                         std::size_t threads, std::size_t memory) {
  const auto& [training, validation] = ValidatedTraining(options, {});
  for (const std::string& name : metric_names) Metric{name};
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : expressions) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const std::vector<ValidationResult> results =
      Work(threads, memory).run([&](const Context& context) {
        return cross_validate(kernels, data, training, validation, context);
      });
  const auto metrics = metrics_named(metric_names, results.at(0).pooled);
  nb::list out;
  for (std::size_t k = 0; k < results.size(); ++k) {
    nb::dict one;
    one["kernel"] = to_object(kernels[k].to_string());
    one["metrics"] = metrics_of(results[k], metrics);
    nb::list splits;
    for (const Outcomes& split : results[k].splits) splits.append(to_object(evaluate(split)));
    one["splits"] = splits;
    one["pooled"] = to_object(evaluate(results[k].pooled));
    out.append(one);
  }
  for (const Metric& metric : metrics) {
    std::vector<std::optional<SplitComparison>> comparisons(1);
    for (std::size_t k = 1; k < results.size(); ++k) {
      comparisons.push_back(compare(results[k], results[0], metric));
    }
    adjust(comparisons);
    for (std::size_t k = 0; k < results.size(); ++k) {
      out[k]["metrics"][metric.name().c_str()]["compared"] = to_object(comparisons[k]);
    }
  }
  return out;
}

/// The names and values of a setting, added to `out`.
void add_values(const TunePoint& point, nb::dict& out) {
  for (const SettingValue& value : point.kernel_values) {
    out[to_python(value.name)] = std::get<double>(value.value);
  }
  TrainOptions options;
  const Parameters parameters(options);
  for (const SettingValue& value : point.parameters) {
    const ParameterRow& row = parameters.find(value.name);
    const bool none = row.type == ParameterType::class_weight && value.value == Value("none");
    out[to_python(value.name)] = none ? nb::none() : to_python_value(row, value.value);
  }
}

nb::dict point_dict(const TunePoint& point) {
  nb::dict out;
  out["kernel"] = to_object(point.kernel);
  add_values(point, out);
  out["score"] = to_object(point.score);
  out["interval"] = to_object(point.interval);
  return out;
}

std::vector<SearchedParameter> searched_parameters(const nb::dict& search) {
  TrainOptions options;
  const Parameters parameters(options);
  std::vector<SearchedParameter> out;
  for (const auto& [name, values] : search) {
    const ParameterRow& row = parameters.find(to_bytes(nb::cast<nb::str>(name)));
    SearchedParameter& parameter = out.emplace_back();
    parameter.name = row.name;
    for (const nb::handle value : values) {
      parameter.values.push_back(value.is_none() && row.type == ParameterType::class_weight
                                     ? Value("none")
                                     : value_from(row, value));
    }
  }
  return out;
}

/// What a search is given, checked.
struct Search {
  TrainOptions training;
  TuneOptions tuning;
  std::vector<FittedKernel> kernels;

  Search(const std::vector<std::string>& expressions, const nb::dict& search,
         const std::string& metric, const nb::dict& options) {
    nb::dict others;  // those of training and splitting
    Parameters parameters(tuning);
    set_parameters(parameters, options);
    for (const auto& [name, value] : options) {
      if (!find_parameter(parameters.rows(), nb::cast<std::string>(name))) others[name] = value;
    }
    const ValidatedTraining validated(others, tuning.validation);
    training = validated.training;
    tuning.validation = validated.validation;
    tuning.search = searched_parameters(search);
    tuning.metric = metric;
    if (!metric.empty()) Metric{metric};
    for (const std::string& expression : expressions) {
      for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
      std::ranges::move(swept_kernels(expression), std::back_inserter(tuning.kernels));
    }
    check_search(kernels.size(), training, tuning);
  }
};

nb::dict tuned(const std::vector<std::string>& expressions, const Dataset& data,
               const nb::dict& search, const std::string& metric, const Dataset* validation,
               const nb::dict& options, std::size_t threads, std::size_t memory) {
  const Search with(expressions, search, metric, options);
  const Metric best_by = tuning_metric(with.tuning, make_targets(data, with.training.task));
  const auto points = Work(threads, memory).run([&](const Context& context) {
    return tune(with.kernels, data, with.training, with.tuning, context, {}, validation);
  });
  const TunePoint& best = best_point(points, best_by, with.tuning.one_standard_error);
  nb::dict out;
  out["metric"] = to_object(best_by.name());
  out["best"] = point_dict(best);
  nb::list all, edges;
  for (const TunePoint& point : points) all.append(point_dict(point));
  for (const GridEdge& edge : grid_edges(points, best)) {
    edges.append(nb::make_tuple(to_object(edge.name), to_object(edge.value), edge.largest));
  }
  out["points"] = all;
  out["chosen"] = static_cast<std::size_t>(&best - points.data());
  out["edges"] = edges;
  return out;
}

nb::dict nested(const std::vector<std::string>& expressions, const Dataset& data,
                const nb::dict& search, const std::string& metric, std::size_t folds,
                const nb::dict& options, std::size_t threads, std::size_t memory) {
  const Search with(expressions, search, metric, options);
  const Metric best_by = tuning_metric(with.tuning, make_targets(data, with.training.task));
  ValidationOptions outer = with.tuning.validation;
  outer.split = SplitKind::folds;
  outer.folds = folds;
  const NestedResult found = Work(threads, memory).run([&](const Context& context) {
    return nested_cross_validate(with.kernels, data, with.training, with.tuning, outer, context);
  });
  nb::dict out;
  out["metric"] = to_object(best_by.name());
  nb::list rows;
  for (std::size_t s = 0; s < found.chosen.size(); ++s) {
    nb::dict row = point_dict(found.chosen[s]);
    row["test"] = to_object(best_by(found.result.splits[s]));
    rows.append(row);
  }
  out["folds"] = rows;
  out["score"] = to_object(found.result.spread_of(best_by));
  out["interval"] = to_object(found.result.interval_of(best_by));
  return out;
}

nb::dict curve(const std::vector<std::string>& expressions, const Dataset& data,
               const std::vector<std::size_t>& sizes, const std::string& metric,
               const nb::dict& options, std::size_t threads, std::size_t memory) {
  CurveOptions how;
  const auto& [training, validation] = ValidatedTraining(options, how.validation);
  how.sizes = sizes;
  how.validation = validation;
  const Metric measured = tuning_metric({.metric = metric}, make_targets(data, training.task));
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : expressions) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const auto points = Work(threads, memory).run([&](const Context& context) {
    return learning_curve(kernels, data, training, how, measured.name(), context);
  });
  nb::dict out;
  out["metric"] = to_object(measured.name());
  out["points"] = to_object(points);
  return out;
}

/// (train, test) for each fold.
nb::list folds(const std::vector<std::uint32_t>& classes, std::size_t count, std::uint64_t seed) {
  nb::list out;
  for (const Split& split : stratified_k_fold(classes, count, seed)) {
    out.append(nb::make_tuple(nb::cast(split.train), nb::cast(split.test)));
  }
  return out;
}

}  // namespace

void add_validation(nb::module_& module) {
  module.def("cross_validate", cross_validated, nb::arg("kernels"), nb::arg("data"),
             nb::arg("metrics"), nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
  module.def("learning_curve", curve, nb::arg("kernels"), nb::arg("data"), nb::arg("sizes"),
             nb::arg("metric"), nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
  module.def("stratified_folds", folds, nb::arg("classes"), nb::arg("count"), nb::arg("seed"));
  module.def("tune", tuned, nb::arg("kernels"), nb::arg("data"), nb::arg("search"),
             nb::arg("metric"), nb::arg("validation").none(), nb::arg("options"),
             nb::arg("threads"), nb::arg("memory"));
  module.def("nested_cross_validate", nested, nb::arg("kernels"), nb::arg("data"),
             nb::arg("search"), nb::arg("metric"), nb::arg("folds"), nb::arg("options"),
             nb::arg("threads"), nb::arg("memory"));
}

}  // namespace espalier::python
