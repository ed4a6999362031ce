#pragma once

#include <CLI/CLI.hpp>

#include "espalier/model/train.hpp"
#include "espalier/model/validation.hpp"
#include "parameters.hpp"
#include "work.hpp"

namespace espalier::cli {

/// The parameters of every command that trains.
class LearningOptions {
 public:
  /// `except`: parameters that the command has in another form.
  void add_to(CLI::App& command, std::initializer_list<std::string_view> except = {});
  /// Throws Error if a parameter was given that the learner does not use.
  TrainOptions options() const;
  const char* learner() const { return name_of(train_.learner); }
  /// For continuing a model, whose first training settled most of them. Throws Error if one of
  /// those was given.
  TrainOptions continue_options() const;

 private:
  TrainOptions train_;
  ParameterFlags flags_;
};

/// Warns of labels that mix names and numbers, unless the task was given.
void warn_of_labels(const Dataset& data, const TrainOptions& options);

/// Warns if an svm will be trained without the Gram matrix where `linear` would be cheaper.
void warn_of_solver(const FittedKernel& kernel, std::size_t examples, const TrainOptions& options,
                    const Context& context);

/// Tells on stderr what was learned, "classification, 6 classes", unless asked to be quiet.
void tell_task(const Dataset& data, const TrainOptions& options, const WorkOptions& work);

/// The parameters of every command that splits the data.
class SplitOptions {
 public:
  explicit SplitOptions(const ValidationOptions& defaults = {}) : validation_(defaults) {}
  void add_to(CLI::App& command);
  /// With the seed of `training`, which gets the groups: its validation set has them too. Throws
  /// Error if a parameter was given that the kind of split does not use.
  ValidationOptions options(TrainOptions& training) const;
  /// The names of those that were given.
  std::vector<std::string> given() const { return flags_.given(); }

 private:
  ValidationOptions validation_;
  ParameterFlags flags_;
};

/// "5,340 distinct subtrees with 12,345 weights", or the fragments of a model that has these.
std::string model_size(const Model& model);

/// Tells on stderr how many groups there are, and how many duplicates, unless asked to be quiet.
void tell_groups(const Dataset& data, const GroupOptions& options, const WorkOptions& work);

/// Warns if a metric was not defined on some of the splits.
void warn_of_undefined(const Metric& metric, std::size_t splits, const Spread& spread);

/// An evaluation as text: the metrics, a line for each class, and the confusion matrix.
std::string evaluation_text(const Evaluation& evaluation);

}  // namespace espalier::cli
