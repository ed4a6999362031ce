#include "espalier/data/dataset.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "bindings.hpp"
#include "espalier/base/error.hpp"
#include "espalier/data/labels.hpp"
#include "espalier/data/summary.hpp"
#include "espalier/io/brackets.hpp"
#include "to_object.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

using Name = std::optional<nb::str>;

/// The trees of one column, as text.
struct TreeTexts {
  const Dataset* data;
  const TreeColumn* column;
};

nb::object tree_text(const TreeTexts& trees, std::size_t index) {
  if (index >= trees.column->trees.size()) throw nb::index_error("no such example");
  const TreeId tree = trees.column->trees[index];
  if (tree == none) return nb::none();
  const Forest& forest = trees.data->forests()[trees.column->forest].value;
  std::string text;
  append_brackets(text, forest.tree(tree), BracketStyle::compact);
  return to_python(text);
}

/// The column of that name ("member/name" for pairs); without a name, the only one there is.
template <class Column>
const Column& column_named(std::span<const Column> columns, const Name& name, const char* kind) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(to_string(column.slot));
  const std::string wanted = name ? to_bytes(*name) : "";
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name ? names[i] == wanted : names.size() == 1) return columns[i];
    list += (i == 0 ? "" : ", ") + names[i];
  }
  const std::string what = kind;
  if (names.empty()) throw Error("the examples have no " + what + "s");
  if (!name) throw Error("the examples have several " + what + "s: name one of " + list);
  throw Error("the examples have no " + what + " named " + in_quotes(wanted) + ": they have " +
              list);
}

template <class Column>
nb::list slot_names(std::span<const Column> columns) {
  nb::list out;
  for (const Column& column : columns) out.append(to_python(to_string(column.slot)));
  return out;
}

nb::object label_object(const Dataset& data, const LabelEntry& entry, bool regression) {
  const std::string_view name = data.label_names().text(entry.name);
  if (entry.value && !name.empty()) return nb::make_tuple(to_python(name), *entry.value);
  if (entry.value || regression) return nb::float_(*number_of(data, entry));
  return to_python(name);
}

nb::list labels(const Dataset& data) {
  const bool regression = count_labels(data).regression();
  nb::list out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto entries = data.labels(i);
    if (entries.empty()) {
      out.append(nb::none());
    } else if (entries.size() == 1) {
      out.append(label_object(data, entries[0], regression));
    } else {
      nb::list several;
      for (const LabelEntry& entry : entries) several.append(label_object(data, entry, regression));
      out.append(several);
    }
  }
  return out;
}

/// In order of first appearance; none if the labels are numbers to be predicted.
nb::list class_names(const Dataset& data) {
  nb::list out;
  if (count_labels(data).regression()) return out;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const LabelEntry& entry : data.labels(i)) {
      if (entry.value && !data.label_names().text(entry.name).empty()) continue;  // "score:3"
      const std::string name = class_of(data, entry);
      if (seen.insert(name).second) out.append(to_python(name));
    }
  }
  return out;
}

nb::list texts(const Dataset& data, const Name& name) {
  nb::list out;
  for (const auto& text : column_named(data.texts(), name, "text").texts) {
    out.append(text ? nb::object(to_python(*text)) : nb::none());
  }
  return out;
}

/// The members of a pair share a forest, so it may be named without a member.
const Forest& forest(const Dataset& data, const Name& name) {
  const auto forests = data.forests();
  if (!name && forests.size() == 1) return forests[0].value;
  for (const auto& [known, value] : forests) {
    if (name && to_bytes(*name) == known) return value;
  }
  return forests[column_named(data.trees(), name, "tree").forest].value;
}

using Indices = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::uint32_t> checked(const Dataset& data, const Indices& indices) {
  const std::span<const std::uint32_t> out(indices.data(), indices.shape(0));
  for (const std::uint32_t i : out) {
    if (i >= data.size()) throw nb::index_error("no such example");
  }
  return out;
}

Dataset view(const Dataset& data, const Indices& indices) {
  return data.view(checked(data, indices));
}

Dataset select(const Dataset& data, const Indices& indices) {
  return data.select(checked(data, indices));
}

Dataset with_classes(const Dataset& data, const std::vector<std::string>& classes) {
  std::vector<std::vector<Label>> labels;
  for (const std::string& name : classes) labels.push_back({{name, {}}});
  return data.relabelled(labels);
}

Dataset with_class_lists(const Dataset& data,
                         const std::vector<std::vector<std::string>>& classes) {
  std::vector<std::vector<Label>> labels;
  for (const std::vector<std::string>& names : classes) {
    auto& list = labels.emplace_back();
    for (const std::string& name : names) list.push_back({name, {}});
  }
  return data.relabelled(labels);
}

Dataset with_numbers(const Dataset& data, const std::vector<double>& numbers) {
  std::vector<std::vector<Label>> labels;
  for (const double number : numbers) labels.push_back({{"", number}});
  return data.relabelled(labels);
}

nb::object info(const Dataset& data) {
  Summary summary;
  {
    const nb::gil_scoped_release others_may_run;
    summary = summarize(data);
  }
  return to_object(summary);
}

}  // namespace

void add_dataset(nb::module_& module) {
  nb::class_<TreeTexts>(module, "TreeTexts")
      .def("__len__", [](const TreeTexts& trees) { return trees.column->trees.size(); })
      .def("__getitem__", tree_text, nb::arg("index"));

  nb::class_<Dataset>(module, "Dataset")
      .def("__len__", &Dataset::size)
      .def("labels", labels)
      .def("class_names", class_names)
      .def("tree_names", [](const Dataset& data) { return slot_names(data.trees()); })
      .def("vector_names", [](const Dataset& data) { return slot_names(data.vectors()); })
      .def("text_names", [](const Dataset& data) { return slot_names(data.texts()); })
      .def(
          "trees",
          [](const Dataset& data, const Name& name) {
            return TreeTexts{&data, &column_named(data.trees(), name, "tree")};
          },
          nb::arg("name").none(), nb::keep_alive<0, 1>())
      .def("texts", texts, nb::arg("name").none())
      .def("forest", forest, nb::arg("name").none(), nb::rv_policy::reference_internal)
      .def("view", view, nb::arg("examples"))
      .def("select", select, nb::arg("examples"))
      .def("to_bytes",
           [](const Dataset& data) {
             const std::string bytes = data.save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("with_classes", with_classes, nb::arg("classes"))
      .def("with_class_lists", with_class_lists, nb::arg("classes"))
      .def("with_numbers", with_numbers, nb::arg("numbers"))
      .def("label_warning", [](const Dataset& data) { return count_labels(data).warning(); })
      .def("info", info);
  module.def(
      "dataset_from_bytes",
      [](const nb::bytes& content) {
        return Dataset::load({content.c_str(), content.size()});
      },
      nb::arg("content"));
}

}  // namespace espalier::python
