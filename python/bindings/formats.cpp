#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "espalier/io/format.hpp"
#include "parameters.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// All examples. The caller has released the interpreter; Ctrl-C stops it.
Dataset read_all(ExampleReader& reader) {
  Dataset data;
  Signals signals;
  for (Example example; reader.next(example);) {
    signals.check();
    try {
      data.add(example);
    } catch (const Error& error) {
      throw InputError(reader.location(), error.what());
    }
  }
  return data;
}

/// The data set, and what there is to warn of.
nb::tuple read_with(ReadOptions options, const nb::bytes& path) {
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  Dataset data;
  {
    const std::string file = path_of(path);
    const nb::gil_scoped_release others_may_run;
    const auto reader = open_reader(file, options);
    data = read_all(*reader);
    data.set_reading(reading_settings(options));
  }
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

nb::tuple read_file(const nb::bytes& path, const nb::dict& options) {
  return read_with(read_options_from(options), path);
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

ReadOptions read_options_from(const nb::dict& values) {
  auto out = options_from<ReadOptions>(values);
  std::vector<std::string> given;
  for (const auto& [name, value] : values) {
    if (!value.is_none()) given.push_back(to_bytes(nb::borrow<nb::str>(name)));
  }
  imply_format(out, given);
  return out;
}

void add_formats(nb::module_& module) {
  module.def("read", read_file, nb::arg("path"), nb::arg("options"));
  module.def("write", write_file, nb::arg("data"), nb::arg("path"), nb::arg("format"));
  module.def("formats", known_formats);
}

}  // namespace espalier::python
