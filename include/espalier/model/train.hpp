#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/checkpoint.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/learn/feature_rows.hpp"
#include "espalier/learn/linear.hpp"
#include "espalier/learn/svm.hpp"
#include "espalier/model/groups.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

enum class Learner {
  svm,                 ///< support vector machines on the Gram matrix
  linear,              ///< linear SVMs on explicit features, on landmarks, or on fragments
  kda,                 ///< a network on Nystroem vectors (kernel-based deep architecture)
  perceptron,          ///< online
  passive_aggressive,  ///< online, with a margin
};
constexpr std::array<const char*, 5> names_of(Learner) {
  return {"svm", "linear", "kda", "perceptron", "pa"};
}

/// How the optimum of an svm is found: the same one in either way.
enum class SvmSolver {
  automatic,   ///< matrix if it fits the memory, else working_set
  matrix,      ///< on the Gram matrix, 4 bytes for each pair of examples
  working_set  ///< without the matrix, memory linear in the examples: see learn/working_set.hpp
};
constexpr std::array<const char*, 3> names_of(SvmSolver) {
  return {"auto", "matrix", "working-set"};
}

/// The parameters of all learners; each uses those that describe() says are its own.
struct TrainOptions {
  Learner learner = Learner::svm;
  std::optional<Task> task = {};  ///< nothing: as the labels say, see make_targets()

  SvmSolver solver = SvmSolver::automatic;
  ClassifierOptions classifier = {};
  ClassWeight class_weight = {};
  bool probabilities = false;
  std::size_t calibration_folds = 5;
  double epsilon = 0.1;
  double nu = 0.1;
  LinearLoss loss = LinearLoss::hinge;

  /// Nystroem vectors for any kernel. Without landmarks, linear uses explicit features, and kda the
  /// default number of landmarks.
  NystroemOptions nystroem = {.landmarks = 0};

  /// Fragments as features, for the linear learner; see FragmentFeatures.
  std::size_t fragments = 0;
  bool binary = false;  ///< whether they occur, instead of their values
  HashedFragmentOptions hashed = {.hash_dim = 0};

  NetworkOptions network = {};  ///< its seed is the one below
  double validation_fraction = 0.1;
  GroupOptions grouping = {};  ///< of the validation set

  OnlineOptions online = {};
  std::size_t epochs = 5;
  bool shuffle = true;
  std::uint64_t budget = 0;

  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("learner", self.learner,
          "svm, linear (explicit features, landmarks or fragments), kda (neural network on "
          "landmarks), "
          "perceptron or pa (passive-aggressive)",
          {.common = true});
    field("task", self.task, "what to learn; by default found from the labels", {.common = true});
    field("solver", self.solver,
          "on the Gram matrix, or without it for any number of examples; auto: the matrix if it "
          "fits the memory",
          {.users = "svm"});
    ClassifierOptions::describe(self.classifier, used_by("svm, linear", field));
    field("class_weight", self.class_weight, "factors of C: balanced, or by class",
          {.range = Range::above(0), .users = "svm, linear", .common = true});
    field("probabilities", self.probabilities,
          "estimate class probabilities (Platt scaling), which takes six times as long",
          {.users = "svm, linear", .common = true});
    field("calibration_folds", self.calibration_folds,
          "cross-validation folds that probabilities are estimated on",
          {.range = {2, 1e6}, .users = "svm, linear", .needs = "probabilities"});
    describe_epsilon(self.epsilon, used_by("svm, linear, pa", field));
    describe_nu(self.nu, used_by("svm", field));
    field("loss", self.loss, "loss function", {.users = "linear"});
    NystroemOptions::describe(self.nystroem, used_by("linear, kda", field));
    field("fragments", self.fragments,
          "number of fragments of each class, those that an svm on the training set weighs most, "
          "to be the features; 0: none",
          {.range = {0, 0x1p31}, .users = "linear", .common = true});
    field("binary", self.binary,
          "features are whether a fragment occurs, in rows of length 1, instead of its value",
          {.users = "linear", .needs = "fragments"});
    HashedFragmentOptions::describe(self.hashed, used_by("linear", field));
    NetworkOptions::describe(self.network, used_by("kda", field));
    field("validation_fraction", self.validation_fraction,
          "fraction of the training set held out to select the best epoch; 0: none",
          {.range = Range::below(1), .users = "kda"});
    GroupOptions::describe(self.grouping, used_by("kda", field));
    OnlineOptions::describe(self.online, used_by("pa", field));
    field("epochs", self.epochs, "passes over the training set",
          {.range = {1, 0x1p53}, .users = "perceptron, pa", .common = true});
    field("shuffle", self.shuffle, "shuffle the examples in each epoch",
          {.users = "perceptron, pa"});
    field("budget", self.budget, "largest number of support vectors; 0: no limit",
          {.range = {0, 0x1p53}, .users = "perceptron, pa"});
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

/// How training copes with interruptions; for svm with the working-set solver.
struct Interruption {
  Checkpoint* checkpoint = nullptr;  ///< keeps the state after each round, to resume from
  /// Whether Context::cancelled ends the solver with a model that is not converged, instead of
  /// throwing Cancelled.
  bool keep_unfinished = false;
};

/// Trains a model. `svm` uses the Gram matrix, 4 bytes for each pair of examples, if it fits
/// context.memory; no other learner does. A kernel with weights to learn, such as
/// st(weight=discriminance), uses a part of the examples for them.
Model train(const FittedKernel& kernel, const Dataset& data, const TrainOptions& options = {},
            const Context& context = {}, const Interruption& interruption = {});

/// Whether train() with these options would use the working-set solver for that many examples.
bool uses_working_set(const TrainOptions& options, std::size_t examples, const Context& context);

/// Continues training an online model with new examples and possibly new classes (warm start).
/// Epochs, order and seed are those of `options`. With one epoch in the order of the examples,
/// training in parts is the same as training at once if the first part contains all classes.
void continue_training(Model& model, const Dataset& data, const TrainOptions& options = {},
                       const Context& context = {});

/// Throws Error if the Gram matrix of n examples exceeds context.memory.
void check_memory(std::size_t examples, const Context& context);

/// Trained decision functions; their support vectors refer to rows of a matrix.
struct TrainedDecisionFunctions {
  BinaryClassifiers classifiers;  ///< regression and one-class: one function, no problem
  ProbabilityModel probabilities;
};
/// The step of svm after the Gram matrix is computed. `groups` are those of CalibrationOptions.
TrainedDecisionFunctions train_decision_functions(const GramView& view, const Targets& targets,
                                                  const TrainOptions& options,
                                                  const Context& context = {},
                                                  std::vector<std::uint32_t> groups = {});

}  // namespace espalier
