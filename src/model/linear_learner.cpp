#include "espalier/embed/explicit_features.hpp"
#include "espalier/learn/linear.hpp"
#include "model/fragment_vectors.hpp"
#include "model/landmark_vectors.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

[[noreturn]] void refuse_one_class() {
  throw Error("the linear learner cannot train a one-class model: use svm");
}

/// A linear layer with these weights; the biases stay in the decision functions.
DenseLayer<float> linear_layer(const Matrix<double>& weights) {
  DenseLayer<float> out{
      weights.columns(), weights.rows(), {}, std::vector<float>(weights.rows(), 0.0F), false};
  for (std::size_t k = 0; k < weights.columns(); ++k) {
    for (std::size_t m = 0; m < weights.rows(); ++m) {
      out.weights.push_back(static_cast<float>(weights(m, k)));
    }
  }
  return out;
}

/// Linear support vector machines on explicit features, on landmarks, or on fragments.
class LinearLearner final : public PreparedLearner {
 public:
  LinearLearner(const LearningProblem& problem, FeatureMatrix features)
      : problem_(problem), features_(std::move(features)) {}
  LinearLearner(const LearningProblem& problem, LandmarkVectors landmarks)
      : problem_(problem), landmarks_(std::move(landmarks)) {}
  LinearLearner(const LearningProblem& problem, FragmentVectors fragments)
      : problem_(problem), fragments_(std::move(fragments)) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    if (landmarks_) landmarks_->fit(examples, context);
    if (fragments_) fragments_->fit(examples, options, context);
    TrainedDecisionFunctions trained;
    trained.probabilities =
        train_linear(rows().select(examples), problem_.targets.select(examples), options,
                     calibration_groups(problem_, examples, options), context);
    trained.classifiers = linear_.classifiers;
    decision_ = new_decision(problem_.targets, std::move(trained));
  }

  Predictions score(std::span<const std::uint32_t> examples,
                    const Context& context) const override {
    return decide(decision_, decision_values(linear_, rows().select(examples), context));
  }

  Model model(const Context& context) override {
    features_ = {};
    if (fragments_) return fragments_->model(std::move(decision_), linear_.weights);
    if (!landmarks_) {
      return support_vector_model("linear", problem_, std::move(decision_), context);
    }
    return landmarks_->model("linear on landmarks", std::move(decision_),
                             {{linear_layer(linear_.weights)}}, context);
  }

 private:
  FeatureRows rows() const {
    if (fragments_) return FeatureRows(fragments_->vectors());
    return landmarks_ ? FeatureRows(landmarks_->vectors()) : FeatureRows(features_);
  }

  /// Sets linear_.
  ProbabilityModel train_linear(const FeatureRows& rows, const Targets& targets,
                                const TrainOptions& options, std::vector<std::uint32_t> groups,
                                const Context& context) {
    const LinearLearnerOptions linear{.loss = options.loss, .seed = options.seed};
    if (targets.task == Task::one_class) refuse_one_class();
    if (targets.task == Task::regression) {
      linear_ = train_linear_svr(
          rows, targets.numbers,
          {options.classifier.cost, options.epsilon, options.classifier.solver}, linear, context);
      return {};
    }
    const ClassifierOptions classifier = classifier_options(options, targets.names);
    linear_ = train_linear_classifier(rows, targets.classes, classifier, linear, context);
    if (!options.probabilities) return {};
    return calibrate_linear(rows, targets.classes, classifier, linear,
                            {options.calibration_folds, options.seed, std::move(groups)}, context);
  }

  LearningProblem problem_;
  FeatureMatrix features_;
  std::optional<LandmarkVectors> landmarks_;
  std::optional<FragmentVectors> fragments_;
  LinearModel linear_;
  Decision decision_;
};

}  // namespace

PreparedLearners prepare_linear(const Preparation& with) {
  const LearningProblem problem = with.problem();
  const TrainOptions& options = with.options;
  const int kinds = (options.nystroem.landmarks > 0 ? 1 : 0) + (options.fragments > 0 ? 1 : 0) +
                    (options.hashed.hash_dim > 0 ? 1 : 0);
  if (kinds > 1) {
    throw Error("landmarks, fragments and hash_dim are different features: set one of them");
  }
  if (options.nystroem.landmarks > 0) {
    return prepare_one<LinearLearner>(problem, LandmarkVectors(problem, options));
  }
  if (kinds > 0) {
    // Before the work: the decision functions cannot be trained.
    if (problem.targets.task == Task::one_class) refuse_one_class();
    return prepare_one<LinearLearner>(problem, FragmentVectors(problem, options, with.context));
  }
  ExplicitFeatures features(problem.kernel);
  features.fit(problem.data);
  return prepare_one<LinearLearner>(problem, features.matrix(problem.data, with.context));
}

}  // namespace espalier
