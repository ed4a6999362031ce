#include "prediction_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/data/labels.hpp"
#include "espalier/io/source.hpp"
#include "espalier/model/targets.hpp"

namespace espalier::cli {

namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// Which columns hold what.
struct Columns {
  bool ids = false;
  std::size_t label = 0;
  std::size_t classes = 0;  ///< how many scores follow the label
  std::size_t all = 0;

  explicit Columns(const std::vector<std::string>& head, const std::string& path)
      : ids(head[0] == "id" && head.size() > 1), label(ids ? 1 : 0), all(head.size()) {
    if (head[label] != "label" && head[label] != "number") {
      throw Error(path + " is no file of predictions: `espalier predict` writes one");
    }
    if (head[label] == "number") return;
    // Probabilities p(CLASS) and what could not be read follow the scores.
    std::size_t end = head.size();
    if (end > label + 1 && head[end - 1] == "error") --end;
    const std::size_t rest = end - label - 1;
    const bool probabilities =
        rest > 0 && rest % 2 == 0 && head[label + 1 + rest / 2] == "p(" + head[label + 1] + ")";
    classes = probabilities ? rest / 2 : rest;
    if (classes == 1 && head[label + 1] == "score") {
      throw Error(path + " has the predictions of a one-class model: it has no labels to compare");
    }
  }
};

/// The classes of a label: one, or several with blanks between them.
std::vector<std::uint32_t> classes_of(const std::string& label,
                                      std::span<const std::string> names) {
  if (std::ranges::find(names, label) != names.end()) return {class_named(label, names)};
  std::vector<std::uint32_t> out;
  if (label.empty()) return out;
  for (const std::string& part : split(label, ' ')) out.push_back(class_named(part, names));
  return out;
}

void check_ids(const PredictionFile& predictions, const Dataset& truth) {
  const TextColumn* const ids = ids_of(truth);
  if (predictions.ids.empty() || ids == nullptr) return;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::string expected = ids->texts[i].value_or("");
    if (predictions.ids[i] == expected) continue;
    throw Error(fmt::format(
        "row {} of {} is for {}, but example {} of the data is {}: sort them in "
        "the same way",
        i + 1, predictions.path, in_quotes(predictions.ids[i]), i + 1, in_quotes(expected)));
  }
}

}  // namespace

PredictionFile::PredictionFile(const std::string& file) : path(file) {
  Source source(file);
  Text line;
  if (!source.next_line(line)) throw Error(file + " is empty: `espalier predict` writes a header");
  const std::vector<std::string> head = split(line.bytes(), '\t');
  const Columns columns(head, file);
  regression = head[columns.label] == "number";
  const auto first = head.begin() + static_cast<std::ptrdiff_t>(columns.label + 1);
  classes.assign(first, first + static_cast<std::ptrdiff_t>(columns.classes));
  while (source.next_line(line)) {
    const std::vector<std::string> cells = split(line.bytes(), '\t');
    if (cells.size() != columns.all) {
      line.fail(0,
                fmt::format("the row has {} cells, but the header {}", cells.size(), columns.all));
    }
    if (columns.ids) ids.push_back(cells[0]);
    labels.push_back(cells[columns.label]);
    auto& row = scores.emplace_back();
    for (std::size_t c = 0; c < columns.classes; ++c) {
      const auto number = parse_number(cells[columns.label + 1 + c]);
      if (!number) line.fail(0, "there is no prediction for this example");
      row.push_back(*number);
    }
  }
}

Outcomes outcomes_of(const PredictionFile& predictions, const Dataset& truth) {
  if (predictions.labels.size() != truth.size()) {
    throw Error(fmt::format("{} has {}, but there are {}", predictions.path,
                            counted(predictions.labels.size(), "prediction"),
                            counted(truth.size(), "example")));
  }
  check_ids(predictions, truth);
  const Targets targets = make_targets(
      truth, predictions.regression ? Task::regression : Task::classification, predictions.classes);
  Outcomes out{targets.names, targets.classes, ClassLists(targets.names.size())};
  out.positive = usual_positive_class(out.classes);
  out.true_numbers = targets.numbers;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (predictions.regression) {
      const auto number = parse_number(predictions.labels[i]);
      if (!number) throw Error(fmt::format("row {} of {} has no number", i + 1, predictions.path));
      out.numbers.push_back(*number);
    } else {
      out.predicted.add(classes_of(predictions.labels[i], out.classes));
    }
  }
  if (!predictions.regression) out.scores = predictions.scores;
  return out;
}

}  // namespace espalier::cli
