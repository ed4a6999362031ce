#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "espalier/fragments/fragment_features.hpp"
#include "espalier/model/model.hpp"
#include "parameters.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

FragmentFeatures fragment_features(const Model& model, const nb::dict& options, std::size_t threads,
                                   std::size_t memory) {
  const auto how = options_from<FragmentOptions>(options);
  return Work(threads, memory).run([&](const Context& context) {
    return heaviest_features(model, how, context);
  });
}

FragmentFeatures hashed_fragments(const std::string& kernel, const nb::dict& options) {
  return {FittedKernel(Kernel(kernel)), options_from<HashedFragmentOptions>(options)};
}

nb::bytes save(const FragmentFeatures& features) {
  const std::string bytes = features.save();
  return nb::bytes(bytes.data(), bytes.size());
}

FragmentFeatures load(const nb::bytes& bytes, const Model& model) {
  return FragmentFeatures::load({bytes.c_str(), bytes.size()}, model.functions.kernel());
}

/// (values, columns, begins, shape) of the rows.
nb::tuple feature_rows(const FragmentFeatures& features, const Dataset& data, std::size_t threads,
                       std::size_t memory) {
  const SparseMatrix rows = Work(threads, memory).run([&](const Context& context) {
    return features.transform(data, context);
  });
  return nb::make_tuple(to_array(rows.all_values()), to_array(rows.all_columns()),
                        to_array(rows.begins()), nb::make_tuple(rows.rows(), rows.columns()));
}

}  // namespace

void add_fragments(nb::module_& module) {
  nb::class_<FragmentFeatures>(module, "FragmentFeatures")
      .def("transform", feature_rows)
      .def("save", save)
      .def("names", [](const FragmentFeatures& self) {
        nb::list out;
        for (std::size_t c = 0; c < self.columns(); ++c) out.append(to_python(self.name(c)));
        return out;
      });
  module.def("fragment_features", fragment_features);
  module.def("load_fragment_features", load);
  module.def("hashed_fragments", hashed_fragments);
}

}  // namespace espalier::python
