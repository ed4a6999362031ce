#include "espalier/model/validation.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>

#include "bindings.hpp"
#include "espalier/evaluate/splits.hpp"
#include "parameters.hpp"
#include "to_object.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// Each metric over the evaluations, by name.
nb::dict metrics(std::span<const Evaluation> evaluations) {
  nb::dict out;
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    std::ranges::transform(evaluations, std::back_inserter(values), value_of);
    out[name] = to_object(spread(values));
  };
  const bool classes = evaluations.front().classification.has_value();
  for (const char* name : classes ? std::vector{"accuracy", "macro_f1", "micro_f1"}
                                  : std::vector{"r2", "pearson", "spearman"}) {
    add(name, [&](const Evaluation& evaluation) { return metric(evaluation, name).value; });
  }
  if (classes) return out;
  add("mean_squared_error", [](const Evaluation& e) { return e.regression->mean_squared_error; });
  add("mean_absolute_error", [](const Evaluation& e) { return e.regression->mean_absolute_error; });
  return out;
}

/// The options of training and of splitting, from one dict.
struct ValidatedTraining {
  TrainOptions training;
  ValidationOptions validation;

  ValidatedTraining(const nb::dict& options, const ValidationOptions& defaults)
      : validation(defaults) {
    Parameters train_parameters(training), split_parameters(validation);
    set_parameters(train_parameters, options);
    for (const std::string& name : set_parameters(split_parameters, options)) {
      if (find_parameter(train_parameters.rows(), name) != nullptr) continue;
      std::vector<std::string_view> names;
      for (const ParameterRow& row : train_parameters.rows()) names.push_back(row.name);
      for (const ParameterRow& row : split_parameters.rows()) names.push_back(row.name);
      throw nb::type_error(
          ("there is no parameter " + in_quotes(name) + did_you_mean(name, names)).c_str());
    }
    check_use(train_parameters, name_of(training.learner));
    check_use(split_parameters, name_of(validation.split));
  }
};

nb::dict cross_validated(const std::string& kernel, const Dataset& data, const nb::dict& options,
                         std::size_t threads, std::size_t memory) {
  const auto& [training, validation] = ValidatedTraining(options, {});
  ValidationResult result = Work(threads, memory).run([&](const Context& context) {
    return cross_validate(Kernel(kernel), data, training, validation, context);
  });
  // A metric of a single example says nothing: only that of all of them together does.
  if (validation.split == SplitKind::leave_one_out) result.splits.clear();
  nb::dict out;
  out["metrics"] =
      metrics(result.splits.empty() ? std::span(&result.pooled, 1) : std::span(result.splits));
  out["splits"] = to_object(result.splits);
  out["pooled"] = to_object(result.pooled);
  return out;
}

const char* usual_metric(const Dataset& data, const TrainOptions& options) {
  const Targets targets = make_targets(data, options.task);
  if (targets.task == Task::regression) return "r2";
  return targets.multi_label() ? "micro_f1" : "accuracy";
}

nb::dict tuned(const std::vector<std::string>& expressions, const Dataset& data,
               const std::vector<double>& costs, const std::string& metric, const nb::dict& options,
               std::size_t threads, std::size_t memory) {
  TuneOptions tuning;
  const auto& [training, validation] = ValidatedTraining(options, tuning.validation);
  tuning.costs = costs;
  tuning.metric = metric.empty() ? usual_metric(data, training) : metric;
  tuning.validation = validation;
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : expressions) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const auto points = Work(threads, memory).run([&](const Context& context) {
    return tune(kernels, data, training, tuning, context);
  });
  nb::dict out;
  out["metric"] = to_object(tuning.metric);
  out["best"] = to_object(best_point(points));
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
  module.def("cross_validate", cross_validated, nb::arg("kernel"), nb::arg("data"),
             nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
  module.def("stratified_folds", folds, nb::arg("classes"), nb::arg("count"), nb::arg("seed"));
  module.def("tune", tuned, nb::arg("kernels"), nb::arg("data"), nb::arg("costs"),
             nb::arg("metric"), nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
}

}  // namespace espalier::python
