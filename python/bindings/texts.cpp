#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bindings.hpp"
#include "element_error.hpp"
#include "parameters.hpp"
#include "text_reader.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// The bytes of a string, which Python keeps. Those of strings that are no UTF-8 go to `kept`.
std::string_view view_of(nb::handle text, std::vector<std::string>& kept) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  kept.push_back(to_bytes(nb::borrow<nb::str>(text)));
  return kept.back();
}

/// The trees of texts, None for an example without one, and what there is to warn of.
nb::tuple from_texts(const nb::tuple& texts, const std::string& name, const nb::dict& values) {
  ReadOptions options = read_options_from(values);
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  std::vector<std::string> kept;
  kept.reserve(nb::len(texts));  // views refer to its strings
  std::vector<std::optional<std::string_view>> views;
  for (const nb::handle text : texts) {
    views.push_back(text.is_none() ? std::optional<std::string_view>() : view_of(text, kept));
  }
  Dataset data;
  {
    const nb::gil_scoped_release others_may_run;
    TextReader reader(std::move(options), name);
    Signals signals;
    Example example;
    for (std::size_t i = 0; i < views.size(); ++i) {
      signals.check();
      try {
        example = {};
        if (views[i]) reader.read(*views[i], "element " + std::to_string(i), example);
        data.add(example);
      } catch (const Error& error) {
        throw ElementError(i, error.what());
      }
    }
  }
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

/// All trees of a forest, in order.
Dataset from_forest(const Forest& forest, const std::string& name) {
  Dataset data;
  for (TreeId tree = 0; tree < forest.tree_count(); ++tree) {
    Example example;
    example.trees.push_back({name, forest.tree(tree)});
    data.add(example);
  }
  return data;
}

}  // namespace

void add_texts(nb::module_& module) {
  module.def("from_texts", from_texts, nb::arg("texts"), nb::arg("name"), nb::arg("options"));
  module.def("from_forest", from_forest, nb::arg("forest"), nb::arg("name"));
}

}  // namespace espalier::python
