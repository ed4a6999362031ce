#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/distributed/rows.hpp"
#include "espalier/embed/quantize.hpp"
#include "parameters.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

DistributedTrees make_distributed_trees(const nb::dict& options) {
  return DistributedTrees(options_from<DistributedTreeOptions>(options));
}

struct Rows {
  Matrix<float> values;
  std::vector<std::size_t> outside;  ///< examples that do not fit, and are zeros
};

Rows rows_of(const DistributedTrees& embedding, const Dataset& data, const std::string& tree,
             bool normalize, std::size_t threads, std::size_t memory) {
  const TreeColumn& column = data.trees(tree);
  const Forest& forest = data.forests()[column.forest].value;
  Matrix<float> rows(data.size(), embedding.options().dim);
  std::vector<std::size_t> outside;
  Work(threads, memory).run([&](const Context& context) {
    const auto exponents = embedding.transform_scaled(forest, column.trees, rows.data(), context);
    outside = finish_rows(rows, exponents, normalize);
    return 0;
  });
  return {std::move(rows), std::move(outside)};
}

nb::tuple quantized(const DistributedTrees& embedding, const Dataset& data, const std::string& tree,
                    bool normalize, std::size_t threads, std::size_t memory) {
  const Rows found = rows_of(embedding, data, tree, normalize, threads, memory);
  QuantizedRows rows = quantize(found.values);
  return nb::make_tuple(to_array(std::move(rows.codes)), nb::cast(rows.scales),
                        nb::cast(found.outside));
}

}  // namespace

void add_distributed(nb::module_& module) {
  nb::class_<DistributedTrees>(module, "DistributedTrees")
      .def("transform",
           [](const DistributedTrees& self, const Dataset& data, const std::string& tree,
              bool normalize, std::size_t threads, std::size_t memory) {
             Rows rows = rows_of(self, data, tree, normalize, threads, memory);
             return nb::make_tuple(to_array(std::move(rows.values)), nb::cast(rows.outside));
           })
      .def("quantized", quantized);
  module.def("distributed_trees", make_distributed_trees);
}

}  // namespace espalier::python
