#include "espalier/model/targets.hpp"

#include <algorithm>
#include <map>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

namespace {

[[noreturn]] void fail(std::size_t example, const std::string& message) {
  throw Error("example " + std::to_string(example + 1) + " " + message);
}

template <class Holds>
bool all_labels(const Dataset& data, Holds&& holds) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!std::ranges::all_of(data.labels(i), holds)) return false;
  }
  return true;
}

Task guess(const Dataset& data) {
  if (!all_labels(data, [](const LabelEntry& label) { return label.value.has_value(); })) {
    return Task::classification;
  }
  const auto two = [&](double a, double b) {
    return all_labels(
        data, [&](const LabelEntry& label) { return *label.value == a || *label.value == b; });
  };
  return two(-1, 1) || two(0, 1) ? Task::classification : Task::regression;
}

/// The name of a class: the name of the label, or its number as text.
std::string class_name(const Dataset& data, const LabelEntry& label) {
  std::string name(data.label_names().text(label.name));
  return name.empty() && label.value ? print_number(*label.value) : name;
}

using ClassNumbers = std::map<std::string, std::uint32_t>;

/// Numbers of all classes; appends new ones to the known names.
ClassNumbers number_classes(const Dataset& data, std::vector<std::string>& names) {
  ClassNumbers out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const LabelEntry& label : data.labels(i)) out.emplace(class_name(data, label), 0);
  }
  for (const std::string& name : names) out.erase(name);
  for (const auto& added : out) names.push_back(added.first);
  for (std::uint32_t c = 0; c < names.size(); ++c) out[names[c]] = c;
  return out;
}

void read_classes(const Dataset& data, bool multi_label, Targets& out) {
  const ClassNumbers numbers = number_classes(data, out.names);
  std::vector<std::vector<std::uint32_t>> lists(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const LabelEntry& label : data.labels(i)) {
      const std::uint32_t number = numbers.at(class_name(data, label));
      if (std::ranges::find(lists[i], number) == lists[i].end()) lists[i].push_back(number);
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
    if (labels.size() != 1 || !labels[0].value) fail(i, "needs one number as its label");
    out.numbers.push_back(*labels[0].value);
  }
}

}  // namespace

Targets make_targets(const Dataset& data, std::optional<Task> task, std::vector<std::string> known,
                     bool multi_label) {
  Targets out;
  out.names = std::move(known);
  out.task = task.value_or(guess(data));
  if (out.task == Task::classification) read_classes(data, multi_label, out);
  if (out.task == Task::regression) read_numbers(data, out);
  return out;
}

Targets Targets::select(std::span<const std::uint32_t> examples) const {
  Targets out{task, names, ClassLists(names.size())};
  if (task == Task::classification) out.classes = classes.select(examples);
  if (task == Task::regression) {
    for (const std::uint32_t i : examples) out.numbers.push_back(numbers[i]);
  }
  return out;
}

}  // namespace espalier
