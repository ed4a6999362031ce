#pragma once

#include <CLI/CLI.hpp>

#include "espalier/model/train.hpp"
#include "espalier/model/validation.hpp"
#include "landmarks.hpp"

namespace espalier::cli {

/// The options of every command that trains.
struct LearningOptions {
  TrainOptions train;
  LandmarkOptions landmarks;
  std::size_t epochs = 0;  ///< 0: as the learner does without being told
  std::string hidden;
  std::string class_weight = "none";

  /// `cost`: whether there is one C; a tuning has several.
  void add_to(CLI::App& command, bool cost = true);
  /// With everything read that is more than a number. Throws Error, also if an option was given
  /// that the learner has no use for.
  TrainOptions options() const;
  /// For continuing a model, whose first training settled most of them.
  TrainOptions continue_options() const;

 private:
  void add_network_options(CLI::App& command);
  TrainOptions complete() const;

  const CLI::App* command_ = nullptr;
};

/// The options of every command that splits the data.
struct SplitOptions {
  ValidationOptions validation;
  std::size_t random = 0;
  bool leave_one_out = false;

  void add_to(CLI::App& command);
  ValidationOptions options() const;
};

/// An evaluation as text: the figures, a line for each class, and who is taken for whom.
std::string evaluation_text(const Evaluation& evaluation);

}  // namespace espalier::cli
