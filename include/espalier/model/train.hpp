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
  linear,              ///< linear SVMs on explicit features, or on landmarks
  kda,                 ///< a network on Nystroem vectors (kernel-based deep architecture)
  perceptron,          ///< online
  passive_aggressive,  ///< online, with a margin
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

/// Trains a model. `svm` takes 4 bytes for each pair of examples and throws Error if that exceeds
/// context.memory; the other learners need no Gram matrix. A kernel with weights to learn, such as
/// st(weight=discriminance), uses a part of the examples for them.
Model train(const Kernel& kernel, const Dataset& data, const TrainOptions& options = {},
            const Context& context = {});

/// Continues training an online model with new examples and possibly new classes (warm start).
/// Epochs, order and seed are those of `options`. With one epoch in the order of the examples,
/// training in parts is the same as training at once if the first part contains all classes.
void continue_training(Model& model, const Dataset& data, const TrainOptions& options = {},
                       const Context& context = {});

/// train() for a kernel without weights to learn, with given targets.
Model train_learned(const Kernel& kernel, const Dataset& data, const Targets& targets,
                    const TrainOptions& options = {}, const Context& context = {});

// The steps of svm and linear on a given matrix, which cross-validation shares between folds.

/// Throws Error if the Gram matrix of n examples exceeds context.memory.
void check_memory(std::size_t examples, const Context& context);

/// Trained decision functions; their support vectors refer to rows of the matrix.
struct TrainedDecisionFunctions {
  BinaryClassifiers classifiers;
  std::vector<Sigmoid> sigmoids;
  bool softmax = false;  ///< as in Model
};
TrainedDecisionFunctions train_decision_functions(const GramView& view, const Targets& targets,
                                                  const TrainOptions& options,
                                                  const Context& context = {});

/// The same on features; sets `weights`, a row for each decision function.
TrainedDecisionFunctions train_decision_functions(const FeatureRows& rows, const Targets& targets,
                                                  const TrainOptions& options,
                                                  Matrix<double>& weights,
                                                  const Context& context = {});

}  // namespace espalier
