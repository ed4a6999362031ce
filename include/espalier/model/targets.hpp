#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/data/dataset.hpp"

namespace espalier {

/// What is learned.
enum class Task {
  classification,  ///< the class, or classes, of an example
  regression,      ///< a number for each example
  one_class,       ///< novelty detection: is an example like the training examples? needs no labels
};

/// "classification", "regression" or "one-class".
const char* task_name(Task task);

/// What the labels of a data set say.
struct Targets {
  Task task = Task::classification;
  std::vector<std::string> names;    ///< of the classes
  ClassLists classes{0};             ///< per example, for Task::classification
  std::vector<double> numbers = {};  ///< per example, for Task::regression

  bool multi_label() const { return task == Task::classification && !classes.single(); }

  /// Those of some of the examples; classes keep their numbers.
  Targets select(std::span<const std::uint32_t> examples) const;
};

/// Reads the labels. Without a task: names are classes; numbers are numbers to predict, unless all
/// of them are -1 or 1, or all 0 or 1, which are two classes. `known` are classes that have numbers
/// already; those that come new are numbered by name, so that the order of examples says nothing.
/// Throws Error if an example has no label, except where some have several, or where `multi_label`
/// says that they might have.
Targets make_targets(const Dataset& data, std::optional<Task> task = {},
                     std::vector<std::string> known = {}, bool multi_label = false);

}  // namespace espalier
