#include "parameters.hpp"

#include <cmath>

#include "bindings.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/distributed/options.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/fragments/fragment_features.hpp"
#include "espalier/io/pairs.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/kernel/kernel.hpp"
#include "espalier/learn/clustering.hpp"
#include "espalier/model/learning_curve.hpp"
#include "espalier/model/select_labels.hpp"
#include "espalier/model/train.hpp"
#include "espalier/represent/prune.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

[[noreturn]] void fail_type(const std::string& name, const char* expected, nb::handle value) {
  const std::string given = to_bytes(nb::str(nb::repr(value)));
  throw nb::type_error((name + " takes " + expected + ", not " + given).c_str());
}

double to_number(const std::string& name, nb::handle value) {
  const double out = PyFloat_AsDouble(value.ptr());
  if (out == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail_type(name, "a number", value);
  }
  return out;
}

double to_integer(const std::string& name, nb::handle value) {
  const auto index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    fail_type(name, "an integer", value);
  }
  return to_number(name, index);
}

std::string to_text(const std::string& name, nb::handle value) {
  if (!nb::isinstance<nb::str>(value)) fail_type(name, "a string", value);
  return to_bytes(nb::borrow<nb::str>(value));
}

/// Labels that are numbers also name their class by the number.
std::string class_name(nb::handle key) {
  return nb::isinstance<nb::str>(key) ? to_bytes(nb::borrow<nb::str>(key))
                                      : print_number(to_number("a class of class_weight", key));
}

Value to_class_weight(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) {
    const std::string text = to_bytes(nb::borrow<nb::str>(value));
    if (text != "balanced" && text != "none") {
      throw Error(name + " takes None, 'balanced' or a dict, not " + in_quotes(text));
    }
    return text;
  }
  if (!nb::isinstance<nb::dict>(value)) fail_type(name, "None, 'balanced' or a dict", value);
  NamedNumbers out;
  for (const auto& [key, weight] : nb::borrow<nb::dict>(value)) {
    out.emplace_back(class_name(key), to_number(name, weight));
  }
  return out;
}

std::string joined(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return to_text(name, value);
  std::string out;
  for (const nb::handle each : value) out += (out.empty() ? "" : ",") + to_text(name, each);
  return out;
}

const char* type_name(ParameterType type) {
  constexpr const char* names[] = {"boolean", "integer", "number",   "choice",
                                   "choices", "text",    "integers", "class_weight"};
  return names[static_cast<int>(type)];
}

nb::list rows_of(std::span<const ParameterRow> rows) {
  nb::list out;
  for (const ParameterRow& row : rows) {
    nb::dict one;
    one["name"] = to_python(row.name);
    one["help"] = to_python(row.help);
    one["type"] = type_name(row.type);
    one["default"] = to_python_value(row, row.default_value);
    nb::list choices;
    for (const char* choice : row.choices) choices.append(choice);
    one["choices"] = choices;
    one["range"] = to_python(row.range.to_string());
    one["users"] = to_python(row.users);
    one["needs"] = to_python(row.needs);
    one["alias"] = to_python(row.alias);
    one["optional"] = row.optional;
    one["common"] = row.common;
    out.append(one);
  }
  return out;
}

template <class Options>
nb::list rows_of_options(Options options = {}) {
  return rows_of(Parameters(options).rows());
}

