#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "espalier/base/error.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/embed/quantize.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// The number of a name, with the names there are if it is none of them.
template <std::size_t N>
std::size_t choice(const char* option, const std::string& name, const char* const (&names)[N]) {
  std::string all;
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return i;
    all += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  throw Error(std::string(option) + " = " + in_quotes(name) + " is none of " + all);
}

DistributedTrees make_distributed_trees(std::size_t dimension, double decay,
                                        const std::string& compose, const std::string& fragments,
                                        bool arity, std::uint64_t seed) {
  DistributedTreeOptions options;
  options.dimension = dimension;
  options.decay = decay;
  options.compose =
      static_cast<Composition>(choice("compose", compose, {"product", "convolution"}));
  options.fragments = static_cast<DistributedFragments>(
      choice("fragments", fragments, {"subset_trees", "subtrees", "subpaths"}));
  options.arity = arity;
  options.seed = seed;
  return DistributedTrees(options);
}

Matrix<float> rows_of(const DistributedTrees& embedding, const Dataset& data,
                      const std::string& tree, std::size_t threads, std::size_t memory) {
  const TreeColumn& column = data.trees(tree);
  const Forest& forest = data.forests()[column.forest].value;
  Matrix<float> rows(data.size(), embedding.options().dimension);
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
