// Data sets from columns of Arrow arrays, and the trees of a data set as Arrow strings.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <utility>

#include "arrow_columns.hpp"
#include "bindings.hpp"
#include "element_error.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/io/brackets.hpp"
#include "parameters.hpp"
#include "text_reader.hpp"
#include "to_array.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

template <class T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The lists of a column: where each begins, one more than rows; and whether it is there.
struct ListColumn {
  Numbers<std::int64_t> begins;
  Numbers<bool> present;

  bool has(std::size_t row) const { return present.data()[row]; }
  std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(begins.data()[row]); }
};

/// What one column adds to each example.
class Column {
 public:
  Column() = default;
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  virtual ~Column() = default;
  virtual void add_to(Example& example, std::size_t row) = 0;
};

class TreeStrings final : public Column {
 public:
  TreeStrings(const nb::object& data, const std::string& name, const ReadOptions& options,
              bool required)
      : strings_(nb::cast<nb::tuple>(data)),
        reader_(options, name),
        place_(name),
        required_(required) {}

  void add_to(Example& example, std::size_t row) override {
    Example read;
    if (const auto text = strings_[row]) reader_.read(*text, place_, read);
    if (required_ && (read.trees.empty() || read.trees[0].value.size() == 0)) {
      throw Error(place_ + ": there is no tree");
    }
    for (auto& tree : read.trees) example.trees.push_back(std::move(tree));
    for (auto& text : read.texts) example.texts.push_back(std::move(text));
  }

 private:
  ArrowStrings strings_;
  TextReader reader_;
  std::string place_;
  bool required_;
};

class TextStrings final : public Column {
 public:
  TextStrings(const nb::object& data, std::string name)
      : strings_(nb::cast<nb::tuple>(data)), name_(std::move(name)) {}

  void add_to(Example& example, std::size_t row) override {
    if (const auto text = strings_[row]) example.texts.push_back({name_, std::string(*text)});
  }

 private:
  ArrowStrings strings_;
  std::string name_;
};

/// Classes: lists of strings.
class Classes final : public Column {
 public:
  explicit Classes(const nb::object& data)
      : lists_{nb::cast<Numbers<std::int64_t>>(data[0]), nb::cast<Numbers<bool>>(data[1])},
        names_(nb::cast<nb::tuple>(data[2])) {}

  void add_to(Example& example, std::size_t row) override {
    if (!lists_.has(row)) return;
    for (std::size_t at = lists_.begin(row); at < lists_.begin(row + 1); ++at) {
      if (const auto name = names_[at]) example.labels.push_back({std::string(*name), {}});
    }
  }

 private:
  ListColumn lists_;
  ArrowStrings names_;
};

/// ListColumn of numbers: vectors, with the names of their features if they are sparse; or numbers
/// to predict.
class NumberLists final : public Column {
 public:
  NumberLists(const nb::object& data, std::string name, bool labels)
      : lists_{nb::cast<Numbers<std::int64_t>>(data[0]), nb::cast<Numbers<bool>>(data[1])},
        values_(nb::cast<Numbers<double>>(data[2])),
        name_(std::move(name)),
        labels_(labels) {
    if (nb::len(data) > 3) features_.emplace(nb::cast<nb::tuple>(data[3]));
  }

  void add_to(Example& example, std::size_t row) override {
    if (!lists_.has(row)) return;
    const std::size_t begin = lists_.begin(row), end = lists_.begin(row + 1);
    const double* const values = values_.data();
    if (labels_) {
      for (std::size_t at = begin; at < end; ++at) example.labels.push_back({"", values[at]});
      return;
    }
    FeatureVector vector{!features_, {}, {values + begin, values + end}};
    for (std::size_t at = begin; features_ && at < end; ++at) {
      vector.features.emplace_back((*features_)[at].value_or(""));
    }
    example.vectors.push_back({name_, std::move(vector)});
  }

 private:
  ListColumn lists_;
  Numbers<double> values_;
  std::optional<ArrowStrings> features_;
  std::string name_;
  bool labels_;
};

/// A column and the member of the pair that it describes: 0 and 1, or -1 for the example itself.
struct Placed {
  int member;
  std::unique_ptr<Column> column;
};

