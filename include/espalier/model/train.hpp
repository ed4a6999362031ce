#pragma once

#include <array>
#include <optional>
#include <string>
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
constexpr std::array<const char*, 5> names_of(Learner) {
  return {"svm", "linear", "kda", "perceptron", "pa"};
}

/// The parameters of all learners; each uses those that describe() says are its own.
struct TrainOptions {
  Learner learner = Learner::svm;
  std::optional<Task> task = {};  ///< nothing: as the labels say, see make_targets()

  ClassifierOptions classifier = {};
  ClassWeight class_weight = {};
  bool probabilities = false;
  double epsilon = 0.1;
  double nu = 0.1;
  LinearLoss loss = LinearLoss::hinge;

  /// Nystroem vectors for any kernel. Without landmarks, linear uses explicit features, and kda the
  /// default number of landmarks.
  NystroemOptions nystroem = {.landmarks = 0};

  NetworkOptions network = {};  ///< its seed is the one below
  double validation_fraction = 0.1;

  OnlineOptions online = {};
  std::size_t epochs = 5;
  bool shuffle = true;
  std::uint64_t budget = 0;

  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field({.name = "learner",
           .help = "svm, linear (explicit features or landmarks), kda (neural network on "
                   "landmarks), perceptron or pa (passive-aggressive)",
           .common = true},
          self.learner);
    field(
        {.name = "task", .help = "what to learn; by default found from the labels", .common = true},
        self.task);
    ClassifierOptions::describe(self.classifier, used_by("svm, linear", field));
    field({.name = "class_weight",
           .help = "factors of C: balanced, or by class",
           .range = Range::above(0),
           .users = "svm, linear",
           .common = true},
          self.class_weight);
    field({.name = "probabilities",
           .help = "estimate class probabilities (Platt scaling), which takes six times as long",
           .users = "svm, linear",
           .common = true},
          self.probabilities);
    used_by("svm, linear, pa", field)(epsilon_parameter, self.epsilon);
    used_by("svm", field)(nu_parameter, self.nu);
    field({.name = "loss", .help = "loss function", .users = "linear"}, self.loss);
    NystroemOptions::describe(self.nystroem, used_by("linear, kda", field));
    NetworkOptions::describe(self.network, used_by("kda", field));
    field({.name = "validation_fraction",
           .help = "fraction of the training set held out to select the best epoch; 0: none",
           .range = Range::below(1),
           .users = "kda"},
          self.validation_fraction);
    OnlineOptions::describe(self.online, used_by("pa", field));
    field({.name = "epochs",
           .help = "passes over the training set",
           .range = {1, 0x1p53},
           .users = "perceptron, pa",
           .common = true},
          self.epochs);
    field({.name = "shuffle",
           .help = "shuffle the examples in each epoch",
           .users = "perceptron, pa"},
          self.shuffle);
    field({.name = "budget",
           .help = "largest number of support vectors; 0: no limit",
           .range = {0, 0x1p53},
           .users = "perceptron, pa"},
          self.budget);
    field({.name = "seed", .help = "random seed", .range = {0, 0x1p53}, .common = true}, self.seed);
  }
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
