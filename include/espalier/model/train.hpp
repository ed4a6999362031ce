#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/embed/nystroem.hpp"
#include "espalier/learn/feature_rows.hpp"
#include "espalier/learn/linear.hpp"
#include "espalier/learn/svm.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

enum class Learner {
  svm,                 ///< support vector machines on the Gram matrix
  linear,              ///< the same on vectors: see ExplicitFeatures, or landmarks below
  kda,                 ///< a network on Nystroem vectors (kernel-based deep architecture)
  perceptron,          ///< one example after the other
  passive_aggressive,  ///< the same, with a margin
};

struct TrainOptions {
  Learner learner = Learner::svm;
  std::optional<Task> task = {};  ///< nothing: as the labels say, see make_targets()

  // svm
  ClassifierOptions classifier = {};
  /// For ClassWeights::given: classes by name; the others have 1.
  std::vector<std::pair<std::string, double>> class_weights = {};
  bool probabilities = false;
  double epsilon = 0.1;  ///< for numbers: errors up to this cost nothing; also online
  double nu = 0.1;       ///< for outliers: the share of the examples that may be outside

  // linear
  LinearLoss loss = LinearLoss::hinge;

  // linear, kda
  /// Learn on Nystroem vectors, for any kernel; nothing: linear on explicit features, kda on the
  /// default landmarks.
  std::optional<NystroemOptions> landmarks = {};

  // kda
  NetworkOptions network = {};  ///< its seed is the one below
  double development = 0.1;     ///< share of the examples that picks the epoch; 0: the last one

  // online
  OnlineOptions online = {};
  std::size_t epochs = 5;    ///< how often each example is seen
  bool shuffle = true;       ///< in a new order each time, by the seed; else as they stand
  std::uint64_t budget = 0;  ///< most examples that have a say; 0: no limit
  std::uint64_t seed = 1;
};

/// Learns from the labels of `data`. Svm takes 4 bytes for each pair of examples, within
/// context.memory, else throws Error; linear and online learners take no such matrix. A kernel with
/// weights to learn, as st(weight=discriminance), takes a part of the examples for these first.
Model train(const Kernel& kernel, const Dataset& data, const TrainOptions& options = {},
            const Context& context = {});

/// Goes on with an online learner: more examples, and new classes if they have any. Epochs, order
/// and seed are those of `options`. With one epoch in the order of the examples, learning in parts
/// is the same as learning in one go if the first part has all classes: what comes new has not been
/// a rival before.
void continue_training(Model& model, const Dataset& data, const TrainOptions& options = {},
                       const Context& context = {});

/// train() for a kernel that has no weights to learn, with targets already known.
Model train_learned(const Kernel& kernel, const Dataset& data, const Targets& targets,
                    const TrainOptions& options = {}, const Context& context = {});

// The steps of svm and linear, for those who have a matrix already: cross-validation shares one.

/// Throws Error if the matrix of so many examples is beyond context.memory.
void check_memory(std::size_t examples, const Context& context);

/// How the machines were trained, before they become a model: support refers to the examples.
struct TrainedDecisionFunctions {
  BinaryClassifiers classifiers;
  std::vector<Sigmoid> sigmoids;
  bool softmax = false;  ///< as in Model
};
TrainedDecisionFunctions train_decision_functions(const GramView& view, const Targets& targets,
                                                  const TrainOptions& options,
                                                  const Context& context = {});

/// The same on features; `weights` become those to score with, a row for each machine.
TrainedDecisionFunctions train_decision_functions(const FeatureRows& rows, const Targets& targets,
                                                  const TrainOptions& options,
                                                  Matrix<double>& weights,
                                                  const Context& context = {});

}  // namespace espalier