/// `what` is (kind, name, member, data).
Placed placed(const nb::handle& what, const ReadOptions& options, bool required) {
  const auto kind = nb::cast<std::string>(what[0]);
  const std::string name = to_bytes(nb::cast<nb::str>(what[1]));
  const int member = nb::cast<int>(what[2]);
  const nb::object data = what[3];
  if (kind == "tree") return {member, std::make_unique<TreeStrings>(data, name, options, required)};
  if (kind == "text") return {member, std::make_unique<TextStrings>(data, name)};
  if (kind == "class") return {member, std::make_unique<Classes>(data)};
  return {member, std::make_unique<NumberLists>(data, name, kind == "number")};
}

Example example_of(std::span<const Placed> columns, std::size_t row) {
  Example out;
  for (const auto& [member, column] : columns) {
    if (member >= 0) out.members.resize(2);
    column->add_to(member < 0 ? out : out.members[static_cast<std::size_t>(member)], row);
  }
  return out;
}

/// The examples of all parts, each of which is (rows, columns); the errors, as (row, message), if
/// they are asked for: then their examples are empty, and missing trees are errors, too; and what
/// there is to warn of.
nb::tuple from_columns(const nb::iterable& parts, const nb::dict& values, bool collect_errors) {
  ReadOptions options = read_options_from(values);
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  std::vector<std::pair<std::size_t, std::string>> errors;
  Dataset data;
  Signals signals;
  for (const nb::handle part : parts) {
    std::vector<Placed> columns;
    for (const nb::handle column : nb::cast<nb::list>(part[1])) {
      columns.push_back(placed(column, options, collect_errors));
    }
    const auto rows = nb::cast<std::size_t>(part[0]);
    const nb::gil_scoped_release others_may_run;
    for (std::size_t row = 0; row < rows; ++row) {
      signals.check();
      const std::size_t index = data.size();
      try {
        data.add(example_of(columns, row));
      } catch (const Error& error) {
        if (!collect_errors) {
          throw ElementError(index, "row " + std::to_string(index) + ", " + error.what());
        }
        errors.emplace_back(index, error.what());
        data.add({});
      }
    }
  }
  nb::list wrong, messages;
  for (const auto& [row, message] : errors) {
    wrong.append(nb::make_tuple(row, to_python(message, "replace")));
  }
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), wrong, messages);
}

/// The trees of one column in brackets: bytes, where each begins, and whether it is there.
nb::tuple tree_strings(const Dataset& data, std::size_t index) {
  const TreeColumn& column = data.trees()[index];
  const Forest& forest = data.forests()[column.forest].value;
  std::string text;
  std::vector<std::int64_t> begins = {0};
  std::vector<std::uint8_t> present;
  for (const TreeId tree : column.trees) {
    present.push_back(tree == none ? 0 : 1);
    if (tree != none) append_brackets(text, forest.tree(tree), BracketStyle::compact);
    begins.push_back(static_cast<std::int64_t>(text.size()));
  }
  return nb::make_tuple(nb::bytes(text.data(), text.size()),
                        to_array(std::span<const std::int64_t>(begins)),
                        to_array(std::span<const std::uint8_t>(present)));
}

/// The vectors of one column: values, where each begins, whether it is there, and the name of the
/// feature of each value, or None if they are dense.
nb::tuple vector_values(const Dataset& data, std::size_t index) {
  const VectorColumn& column = data.vectors()[index];
  nb::object names = nb::none();
  if (!column.dense) {
    nb::list list;
    for (const LabelId feature : column.features) {
      list.append(to_python(column.feature_names.text(feature)));
    }
    names = list;
  }
  const std::vector<std::int64_t> begins(column.begin.begin(), column.begin.end());
  return nb::make_tuple(to_array(std::span<const double>(column.values)),
                        to_array(std::span<const std::int64_t>(begins)),
                        to_array(std::span<const std::uint8_t>(column.present)), names);
}

}  // namespace

void add_arrow(nb::module_& module) {
  module.def("from_columns", from_columns, nb::arg("parts"), nb::arg("options"),
             nb::arg("collect_errors"));
  module.def("tree_strings", tree_strings, nb::arg("data"), nb::arg("column"));
  module.def("vector_values", vector_values, nb::arg("data"), nb::arg("column"));
}

}  // namespace espalier::python
