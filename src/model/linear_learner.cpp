#include "espalier/embed/explicit_features.hpp"
#include "espalier/learn/linear.hpp"
#include "model/landmark_vectors.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

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

/// Linear support vector machines on explicit features, or on landmarks.
class LinearLearner final : public PreparedLearner {
 public:
  LinearLearner(const LearningProblem& problem, FeatureMatrix features)
      : problem_(problem), features_(std::move(features)) {}
  LinearLearner(const LearningProblem& problem, LandmarkVectors landmarks)
      : problem_(problem), landmarks_(std::move(landmarks)) {}

  void train(std::span<const std::uint32_t> examples, const TrainOptions& options,
             const Context& context) override {
    if (landmarks_) landmarks_->fit(examples, context);
    TrainedDecisionFunctions trained;
    trained.probabilities =
        train_linear(rows().select(examples), problem_.targets.select(examples), options, context);
    trained.classifiers = linear_.classifiers;
    decision_ = new_decision(problem_.targets, std::move(trained));
  }

  Predictions score(std::span<const std::uint32_t> examples,
                    const Context& context) const override {
    return decide(decision_, decision_values(linear_, rows().select(examples), context));
  }

  Model model(const Context& context) override {
    features_ = {};
    if (!landmarks_) {
      return support_vector_model("linear", problem_, std::move(decision_), context);
    }
    return landmarks_->model("linear on landmarks", std::move(decision_),
                             {{linear_layer(linear_.weights)}}, context);
  }

 private:
  FeatureRows rows() const {
    return landmarks_ ? FeatureRows(landmarks_->vectors()) : FeatureRows(features_);
  }

  /// Sets linear_.
  ProbabilityModel train_linear(const FeatureRows& rows, const Targets& targets,
                                const TrainOptions& options, const Context& context) {
    const LinearLearnerOptions linear{.loss = options.loss, .seed = options.seed};
    if (targets.task == Task::one_class) {
      throw Error("the linear learner cannot train a one-class model: use svm");
    }
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
                            {options.calibration_folds, options.seed}, context);
  }

  LearningProblem problem_;
  FeatureMatrix features_;
  std::optional<LandmarkVectors> landmarks_;
  LinearModel linear_;
  Decision decision_;
};

}  // namespace

PreparedLearners prepare_linear(const Preparation& with) {
  const LearningProblem problem = with.problem();
  if (with.options.nystroem.landmarks > 0) {
    return prepare_one<LinearLearner>(problem, LandmarkVectors(problem, with.options));
  }
  ExplicitFeatures features(problem.kernel);
  features.fit(problem.data);
  return prepare_one<LinearLearner>(problem, features.matrix(problem.data, with.context));
}

}  // namespace espalier
