#include "espalier/io/pairs.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "element_error.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/word_vectors.hpp"
#include "espalier/represent/lexical_tree.hpp"
#include "espalier/represent/pair_features.hpp"
#include "espalier/represent/prune.hpp"
#include "espalier/represent/shallow_tree.hpp"
#include "parameters.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// A data set, and what there is to warn of.
nb::tuple with_messages(Dataset data, const std::vector<std::string>& warnings) {
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

nb::tuple read_pairs(const nb::bytes& a, const nb::bytes& b, const std::optional<nb::bytes>& labels,
                     const nb::dict& values) {
  PairOptions options;
  Parameters parameters(options);
  const std::vector<std::string> others = set_parameters(parameters, values);
  nb::dict rest;
  for (const std::string& name : others) rest[name.c_str()] = values[name.c_str()];
  ReadOptions read = read_options_from(rest);
  std::vector<std::string> warnings;
  read.warn = [&](const std::string& message) { warnings.push_back(message); };
  Dataset data;
  {
    const std::string file_a = path_of(a), file_b = path_of(b);
    const std::string file_labels = labels ? path_of(*labels) : "";
    const nb::gil_scoped_release others_may_run;
    const auto reader = open_pairs(file_a, file_b, file_labels, read, options);
    data.set_reading(reading_settings(read));
    Signals signals;
    for (Example example; reader->next(example);) {
      signals.check();
      try {
        data.add(example);
      } catch (const Error& error) {
        throw InputError(reader->location(), error.what());
      }
    }
  }
  return with_messages(std::move(data), warnings);
}

/// The words of all trees of both.
LabelTable vector_keys(const Dataset& a, const Dataset& b) {
  LabelTable out;
  for (const Dataset* data : {&a, &b}) {
    for (std::size_t i = 0; i < data->size(); ++i) {
      for (const auto& [name, tree] : data->example(i).trees) {
        for (const TreeWord& each : words_of(tree)) out.intern(vector_key(each.word));
      }
    }
  }
  return out;
}

/// The two data sets with the trees of the same name and example marked.
std::pair<Dataset, Dataset> mark_datasets(const Dataset& a, const Dataset& b,
                                          const nb::dict& values) {
  const auto options = options_from<PairOptions>(values);
  std::shared_ptr<const WordVectors> vectors;
  if (!options.vectors.empty()) {
    vectors = std::make_shared<WordVectors>(read_word_vectors(options.vectors, vector_keys(a, b)));
  }
  const WordMatch match = word_match(options.related, vectors);
  std::pair<Dataset, Dataset> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Example left = a.example(i), right = b.example(i);
    mark_pair(left, right, match, options.marks);
    out.first.add(left);
    out.second.add(right);
  }
  return out;
}

/// Another form of all trees.
Dataset reshape(const Dataset& data, Tree (*form)(const Tree&)) {
  Dataset out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    Example example = data.example(i);
    for (auto& [name, tree] : example.trees) tree = form(tree);
    out.add(example);
  }
  return out;
}

Dataset shallow(const Dataset& data) { return reshape(data, shallow_tree); }
Dataset lexical(const Dataset& data) { return reshape(data, lexical_tree); }

Dataset prune_dataset(const Dataset& data, const nb::dict& values) {
  const auto options = options_from<PruneOptions>(values);
  Dataset out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    Example example = data.example(i);
    try {
      for (auto& [name, tree] : example.trees) tree = prune(tree, options);
    } catch (const Error& error) {
      throw ElementError(i, error.what());
    }
    out.add(example);
  }
  return out;
}

FeatureVector vector_from(const std::string& name, nb::handle row) {
  FeatureVector out;
  out.dense = !nb::isinstance<nb::dict>(row);
  const auto number = [&](nb::handle value) {
    const double found = PyFloat_AsDouble(value.ptr());
    if (found == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw Error("vector " + in_quotes(name) + " holds " + to_bytes(nb::str(nb::repr(value))) +
                  ", which is not a number");
    }
    out.values.push_back(found);
  };
  if (out.dense) {
    for (const nb::handle value : row) number(value);
  } else {
    for (const auto& [feature, value] : nb::borrow<nb::dict>(row)) {
      out.features.push_back(to_bytes(nb::str(feature)));
      number(value);
    }
  }
  return out;
}

/// Examples with the trees, vectors and texts of that number in each list, and its pair of members.
/// All lists have as many elements.
Dataset combine(std::size_t size, const std::vector<const Dataset*>& trees, const nb::dict& vectors,
                const nb::dict& texts, const std::vector<const Dataset*>& members) {
  Dataset out;
  for (std::size_t i = 0; i < size; ++i) {
    try {
      Example example;
      for (const Dataset* from : trees) {
        for (auto& tree : from->example(i).trees) example.trees.push_back(std::move(tree));
      }
      for (const auto& [key, rows] : vectors) {
        const std::string name = to_bytes(nb::borrow<nb::str>(key));
        const nb::object row = rows[i];
        if (!row.is_none()) example.vectors.push_back({name, vector_from(name, row)});
      }
      for (const auto& [key, values] : texts) {
        const nb::object text = values[i];
        if (text.is_none()) continue;
        example.texts.push_back({to_bytes(nb::borrow<nb::str>(key)), to_bytes(nb::str(text))});
      }
      for (const Dataset* from : members) {
        example.members.push_back(from->example(i));
        example.members.back().labels.clear();
      }
      out.add(example);
    } catch (const Error& error) {
      throw ElementError(i, error.what());
    }
  }
  return out;
}

}  // namespace

void add_pairs(nb::module_& module) {
  module.def("read_pairs", read_pairs, nb::arg("a"), nb::arg("b"), nb::arg("labels").none(),
             nb::arg("options"));
  module.def("mark_related", mark_datasets, nb::arg("a"), nb::arg("b"), nb::arg("options"));
  module.def("shallow", shallow, nb::arg("data"));
  module.def("lexical", lexical, nb::arg("data"));
  module.def("prune", prune_dataset, nb::arg("data"), nb::arg("options"));
  module.def("combine", combine, nb::arg("size"), nb::arg("trees"), nb::arg("vectors"),
             nb::arg("texts"), nb::arg("members"));
}

}  // namespace espalier::python
