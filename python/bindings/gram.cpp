#include "espalier/gram/gram.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "espalier/model/word_vectors.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// The matrices of all kernels of a sweep, one after the other in one array that NumPy then owns.
template <class T>
nb::object compute(const std::string& expression, const Dataset& rows, const Dataset* columns,
                   std::size_t threads, std::size_t memory) {
  const auto kernels =
      load_word_vectors(sweep(expression), {&rows, columns != nullptr ? columns : &rows});
  const std::size_t width = columns != nullptr ? columns->size() : rows.size();
  Matrix<T> values(kernels.size() * rows.size(), width);
  std::vector<T*> outputs;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    outputs.push_back(values.data() + k * rows.size() * width);
  }
  Work(threads, memory).run([&](const Context& context) {
    gram_into<T>(kernels, rows, columns, outputs, context);
    return 0;
  });
  const std::size_t count = rows.size();
  return kernels.size() == 1 ? to_array(std::move(values), {count, width})
                             : to_array(std::move(values), {kernels.size(), count, width});
}

nb::object gram_array(const std::string& kernel, const Dataset& rows, const Dataset* columns,
                      bool single, std::size_t threads, std::size_t memory) {
  return single ? compute<float>(kernel, rows, columns, threads, memory)
                : compute<double>(kernel, rows, columns, threads, memory);
}

std::vector<double> aligned_values(const std::string& kernel, const Dataset& a, const Dataset& b,
                                   std::size_t threads, std::size_t memory) {
  return Work(threads, memory).run([&](const Context& context) {
    return aligned(load_word_vectors(Kernel(kernel), {&a, &b}), a, b, context);
  });
}

}  // namespace

void add_gram(nb::module_& module) {
  module.def("gram", gram_array, nb::arg("kernel"), nb::arg("rows"), nb::arg("columns").none(),
             nb::arg("single"), nb::arg("threads"), nb::arg("memory"));
  module.def("aligned", aligned_values, nb::arg("kernel"), nb::arg("a"), nb::arg("b"),
             nb::arg("threads"), nb::arg("memory"));
  module.def("describe_kernels", describe_kernels);
}

}  // namespace espalier::python
