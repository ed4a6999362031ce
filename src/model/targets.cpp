#include "espalier/model/targets.hpp"

#include <map>
#include <unordered_set>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/base/parameter.hpp"
#include "espalier/data/labels.hpp"

namespace espalier {

namespace {

[[noreturn]] void fail(std::size_t example, const std::string& message) {
  throw Error("example " + std::to_string(example + 1) + " " + message);
}

Task task_of(const Dataset& data) {
  return count_labels(data).regression() ? Task::regression : Task::classification;
}

using ClassNumbers = std::map<std::string, std::uint32_t>;

/// Numbers of all classes; appends new ones to the known names.
ClassNumbers number_classes(const Dataset& data, std::vector<std::string>& names) {
  ClassNumbers out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const LabelEntry& label : data.labels(i)) out.emplace(class_of(data, label), 0);
  }
  for (const std::string& name : names) out.erase(name);
  for (const auto& added : out) names.push_back(added.first);
  for (std::uint32_t c = 0; c < names.size(); ++c) out[names[c]] = c;
  return out;
}

void read_classes(const Dataset& data, bool multi_label, Targets& out) {
  const ClassNumbers numbers = number_classes(data, out.names);
  std::vector<std::vector<std::uint32_t>> lists(data.size());
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t i = 0; i < data.size(); ++i) {
    seen.clear();
    for (const LabelEntry& label : data.labels(i)) {
      const std::uint32_t number = numbers.at(class_of(data, label));
      if (seen.insert(number).second) lists[i].push_back(number);
    }
    multi_label |= lists[i].size() > 1;
  }
  out.classes = ClassLists(out.names.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (lists[i].empty() && !multi_label) fail(i, "has no label");
    out.classes.add(lists[i]);
  }
}

void read_numbers(const Dataset& data, Targets& out) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto labels = data.labels(i);
    const auto number = labels.size() == 1 ? number_of(data, labels[0]) : std::nullopt;
    if (!number) fail(i, "needs one number as its label");
    out.numbers.push_back(*number);
  }
}

}  // namespace

Targets make_targets(const Dataset& data, std::optional<Task> task, std::vector<std::string> known,
                     bool multi_label) {
  Targets out;
  out.names = std::move(known);
  out.task = task ? *task : task_of(data);
  if (out.task == Task::classification) read_classes(data, multi_label, out);
  if (out.task == Task::regression) read_numbers(data, out);
  return out;
}

std::string to_string(const Targets& targets) {
  std::string out = name_of(targets.task);
  if (targets.task == Task::classification) {
    out += ", " + counted(targets.names.size(), "class", "es");
  }
  return out;
}

Targets Targets::select(std::span<const std::uint32_t> examples) const {
  Targets out{task, names, ClassLists(names.size())};
  if (task == Task::classification) out.classes = classes.select(examples);
  if (task == Task::regression) {
    for (const std::uint32_t i : examples) out.numbers.push_back(numbers[i]);
  }
  if (!weights.empty()) {
    for (const std::uint32_t i : examples) out.weights.push_back(weights[i]);
  }
  return out;
}

}  // namespace espalier
