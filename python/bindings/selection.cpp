#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "espalier/model/select_labels.hpp"
#include "parameters.hpp"
#include "to_object.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

nb::dict selected(const std::string& kernel, const Dataset& data, const nb::dict& options,
                  std::size_t threads, std::size_t memory) {
  SelectOptions how;
  Parameters parameters(how);
  refuse_unknown(set_parameters(parameters, options), parameters);
  const SelectedLabels found = Work(threads, memory).run([&](const Context& context) {
    return select_labels(Kernel(kernel), data, how, context);
  });
  nb::dict out;
  out["kernel"] = to_python(found.kernel.to_string());
  out["labels"] = to_object(found.labels);
  out["sample"] = to_object(found.sample);
  return out;
}

nb::object compared(const std::string& full, const std::string& other, const Dataset& data,
                    std::size_t threads, std::size_t memory) {
  return to_object(Work(threads, memory).run([&](const Context& context) {
    return compare_kernels(Kernel(full), Kernel(other), data, context);
  }));
}

}  // namespace

void add_selection(nb::module_& module) {
  module.def("select_labels", selected, nb::arg("kernel"), nb::arg("data"), nb::arg("options"),
             nb::arg("threads"), nb::arg("memory"));
  module.def("compare_kernels", compared, nb::arg("full"), nb::arg("other"), nb::arg("data"),
             nb::arg("threads"), nb::arg("memory"));
}

}  // namespace espalier::python
