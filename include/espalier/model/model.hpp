#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "espalier/gram/kernel_functions.hpp"
#include "espalier/learn/classifier.hpp"
#include "espalier/learn/online.hpp"
#include "espalier/learn/platt.hpp"
#include "espalier/model/fragment_scores.hpp"
#include "espalier/model/landmark_scores.hpp"
#include "espalier/model/targets.hpp"
#include "espalier/model/word_vectors.hpp"

namespace espalier {

/// How a model was trained, for information.
struct Training {
  std::string learner;
  std::uint64_t examples = 0;         ///< seen in training
  std::uint64_t support_vectors = 0;  ///< or landmarks; 0 if unknown
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

/// Where a model comes from. Empty in models of format 5.
struct Provenance {
  std::string version;              ///< of the program that trained it
  std::vector<Setting> parameters;  ///< of the learner
  std::string data;                 ///< the fingerprint of the training data
  /// How the training data was read: see Dataset::reading().
  std::optional<std::vector<Setting>> reading;

  void fields(auto&& field) const {
    field("version", version);
    field("parameters", parameters);
    field("data", data);
    field("reading", reading);
  }
};

/// The state that an online learner needs to continue training.
struct OnlineState {
  OnlineOptions options;
  double epsilon = 0.1;      ///< regression: errors up to this cost nothing
  std::uint64_t budget = 0;  ///< maximum number of support vectors; 0: no limit
  /// With a budget: the support vectors, so that one of them can be dropped.
  Dataset support_vectors;
  std::vector<std::vector<double>> coefficients;  ///< per support vector and output
  std::vector<double> lengths;                    ///< per support vector: sqrt(K(x,x))
};

/// Class scores are unnormalised log-probabilities.
struct Softmax {
  friend bool operator==(const Softmax&, const Softmax&) = default;
};

/// Where class probabilities come from: there are none; Platt scaling, with a sigmoid per binary
/// classifier; or the softmax of the scores.
using ProbabilityModel = std::variant<std::monostate, std::vector<Sigmoid>, Softmax>;

/// Decides between classes by the decision values of binary classifiers.
struct Classification {
  std::vector<std::string> classes = {};
  bool multi_label = false;  ///< whether an example may have several classes, or none
  BinaryClassifiers classifiers = {};
  ProbabilityModel probabilities = {};
};

/// The decision value is the predicted number.
struct Regression {
  DecisionFunction function;
};

/// The decision value is negative for outliers.
struct OneClass {
  DecisionFunction function;
};

/// How decision values become predictions; an alternative for each Task, in the same order.
using Decision = std::variant<Classification, Regression, OneClass>;

std::span<DecisionFunction> decision_functions(Decision& decision);
std::span<const DecisionFunction> decision_functions(const Decision& decision);

/// A trained model. Self-contained; does not keep the training data. Const functions may be called
/// from many threads.
struct Model {
  explicit Model(FittedKernel kernel) : functions(std::move(kernel)) {}

  /// One for each decision function, or for each landmark; none if fragments are features.
  KernelFunctions functions;
  Decision decision;  ///< without support vectors, which are in `functions`
  /// What a model on Nystroem vectors, of an online learner, or on fragments as features has
  /// besides; the others have nothing.
  std::variant<std::monostate, LandmarkScores, OnlineState, FragmentScores> kind;
  Training training;
  Provenance provenance;
  /// Only the digests are saved; load_model() sets the folder.
  WordFiles word_files;

  Task task() const { return static_cast<Task>(decision.index()); }
  const std::vector<std::string>& classes() const;  ///< empty unless Task::classification
  bool multi_label() const;
  const LandmarkScores* landmarks() const { return std::get_if<LandmarkScores>(&kind); }
  const OnlineState* online() const { return std::get_if<OnlineState>(&kind); }
  const FragmentScores* fragments() const { return std::get_if<FragmentScores>(&kind); }
};

struct Predictions {
  /// Per example: a score for each class, or one number (Task::regression), or one score that is
  /// below 0 for outliers.
  Matrix<double> scores;
  std::vector<std::vector<std::uint32_t>>
      classes;                   ///< decided for, per example; Task::classification
  Matrix<double> probabilities;  ///< of each class; empty if the model has none
  Task task = Task::classification;
  std::vector<std::string> class_names;  ///< of the columns of `scores`; Task::classification

  /// What was predicted for an example, as text: the name of its class, several with blanks between
  /// them; the number; or "1" and, for outliers, "-1".
  std::string label(std::size_t example) const;
};

/// Whether the model predicts probabilities.
bool has_probabilities(const Model& model);

/// Predicts all examples; ignores the labels of `data`.
Predictions predict(const Model& model, const Dataset& data, const Context& context = {});

/// The same with the functions of the model that have looked up the words of the data already.
Predictions predict(const Model& model, const KernelFunctions& functions, const Dataset& data,
                    const Context& context = {});

/// The heaviest fragments of each class as features, see top_fragments(). Throws Error if scores
/// are not linear in fragments, or if fragments are the features of the model already.
FragmentFeatures heaviest_features(const Model& model, const FragmentOptions& options,
                                   const Context& context = {});

/// What is suspicious about data for this model, as one-line warnings: it was read in another way
/// than the training data, most labels of its trees were never seen in training, or words have no
/// vectors because their files are ignored.
std::vector<std::string> warnings_about(const Model& model, const Dataset& data);

/// The values of the decision functions, one row for each example.
Matrix<double> decision_values(const Model& model, const Dataset& data,
                               const Context& context = {});

/// Predictions from decision values.
Predictions decide(const Decision& decision, const Matrix<double>& decision_values);

/// The content of a model file.
std::string model_bytes(const Model& model);
/// Throws Error as load_model().
Model model_from_bytes(std::string_view bytes);

/// Writes a model file atomically.
void save_model(const Model& model, const std::string& path);
/// Throws Error if the file is not a model, corrupted, truncated, or written by a newer version.
/// Linear in its size.
Model load_model(const std::string& path);
/// Whether the file can be read and starts like a model file.
bool is_model_file(const std::string& path);

}  // namespace espalier
