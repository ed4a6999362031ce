#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "espalier/evaluate/resampling.hpp"
#include "espalier/evaluate/splits.hpp"
#include "parameters.hpp"
#include "to_object.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

template <class T>
T item(const nb::dict& from, const char* name) {
  return nb::cast<T>(from[name]);
}

ClassLists class_lists(const Lists& lists, std::size_t classes) {
  ClassLists out(classes);
  for (const auto& list : lists) out.add(list);
  return out;
}

/// From a dict with the names of the members.
Outcomes to_outcomes(const nb::dict& from) {
  Outcomes out;
  for (const nb::handle name : from["classes"]) {
    out.classes.push_back(to_bytes(nb::borrow<nb::str>(name)));
  }
  out.truth = class_lists(item<Lists>(from, "truth"), out.classes.size());
  out.predicted = class_lists(item<Lists>(from, "predicted"), out.classes.size());
  out.scores = item<std::vector<std::vector<double>>>(from, "scores");
  if (out.scores.empty()) out.scores.resize(out.truth.size());
  out.true_numbers = item<std::vector<double>>(from, "true_numbers");
  out.numbers = item<std::vector<double>>(from, "numbers");
  out.groups = item<std::vector<std::uint32_t>>(from, "groups");
  const auto relevant = item<std::optional<std::string>>(from, "relevant");
  out.positive = relevant ? class_named(*relevant, out.classes) : usual_positive_class(out.classes);
  return out;
}

nb::list estimated(const std::vector<std::string>& metrics, const nb::dict& outcomes,
                   const nb::dict& options, std::size_t threads, std::size_t memory) {
  const Outcomes all = to_outcomes(outcomes);
  const auto how = options_from<ResamplingOptions>(options);
  nb::list out;
  for (const Metric& metric : metrics_named(metrics, all)) {
    out.append(to_object(Work(threads, memory).run([&](const Context& context) {
      return estimate(metric, all, all.groups, how, context);
    })));
  }
  return out;
}

nb::list compared(const std::vector<std::string>& metrics, const nb::dict& a, const nb::dict& b,
                  const nb::dict& options, std::size_t threads, std::size_t memory) {
  const Outcomes first = to_outcomes(a), second = to_outcomes(b);
  const auto how = options_from<ResamplingOptions>(options);
  nb::list out;
  for (const Metric& metric : metrics_named(metrics, first)) {
    out.append(to_object(Work(threads, memory).run([&](const Context& context) {
      return compare(metric, first, second, first.groups, how, context);
    })));
  }
  return out;
}

nb::list metric_rows() {
  nb::list out;
  for (const MetricDescription& row : metric_descriptions()) {
    nb::dict one;
    one["name"] = to_python(row.name);
    one["argument"] = to_python(row.argument);
    one["task"] = to_python(row.task);
    one["greater_is_better"] = row.greater_is_better;
    one["help"] = to_python(row.help);
    out.append(one);
  }
  return out;
}

}  // namespace

void add_evaluation(nb::module_& module) {
  module.def("estimate", estimated, nb::arg("metrics"), nb::arg("outcomes"), nb::arg("options"),
             nb::arg("threads"), nb::arg("memory"));
  module.def("compare", compared, nb::arg("metrics"), nb::arg("a"), nb::arg("b"),
             nb::arg("options"), nb::arg("threads"), nb::arg("memory"));
  module.def("metrics", metric_rows);
  module.def("mcnemar", [](std::uint64_t a, std::uint64_t b) { return to_object(mcnemar(a, b)); });
  module.def("corrected_t_test", [](const std::vector<double>& differences, double test_ratio) {
    return to_object(corrected_t_test(differences, test_ratio));
  });
  module.def("corrected_t_interval",
             [](const std::vector<double>& values, double test_ratio, double confidence) {
               return to_object(corrected_t_interval(values, test_ratio, confidence));
             });
  module.def("wilcoxon", [](const std::vector<double>& differences) {
    return to_object(wilcoxon(differences));
  });
  module.def("holm", [](const std::vector<double>& p_values) { return holm(p_values); });
}

}  // namespace espalier::python
