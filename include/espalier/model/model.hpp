#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/gram/kernel_functions.hpp"
#include "espalier/learn/classifier.hpp"
#include "espalier/learn/online.hpp"
#include "espalier/learn/platt.hpp"
#include "espalier/model/landmark_scores.hpp"
#include "espalier/model/targets.hpp"

namespace espalier {

/// How a model came about, for people to read.
struct Training {
  std::string learner;
  std::uint64_t examples = 0;         ///< that it has seen
  std::uint64_t support_vectors = 0;  ///< that have a say; 0 where that is not kept
  std::uint64_t iterations = 0;       ///< of the solver, or updates of an online learner
  bool converged = true;

  void fields(auto&& field) const {
    field("learner", learner);
    field("examples", examples);
    field("support_vectors", support_vectors);
    field("iterations", iterations);
    field("converged", converged);
  }
};

/// What an online learner needs to go on learning.
struct OnlineState {
  OnlineOptions options;
  double epsilon = 0.1;      ///< errors up to this are none; for numbers
  std::uint64_t budget = 0;  ///< most examples that have a say; 0: no limit
  /// With a budget: the examples that have a say, so that one of them can be given up.
  Dataset support_vectors;
  std::vector<std::vector<double>> coefficients;  ///< per example of support, one for each output
  std::vector<double> lengths;                    ///< per example: sqrt(K(x,x))
};

/// A trained model: functions of the kernel, and how their values become a decision.
/// Self-contained; the training data are not kept. Const uses may come from many threads.
struct Model {
  explicit Model(Kernel kernel) : functions(std::move(kernel)) {}

  KernelFunctions functions;  ///< one for each machine, or for each landmark
  Task task = Task::classification;
  std::vector<std::string> classes;
  bool multi_label = false;       ///< whether an example may have several, or none
  BinaryClassifiers classifiers;  ///< what the functions separate; their support is in `functions`
  std::vector<Sigmoid> sigmoids;  ///< one for each machine if there are such probabilities
  bool softmax = false;           ///< whether scores are logarithms of probabilities, but for a sum
  std::optional<LandmarkScores> landmarks;  ///< of a model on Nystroem vectors
  std::vector<NetworkEpoch> curve;          ///< how a network was trained
  Training training;
  std::optional<OnlineState> online;  ///< of an online learner
};

struct Predictions {
  /// Per example: a score for each class, or one number (Task::regression), or one score that is
  /// below 0 for outliers.
  Matrix<double> scores;
  std::vector<std::vector<std::uint32_t>>
      classes;                   ///< decided for, per example; Task::classification
  Matrix<double> probabilities;  ///< of each class; empty if the model has none
};

/// Whether it gives probabilities.
bool has_probabilities(const Model& model);

/// The labels of `data` are not looked at.
Predictions predict(const Model& model, const Dataset& data, const Context& context = {});

/// The values of the machines, one row for each example.
Matrix<double> decision_values(const Model& model, const Dataset& data,
                               const Context& context = {});

/// From these to predictions.
Predictions decide(const Model& model, const Matrix<double>& decision_values);

/// Writes a file that appears whole or not at all.
void save_model(const Model& model, const std::string& path);
/// Throws Error if the file is no model, damaged, cut off, or made by a newer version. Linear in
/// its size.
Model load_model(const std::string& path);
/// Whether the file can be read and begins as a model does.
bool is_model_file(const std::string& path);

}  // namespace espalier
