#include "bindings.hpp"
#include "espalier/version.hpp"

namespace espalier::python {

namespace nb = nanobind;

nb::str to_python(std::string_view bytes, const char* errors) {
  PyObject* text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), errors);
  if (text == nullptr) nb::raise_python_error();
  return nb::steal<nb::str>(text);
}

std::string to_bytes(const nb::str& text) {
  PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (encoded == nullptr) nb::raise_python_error();
  const auto bytes = nb::steal<nb::bytes>(encoded);
  return {bytes.c_str(), bytes.size()};
}

}  // namespace espalier::python

NB_MODULE(_core, module) {
  using namespace espalier::python;
  module.attr("__version__") = espalier::version;
  add_errors(module);
  add_forest(module);
  add_dataset(module);
  add_formats(module);
  add_texts(module);
  add_pairs(module);
  add_parameters(module);
  add_gram(module);
  add_model(module);
  add_selection(module);
  add_subtree(module);
  add_fragments(module);
  add_distributed(module);
  add_nystroem(module);
  add_clustering(module);
  add_evaluation(module);
  add_validation(module);
}
