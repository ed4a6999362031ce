#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "espalier/io/format.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// The data set, and what there is to warn of.
nb::tuple read_file(const nb::bytes& path, const std::string& format,
                    const std::vector<std::pair<std::string, std::string>>& named) {
  std::vector<std::string> warnings;
  ReadOptions options;
  options.format = format;
  for (const auto& [name, value] : named) set_read_option(options, name, value);
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  Dataset data;
  {
    const std::string file = path_of(path);
    const nb::gil_scoped_release others_may_run;
    data = read(file, options);
  }
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

void write_file(const Dataset& data, const nb::bytes& path, const std::string& format) {
  const std::string file = path_of(path);
  const nb::gil_scoped_release others_may_run;
  write(data, file, format);
}

nb::dict known_formats() {
  nb::dict out;
  for (const Format& format : formats()) {
    out[to_python(format.name)] = to_python(format.description);
  }
  return out;
}

}  // namespace

void add_formats(nb::module_& module) {
  module.def("read", read_file, nb::arg("path"), nb::arg("format"), nb::arg("options"));
  module.def("write", write_file, nb::arg("data"), nb::arg("path"), nb::arg("format"));
  module.def("formats", known_formats);
}

}  // namespace espalier::python
