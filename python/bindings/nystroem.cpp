#include "espalier/embed/nystroem.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "espalier/model/word_vectors.hpp"
#include "parameters.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

Nystroem make_nystroem(const std::string& kernel, const nb::dict& options) {
  return Nystroem(Kernel(kernel), options_from<NystroemOptions>(options));
}

void fit(Nystroem& self, const Dataset& data, const std::vector<std::uint32_t>& classes,
         std::size_t threads, std::size_t memory) {
  Work(threads, memory).run([&](const Context& context) {
    self = with_words_of(data, std::move(self));
    self.fit(data, classes, context);
    return 0;
  });
}

nb::object transform(const Nystroem& self, const Dataset& data, std::size_t threads,
                     std::size_t memory) {
  return to_array(Work(threads, memory).run([&](const Context& context) {
    return with_words_of(data, self).transform(data, context);
  }));
}

}  // namespace

void add_nystroem(nb::module_& module) {
  nb::class_<Nystroem>(module, "Nystroem")
      .def("fit", fit)
      .def("transform", transform)
      .def("rank", &Nystroem::rank)
      .def("chosen", [](const Nystroem& self) {
        return std::vector<std::uint32_t>(self.chosen().begin(), self.chosen().end());
      });
  module.def("nystroem", make_nystroem);
}

}  // namespace espalier::python
