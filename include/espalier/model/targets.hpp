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
  classes,   ///< which class, or which classes, an example has
  numbers,   ///< a number for each example
  outliers,  ///< whether an example is like those seen before; needs no labels
};

/// What the labels of a data set say.
struct Targets {
  Task task = Task::classes;
  std::vector<std::string> names;    ///< of the classes
  ClassLists classes{0};             ///< per example, for Task::classes
  std::vector<double> numbers = {};  ///< per example, for Task::numbers

  bool several() const { return task == Task::classes && !classes.single(); }

  /// Those of some of the examples; classes keep their numbers.
  Targets select(std::span<const std::uint32_t> examples) const;
};

/// Reads the labels. Without a task: names are classes; numbers are numbers to predict, unless all
/// of them are -1 or 1, or all 0 or 1, which are two classes. `known` are classes that have numbers
/// already; those that come new are numbered by name, so that the order of examples says nothing.
/// Throws Error if an example has no label, except where some have several, or where `several` says
/// that they might have.
Targets make_targets(const Dataset& data, std::optional<Task> task = {},
                     std::vector<std::string> known = {}, bool several = false);

}  // namespace espalier
