#include "espalier/model/validation.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>

#include "bindings.hpp"
#include "espalier/evaluate/splits.hpp"
#include "espalier/model/learning_curve.hpp"
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

nb::dict tuned(const std::vector<std::string>& expressions, const Dataset& data,
               const std::vector<double>& costs, const std::string& metric, const nb::dict& options,
               std::size_t threads, std::size_t memory) {
  TuneOptions tuning;
  const auto& [training, validation] = ValidatedTraining(options, tuning.validation);
  tuning.costs = costs;
  tuning.validation = validation;
  tuning.metric = metric;
  const Metric best_by = tuning_metric(tuning, make_targets(data, training.task));
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : expressions) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const auto points = Work(threads, memory).run([&](const Context& context) {
    return tune(kernels, data, training, tuning, context);
  });
  nb::dict out;
  out["metric"] = to_object(best_by.name());
  out["best"] = to_object(best_point(points, best_by));
  out["points"] = to_object(points);
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
  module.def("tune", tuned, nb::arg("kernels"), nb::arg("data"), nb::arg("costs"),
             nb::arg("metric"), nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
}

}  // namespace espalier::python
