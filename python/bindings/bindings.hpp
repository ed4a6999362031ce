#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

/// One function for each part of the module, in a file of its own; module.cpp lists them. What
/// users see, with its documentation, is the Python code in espalier/ that stands on this module.
namespace espalier::python {

void add_clustering(nanobind::module_& module);
void add_dataset(nanobind::module_& module);
void add_distributed(nanobind::module_& module);
void add_errors(nanobind::module_& module);
void add_forest(nanobind::module_& module);
void add_formats(nanobind::module_& module);
void add_fragments(nanobind::module_& module);
void add_gram(nanobind::module_& module);
void add_model(nanobind::module_& module);
void add_nystroem(nanobind::module_& module);
void add_pairs(nanobind::module_& module);
void add_parameters(nanobind::module_& module);
void add_selection(nanobind::module_& module);
void add_subtree(nanobind::module_& module);
void add_texts(nanobind::module_& module);
void add_evaluation(nanobind::module_& module);
void add_validation(nanobind::module_& module);

/// Labels are bytes, mostly UTF-8. What is not travels through Python as surrogates, as in file
/// names, and comes back unharmed.
nanobind::str to_python(std::string_view bytes, const char* errors = "surrogateescape");
/// The bytes of a Python string.
std::string to_bytes(const nanobind::str& text);
/// A path as Python encodes it.
inline std::string path_of(const nanobind::bytes& path) { return {path.c_str(), path.size()}; }

}  // namespace espalier::python
