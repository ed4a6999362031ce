#include "espalier/model/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "espalier/embed/explicit_features.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/word_vectors.hpp"
#include "espalier/learn/linear.hpp"
#include "model/landmarks.hpp"
#include "model/learned_kernel.hpp"
#include "model/network_training.hpp"
#include "model/online.hpp"

namespace espalier {

namespace {

/// class_weights by name, in the order of the classes.
ClassifierOptions classifier_options(const TrainOptions& options,
                                     const std::vector<std::string>& classes) {
  ClassifierOptions out = options.classifier;
  if (options.class_weight.balanced) out.weights = ClassWeights::balanced;
  if (options.class_weight.weights.empty()) return out;
  out.weights = ClassWeights::given;
  out.class_weights.assign(classes.size(), 1);
  for (const auto& [name, weight] : options.class_weight.weights) {
    const auto found = std::ranges::find(classes, name);
    if (found == classes.end()) {
      const std::string near = nearest(name, classes);
      throw Error("there is no class " + in_quotes(name) + " to weigh" +
                  (near.empty() ? "" : ": did you mean " + in_quotes(near) + "?"));
    }
    out.class_weights[static_cast<std::size_t>(found - classes.begin())] = weight;
  }
  return out;
}

Matrix<double> coefficients_of(const BinaryClassifiers& classifiers, std::size_t examples) {
  Matrix<double> out(classifiers.functions.size(), examples);
  std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
  for (std::size_t m = 0; m < classifiers.functions.size(); ++m) {
    for (const SupportVector& s : classifiers.functions[m].support_vectors)
      out(m, s.example) = s.coefficient;
  }
  return out;
}

Training note_of(const char* learner, const BinaryClassifiers& classifiers, std::size_t examples) {
  Training out;
  out.learner = learner;
  out.examples = examples;
  std::vector<std::uint8_t> used(examples, 0);
  for (const DecisionFunction& function : classifiers.functions) {
    for (const SupportVector& s : function.support_vectors) used[s.example] = 1;
    out.iterations += function.iterations;
    out.converged = out.converged && function.converged;
  }
  out.support_vectors = static_cast<std::uint64_t>(std::ranges::count(used, 1));
  return out;
}

/// The model of trained decision functions, still without the kernel functions.
Model model_of(const Kernel& kernel, const Targets& targets, TrainedDecisionFunctions trained) {
  Model model(kernel);
  model.task = targets.task;
  model.classes = targets.names;
  model.multi_label = targets.multi_label();
  for (DecisionFunction& function : trained.classifiers.functions) function.support_vectors.clear();
  model.classifiers = std::move(trained.classifiers);
  model.sigmoids = std::move(trained.sigmoids);
  model.softmax = trained.softmax;
  return model;
}

TrainedDecisionFunctions train_on_matrix(const Kernel& kernel, const Dataset& data,
                                         const Targets& targets, const TrainOptions& options,
                                         const Context& context) {
  if (options.learner == Learner::linear) {
    ExplicitFeatures features(kernel);
    features.fit(data);
    const FeatureMatrix rows = features.matrix(data, context);
    Matrix<double> weights;
    return train_decision_functions(FeatureRows(rows), targets, options, weights, context);
  }
  check_memory(data.size(), context);
  const Matrix<float> matrix = gram<float>(kernel, data, context);
  return train_decision_functions(GramView(matrix), targets, options, context);
}

Model train_batch(const Kernel& kernel, const Dataset& data, const Targets& targets,
                  const TrainOptions& options, const Context& context) {
  TrainedDecisionFunctions trained = train_on_matrix(kernel, data, targets, options, context);
  const Training note =
      note_of(options.learner == Learner::svm ? "svm" : "linear", trained.classifiers, data.size());
  const Matrix<double> coefficients = coefficients_of(trained.classifiers, data.size());
  Model model = model_of(kernel, targets, std::move(trained));
  model.training = note;
  model.functions.add(data, coefficients, context);
  return model;
}

/// The landmarks as shown in explanations.
std::vector<Landmark> shown_landmarks(const Nystroem& nystroem, const Targets& targets) {
  std::vector<Landmark> out;
  for (std::size_t l = 0; l < nystroem.chosen().size(); ++l) {
    Landmark& landmark = out.emplace_back();
    landmark.text = shown_text(nystroem.landmarks().example(l));
    if (targets.task != Task::classification) continue;
    const auto classes = targets.classes[nystroem.chosen()[l]];
    landmark.classes.assign(classes.begin(), classes.end());
  }
  return out;
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

Model train_on_landmarks(const Kernel& kernel, const Dataset& data, const Targets& targets,
                         const TrainOptions& options, const NystroemOptions& landmarks,
                         const Context& context) {
  const Nystroem nystroem = fit_landmarks(kernel, data, targets, landmarks, context);
  const Matrix<float> vectors = nystroem.transform(data, context);
  LandmarkScores scores;
  scores.landmarks = shown_landmarks(nystroem, targets);
  const Matrix<double>& projection = nystroem.projection();
  scores.projection.assign(projection.data(),
                           projection.data() + projection.rows() * projection.columns());
  TrainedDecisionFunctions trained;
  std::vector<NetworkEpoch> curve;
  if (options.learner == Learner::kda) {
    std::vector<std::uint32_t> all(data.size());
    std::iota(all.begin(), all.end(), 0U);
    TrainedNetworkModel classifiers = train_network_model(vectors, all, targets, options, context);
    trained = std::move(classifiers.trained);
    curve = std::move(classifiers.network.curve);
    scores.network = std::move(classifiers.network.network);
  } else {
    Matrix<double> weights;
    trained = train_decision_functions(FeatureRows(vectors), targets, options, weights, context);
    scores.network.layers.push_back(linear_layer(weights));
  }
  Training note = note_of(options.learner == Learner::kda ? "kda" : "linear on landmarks",
                          trained.classifiers, data.size());
  note.support_vectors = scores.landmarks.size();
  if (!curve.empty()) note.iterations = curve.size();
  Model model = model_of(kernel, targets, std::move(trained));
  model.training = note;
  model.functions = nystroem.landmark_kernels(context);
  model.landmarks = std::move(scores);
  model.curve = std::move(curve);
  return model;
}

}  // namespace

void check_memory(std::size_t examples, const Context& context) {
  const double needed = 4.0 * static_cast<double>(examples) * static_cast<double>(examples);
  if (needed <= static_cast<double>(context.memory)) return;
  constexpr double gigabyte = 1 << 30;
  throw Error(fmt::format(
      "the Gram matrix of {} examples takes {:.1f} GB, more than the {:.1f} GB allowed: allow more "
      "memory, or use a learner that needs no matrix: linear or kda on landmarks, linear on "
      "explicit "
      "features of st(..), dtk(..) or linear(..), or an online learner (perceptron, pa)",
      examples, needed / gigabyte, static_cast<double>(context.memory) / gigabyte));
}

TrainedDecisionFunctions train_decision_functions(const GramView& view, const Targets& targets,
                                                  const TrainOptions& options,
                                                  const Context& context) {
  TrainedDecisionFunctions out;
  const SolverOptions& solver = options.classifier.solver;
  switch (targets.task) {
    case Task::classification: {
      const ClassifierOptions classifier = classifier_options(options, targets.names);
      out.classifiers = train_classifier(view, targets.classes, classifier, context);
      if (options.probabilities) {
        out.sigmoids = calibrate(view, targets.classes, classifier,
                                 {options.calibration_folds, options.seed}, context);
      }
      break;
    }
    case Task::regression:
      out.classifiers.functions.push_back(train_svr(
          view, targets.numbers, {options.classifier.cost, options.epsilon, solver}, context));
      break;
    case Task::one_class:
      out.classifiers.functions.push_back(train_one_class(view, {options.nu, solver}, context));
      break;
  }
  return out;
}

TrainedDecisionFunctions train_decision_functions(const FeatureRows& rows, const Targets& targets,
                                                  const TrainOptions& options,
                                                  Matrix<double>& weights, const Context& context) {
  const LinearLearnerOptions linear{.loss = options.loss, .seed = options.seed};
  TrainedDecisionFunctions out;
  LinearModel model;
  switch (targets.task) {
    case Task::classification: {
      const ClassifierOptions classifier = classifier_options(options, targets.names);
      model = train_linear_classifier(rows, targets.classes, classifier, linear, context);
      if (options.probabilities) {
        out.sigmoids = calibrate_linear(rows, targets.classes, classifier, linear,
                                        {options.calibration_folds, options.seed}, context);
      }
      break;
    }
    case Task::regression:
      model = train_linear_svr(
          rows, targets.numbers,
          {options.classifier.cost, options.epsilon, options.classifier.solver}, linear, context);
      break;
    case Task::one_class:
      throw Error("the linear learner cannot train a one-class model: use svm");
  }
  out.classifiers = std::move(model.classifiers);
  weights = std::move(model.weights);
  return out;
}

Model train(const Kernel& kernel, const Dataset& data, const TrainOptions& options,
            const Context& context) {
  check_parameters(options);
  if (data.size() == 0) throw Error("there are no examples to learn from");
  const Targets targets = make_targets(data, options.task);
  const Kernel complete = with_word_vectors(kernel, {&data});
  if (!needs_learning(complete)) return train_learned(complete, data, targets, options, context);
  std::vector<std::uint32_t> all(data.size());
  std::iota(all.begin(), all.end(), 0U);
  const LearnedKernel learned = learn_kernel(complete, data, targets, all, options.seed);
  return train_learned(learned.kernel, data.select(learned.examples),
                       targets.select(learned.examples), options, context);
}

Model train_learned(const Kernel& kernel, const Dataset& data, const Targets& targets,
                    const TrainOptions& options, const Context& context) {
  if (const auto landmarks = landmark_options(options)) {
    return train_on_landmarks(kernel, data, targets, options, *landmarks, context);
  }
  if (options.learner == Learner::svm || options.learner == Learner::linear) {
    return train_batch(kernel, data, targets, options, context);
  }
  Model model = new_online_model(kernel, targets, options);
  learn_online(model, data, targets, options, context);
  return model;
}

void continue_training(Model& model, const Dataset& data, const TrainOptions& options,
                       const Context& context) {
  if (!model.online) {
    throw Error("a model of " + in_quotes(model.training.learner) +
                " cannot continue training: only perceptron and pa models can");
  }
  const Targets targets = make_targets(data, model.task, model.classes, model.multi_label);
  learn_online(model, data, targets, options, context);
}

}  // namespace espalier
