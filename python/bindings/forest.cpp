#include "espalier/forest/forest.hpp"

#include <nanobind/ndarray.h>

#include <memory>

#include "bindings.hpp"
#include "espalier/io/brackets.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

using Ids = nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>;

/// An array that lives as long as Python wants it, filled by `value(i)`.
template <class Value>
Ids make_array(std::size_t size, Value&& value) {
  auto numbers = std::make_unique<std::uint32_t[]>(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = value(static_cast<std::uint32_t>(i));
  std::uint32_t* const data = numbers.get();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint32_t*>(p); });
  (void)numbers.release();
  return Ids(data, {size}, owner);
}

/// What a member function says about each vertex.
template <auto Member>
Ids per_vertex(const Forest& forest) {
  return make_array(forest.vertex_count(), [&](VertexId v) { return (forest.*Member)(v); });
}

void check(const Forest& forest, std::size_t vertex) {
  if (vertex >= forest.vertex_count()) throw nb::index_error("no such vertex");
}

Ids children(const Forest& forest, std::size_t vertex) {
  check(forest, vertex);
  const auto below = forest.children(static_cast<VertexId>(vertex));
  return make_array(below.size(), [&](std::uint32_t i) { return below[i]; });
}

nb::str subtree(const Forest& forest, std::size_t vertex) {
  check(forest, vertex);
  std::string text;
  append_brackets(text, forest.subtree(static_cast<VertexId>(vertex)), BracketStyle::compact);
  return to_python(text);
}

nb::list label_texts(const Forest& forest) {
  nb::list out;
  for (LabelId id = 0; id < forest.labels().size(); ++id) {
    out.append(to_python(forest.labels().text(id)));
  }
  return out;
}

}  // namespace

void add_forest(nb::module_& module) {
  nb::class_<Forest>(module, "Forest")
      .def_prop_ro("tree_count", &Forest::tree_count)
      .def_prop_ro("vertex_count", &Forest::vertex_count)
      .def_prop_ro("production_count", &Forest::production_count)
      .def_prop_ro("node_count", &Forest::node_count)
      .def("labels", label_texts)
      .def("vertex_labels", per_vertex<&Forest::label>)
      .def("heights", per_vertex<&Forest::height>)
      .def("sizes", per_vertex<&Forest::size>)
      .def("productions", per_vertex<&Forest::production>)
      .def("children", children, nb::arg("vertex"))
      .def("subtree", subtree, nb::arg("vertex"));
}

}  // namespace espalier::python
