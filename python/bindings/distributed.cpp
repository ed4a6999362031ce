#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/distributed/distributed_trees.hpp"
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

Matrix<float> rows_of(const DistributedTrees& embedding, const Dataset& data,
                      const std::string& tree, std::size_t threads, std::size_t memory) {
  const TreeColumn& column = data.trees(tree);
  const Forest& forest = data.forests()[column.forest].value;
  Matrix<float> rows(data.size(), embedding.options().dim);
  Work(threads, memory).run([&](const Context& context) {
    embedding.transform(forest, column.trees, rows.data(), context);
    return 0;
  });
  return rows;
}

nb::tuple quantized(const DistributedTrees& embedding, const Dataset& data, const std::string& tree,
                    std::size_t threads, std::size_t memory) {
  QuantizedRows rows = quantize(rows_of(embedding, data, tree, threads, memory));
  return nb::make_tuple(to_array(std::move(rows.codes)), nb::cast(rows.scales));
}

}  // namespace

void add_distributed(nb::module_& module) {
  nb::class_<DistributedTrees>(module, "DistributedTrees")
      .def("transform",
           [](const DistributedTrees& self, const Dataset& data, const std::string& tree,
              std::size_t threads,
              std::size_t memory) { return to_array(rows_of(self, data, tree, threads, memory)); })
      .def("quantized", quantized);
  module.def("distributed_trees", make_distributed_trees);
}

}  // namespace espalier::python
