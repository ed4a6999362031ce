#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/parameter.hpp"
#include "espalier/io/read_options.hpp"

namespace espalier::python {

/// A value for a parameter, and back. A wrong one is an Error, or a TypeError, that names the
/// parameter; it may still be out of range.
Value value_from(const ParameterRow& row, nanobind::handle value);
nanobind::object to_python_value(const ParameterRow& row, const Value& value);

/// Assigns the values that the parameters know by name; None leaves a default. A wrong value is an
/// Error, or a TypeError, that names the parameter. Returns the names that no parameter has.
std::vector<std::string> set_parameters(Parameters& parameters, const nanobind::dict& values);

/// Throws TypeError for the first name, with the nearest parameter.
void refuse_unknown(const std::vector<std::string>& unknown, const Parameters& parameters);

/// Throws Error if a parameter that `user` does not use differs from its default.
void check_use(const Parameters& parameters, std::string_view user);

/// Options with the values of a dict.
template <class Options>
Options options_from(const nanobind::dict& values, Options options = {}) {
  Parameters parameters(options);
  refuse_unknown(set_parameters(parameters, values), parameters);
  return options;
}

/// Options of reading; those for sentences imply their format.
ReadOptions read_options_from(const nanobind::dict& values);

}  // namespace espalier::python
