#include "espalier/learn/clustering.hpp"

#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/model/train.hpp"
#include "espalier/model/word_vectors.hpp"
#include "parameters.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// (clusters, squared distances, cost, iterations, converged) of kernel k-means.
nb::tuple clustered(const std::string& kernel, const Dataset& data, const nb::dict& values,
                    std::size_t threads, std::size_t memory) {
  const auto options = options_from<ClusterOptions>(values);
  const Clustering out = Work(threads, memory).run([&](const Context& context) {
    check_memory(data.size(), context);
    return cluster_kernel(gram<float>(load_word_vectors(Kernel(kernel), {&data}), data, context),
                          options, context);
  });
  return nb::make_tuple(to_array(std::span(out.clusters)), to_array(std::span(out.distances)),
                        out.cost, out.iterations, out.converged);
}

}  // namespace

void add_clustering(nb::module_& module) {
  module.def("cluster", clustered, nb::arg("kernel"), nb::arg("data"), nb::arg("options"),
             nb::arg("threads"), nb::arg("memory"));
}

}  // namespace espalier::python