/// All tables by name.
nb::dict tables() {
  nb::dict out;
  out["train"] = rows_of_options<TrainOptions>();
  out["validation"] = rows_of_options<ValidationOptions>();
  out["tune"] = rows_of_options(TuneOptions().validation);
  out["tuning"] = rows_of_options<TuneOptions>();
  out["curve"] = rows_of_options(CurveOptions().validation);
  out["resampling"] = rows_of_options<ResamplingOptions>();
  out["nystroem"] = rows_of_options<NystroemOptions>();
  out["distributed_trees"] = rows_of_options<DistributedTreeOptions>();
  out["cluster"] = rows_of_options<ClusterOptions>();
  out["fragments"] = rows_of_options<FragmentOptions>();
  out["select"] = rows_of_options<SelectOptions>();
  out["hashed_fragments"] = rows_of_options<HashedFragmentOptions>();
  out["read"] = rows_of_options<ReadOptions>();
  out["pairs"] = rows_of_options<PairOptions>();
  out["prune"] = rows_of_options<PruneOptions>();
  out["execution"] = rows_of_options<Context>();
  for (const KernelDescription& kernel : kernel_descriptions()) {
    out[("kernel:" + std::string(kernel.name)).c_str()] = rows_of(kernel.parameters);
  }
  return out;
}

}  // namespace

Value value_from(const ParameterRow& row, nb::handle value) {
  const std::string name(row.name);
  // As on the command line: text="keep", max_file="2G".
  if (nb::isinstance<nb::str>(value) && (row.bytes || row.type == ParameterType::boolean)) {
    return parse_value(row, to_text(name, value), name);
  }
  switch (row.type) {
    case ParameterType::boolean:
      if (!nb::isinstance<nb::bool_>(value)) fail_type(name, "True or False", value);
      return nb::cast<bool>(value);
    case ParameterType::integer:
      return to_integer(name, value);
    case ParameterType::number:
      return to_number(name, value);
    case ParameterType::choice:
    case ParameterType::text:
      return to_text(name, value);
    case ParameterType::choices:
      return joined(name, value);
    case ParameterType::class_weight:
      return to_class_weight(name, value);
    case ParameterType::integers:
      break;
  }
  std::vector<double> numbers;
  for (const nb::handle each : value) numbers.push_back(to_integer(name, each));
  return numbers;
}

nb::object to_python_value(const ParameterRow& row, const Value& value) {
  struct Visitor {
    const ParameterRow& row;
    nb::object operator()(std::monostate) const { return nb::none(); }
    nb::object operator()(bool flag) const {
      if (row.choices.empty()) return nb::bool_(flag);
      return to_python(row.choices[flag]);
    }
    nb::object operator()(double number) const {
      if (row.type == ParameterType::integer) return nb::int_(static_cast<std::int64_t>(number));
      return nb::float_(number);
    }
    nb::object operator()(const std::string& text) const { return to_python(text); }
    nb::object operator()(const std::vector<double>& numbers) const {
      nb::list out;
      for (const double number : numbers) out.append(static_cast<std::int64_t>(number));
      return nb::tuple(out);
    }
    nb::object operator()(const NamedNumbers& numbers) const {
      nb::dict out;
      for (const auto& [name, number] : numbers) out[to_python(name)] = number;
      return out;
    }
  };
  return std::visit(Visitor{row}, value);
}

std::vector<std::string> set_parameters(Parameters& parameters, const nb::dict& values) {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : values) {
    const std::string name = to_text("a parameter name", key);
    const ParameterRow* const row = find_parameter(parameters.rows(), name);
    if (row == nullptr) {
      unknown.push_back(name);
    } else if (!value.is_none()) {
      parameters.set(name, value_from(*row, value));
    }
  }
  return unknown;
}

void refuse_unknown(const std::vector<std::string>& unknown, const Parameters& parameters) {
  if (unknown.empty()) return;
  try {
    parameters.find(unknown[0]);
  } catch (const Error& error) {
    throw nb::type_error(error.what());
  }
}

void check_use(const Parameters& parameters, std::string_view user) {
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < parameters.rows().size(); ++i) {
    const ParameterRow& row = parameters.rows()[i];
    if (parameters.value(i) != row.default_value) changed.emplace_back(row.name);
  }
  parameters.check_use(changed, user, [](std::string_view name) { return std::string(name); });
}

void add_parameters(nb::module_& module) { module.def("parameters", tables); }

}  // namespace espalier::python
