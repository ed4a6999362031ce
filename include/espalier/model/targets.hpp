#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/data/dataset.hpp"

namespace espalier {

/// The learning task.
enum class Task {
  classification,  ///< the class, or classes, of an example
  regression,      ///< a number for each example
  one_class,       ///< novelty detection: is an example like the training examples? needs no labels
};
constexpr std::array<const char*, 3> names_of(Task) {
  return {"classification", "regression", "one-class"};
}

/// The labels of a data set, interpreted for a task.
struct Targets {
  Task task = Task::classification;
  std::vector<std::string> names;    ///< of the classes
  ClassLists classes{0};             ///< per example, for Task::classification
  std::vector<double> numbers = {};  ///< per example, for Task::regression
  std::vector<double> weights = {};  ///< per example, see TrainOptions::sample_weight; or empty

  bool multi_label() const { return task == Task::classification && !classes.single(); }

  /// The targets of some examples; classes keep their numbers.
  Targets select(std::span<const std::uint32_t> examples) const;
};

/// "classification, 6 classes", "regression" or "one-class".
std::string to_string(const Targets& targets);

/// Interprets the labels. By default all of them decide the task: see LabelKinds. `known` are
/// classes with known numbers; new ones are numbered by name, so that the order of examples does
/// not matter. Throws Error if an example has no label, unless some have several or `multi_label`
/// is set.
Targets make_targets(const Dataset& data, std::optional<Task> task = {},
                     std::vector<std::string> known = {}, bool multi_label = false);

}  // namespace espalier
