#include "espalier/gram/gram.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <thread>

#include "bindings.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// Long work for Python: other threads run meanwhile, and Ctrl-C stops it.
class Work {
 public:
  Work(std::size_t threads, std::size_t memory) {
    context.threads = threads;
    context.memory = memory;
    context.cancelled = [this] { return asked_to_stop(); };
  }

  template <class Function>
  auto run(Function&& function) {
    try {
      const nb::gil_scoped_release others_may_run;
      return function(context);
    } catch (const Cancelled&) {
      throw nb::python_error();  // what the signal handler raised
    }
  }

  Context context;

 private:
  /// Python handles signals in the thread that called; the others learn of it here.
  bool asked_to_stop() {
    if (std::this_thread::get_id() == caller_) {
      const nb::gil_scoped_acquire python;
      if (PyErr_CheckSignals() != 0) stop_ = true;
    }
    return stop_;
  }

  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> stop_ = false;
};

/// The matrices of all kernels of a sweep, one after the other in one array that NumPy then owns.
template <class T>
nb::object compute(const std::string& expression, const Dataset& rows, const Dataset* columns,
                   std::size_t threads, std::size_t memory) {
  const auto kernels = parse_sweep(expression);
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
  T* const data = values.release();
  const nb::capsule owner(
      data, [](void* memory_of_matrix) noexcept { release_matrix(memory_of_matrix); });
  if (kernels.size() == 1) return nb::cast(nb::ndarray<nb::numpy, T>(data, {count, width}, owner));
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {kernels.size(), count, width}, owner));
}

nb::object gram_array(const std::string& kernel, const Dataset& rows, const Dataset* columns,
                      bool single, std::size_t threads, std::size_t memory) {
  return single ? compute<float>(kernel, rows, columns, threads, memory)
                : compute<double>(kernel, rows, columns, threads, memory);
}

std::vector<double> aligned_values(const std::string& kernel, const Dataset& a, const Dataset& b,
                                   std::size_t threads, std::size_t memory) {
  return Work(threads, memory).run([&](const Context& context) {
    return aligned(Kernel(kernel), a, b, context);
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
