#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "bindings.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "espalier/embed/subtree_hashes.hpp"
#include "espalier/engine/discriminance.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/model/word_vectors.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

ClassLists class_lists(const std::vector<std::uint32_t>& classes, std::size_t class_count) {
  ClassLists out(class_count);
  for (const std::uint32_t c : classes) out.add(c);
  return out;
}

/// The kernel with weights learned from all examples, if it learns any.
FittedKernel fitted(const std::string& expression, const Dataset& data,
                    const std::vector<std::uint32_t>& classes, std::size_t class_count) {
  FittedKernel kernel{Kernel(expression)};
  if (!needs_learning(kernel)) return kernel;
  const nb::gil_scoped_release others_may_run;
  std::vector<std::uint32_t> all(data.size());
  std::iota(all.begin(), all.end(), 0U);
  return learn_weights(std::move(kernel), data, all, class_lists(classes, class_count));
}

nb::object fitted_gram(const FittedKernel& kernel, const Dataset& rows, const Dataset* columns,
                       std::size_t threads, std::size_t memory) {
  Matrix<double> values = Work(threads, memory).run([&](const Context& context) {
    const FittedKernel loaded =
        load_word_vectors(kernel, {&rows, columns != nullptr ? columns : &rows});
    return columns != nullptr ? gram<double>(loaded, rows, *columns, context)
                              : gram<double>(loaded, rows, context);
  });
  const std::size_t count = values.rows();
  const std::size_t width = values.columns();
  return to_array(std::move(values), {count, width});
}

struct FoundSubtree {
  std::string text;
  double weight;
  Discriminance discriminance;
  std::vector<std::uint64_t> trees;  ///< that contain it, for each class
};

/// The heaviest first; at most `most` of the class, or of any class if it is below 0.
std::vector<FoundSubtree> heaviest(const Forest& forest, std::span<const TreeId> trees,
                                   const std::vector<std::uint32_t>& classes,
                                   std::size_t class_count, WeightShape shape,
                                   std::int64_t of_class, std::size_t most) {
  const auto found = discriminance(forest, trees, class_lists(classes, class_count));
  std::vector<std::pair<double, VertexId>> order;
  for (VertexId v = 0; v < found.size(); ++v) {
    const double weight = discriminance_weight(shape, found[v].distance);
    const bool wanted = of_class < 0 || found[v].speaks_for == static_cast<std::uint32_t>(of_class);
    if (weight > 0 && wanted) order.emplace_back(-weight, v);
  }
  std::ranges::sort(order);
  if (order.size() > most) order.resize(most);
  std::vector<FoundSubtree> out;
  std::vector<std::uint32_t> place(forest.vertex_count(), none);
  for (const auto& [negative, v] : order) {
    place[v] = static_cast<std::uint32_t>(out.size());
    std::string text;
    append_brackets(text, forest.subtree(v), BracketStyle::compact);
    out.push_back({std::move(text), -negative, found[v], {}});
    out.back().trees.resize(class_count);
  }
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees[i] == none) continue;
    for (const Occurrence& o : forest.occurrences(trees[i])) {
      if (place[o.vertex] != none) ++out[place[o.vertex]].trees[classes[i]];
    }
  }
  return out;
}

/// (subtree, weight, class, by absence, trees with it for each class) of each.
nb::list subtree_weights(const Dataset& data, const std::string& tree, bool unordered, bool labels,
                         int shape, const std::vector<std::uint32_t>& classes,
                         std::size_t class_count, std::int64_t of_class, std::size_t most) {
  std::vector<FoundSubtree> found;
  {
    const nb::gil_scoped_release others_may_run;
    const TreeColumn& column = data.trees(tree);
    Forest forest(ForestOptions{.ordered = !unordered, .labelled = labels});
    forest.merge(data.forests()[column.forest].value);
    found = heaviest(forest, column.trees, classes, class_count, static_cast<WeightShape>(shape),
                     of_class, most);
  }
  nb::list out;
  for (const auto& [text, weight, about, trees] : found) {
    out.append(nb::make_tuple(to_python(text), weight, about.speaks_for, about.by_absence, trees));
  }
  return out;
}

/// (values, columns, begins, shape) of the rows.
nb::tuple feature_rows(const ExplicitFeatures& features, const Dataset& data, std::size_t threads,
                       std::size_t memory) {
  const SparseMatrix rows = Work(threads, memory).run([&](const Context& context) {
    return features.transform(data, context);
  });
  return nb::make_tuple(to_array(rows.all_values()), to_array(rows.all_columns()),
                        to_array(rows.begins()), nb::make_tuple(rows.rows(), rows.columns()));
}

/// (values, hashes, begins) of the rows.
nb::tuple hashed_subtrees(const std::string& kernel, const Dataset& data) {
  SubtreeHashes found;
  {
    const nb::gil_scoped_release others_may_run;
    found = subtree_hashes(Kernel(kernel), data);
  }
  return nb::make_tuple(to_array(std::span<const double>(found.values)),
                        to_array(std::span<const std::uint64_t>(found.hashes)),
                        to_array(std::span<const std::uint64_t>(found.begins)));
}

}  // namespace

void add_subtree(nb::module_& module) {
  nb::class_<FittedKernel>(module, "FittedKernel").def("__str__", &FittedKernel::to_string);
  module.def("fitted", fitted, nb::arg("kernel"), nb::arg("data"), nb::arg("classes"),
             nb::arg("class_count"));
  module.def("fitted_gram", fitted_gram, nb::arg("kernel"), nb::arg("rows"),
             nb::arg("columns").none(), nb::arg("threads"), nb::arg("memory"));
  module.def("subtree_weights", subtree_weights);
  module.def("subtree_hashes", hashed_subtrees, nb::arg("kernel"), nb::arg("data"));
  nb::class_<ExplicitFeatures>(module, "ExplicitFeatures")
      .def("__init__", [](ExplicitFeatures* self,
                          const FittedKernel& kernel) { new (self) ExplicitFeatures(kernel); })
      .def("fit", &ExplicitFeatures::fit, nb::call_guard<nb::gil_scoped_release>())
      .def("transform", feature_rows)
      .def("names", [](const ExplicitFeatures& self) {
        nb::list out;
        for (std::size_t c = 0; c < self.columns(); ++c) out.append(to_python(self.name(c)));
        return out;
      });
}

}  // namespace espalier::python
