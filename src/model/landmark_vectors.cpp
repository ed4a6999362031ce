#include "model/landmark_vectors.hpp"

#include <algorithm>

#include "espalier/data/example_text.hpp"
#include "espalier/evaluate/splits.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// Bytes of the text of a landmark in a model, for each member of a pair.
constexpr std::size_t most_text = 1000;

/// The landmarks as shown in explanations.
std::vector<Landmark> shown_landmarks(const Nystroem& nystroem, const Targets& targets) {
  std::vector<Landmark> out;
  for (std::size_t l = 0; l < nystroem.chosen().size(); ++l) {
    Landmark& landmark = out.emplace_back();
    landmark.text = example_text(nystroem.landmarks().example(l), most_text);
    if (targets.task != Task::classification) continue;
    const auto classes = targets.classes[nystroem.chosen()[l]];
    landmark.classes.assign(classes.begin(), classes.end());
  }
  return out;
}

}  // namespace

LandmarkVectors::LandmarkVectors(const LearningProblem& problem, const TrainOptions& options)
    : problem_(problem), options_(options.nystroem) {
  if (options_.landmarks == 0) options_.landmarks = NystroemOptions().landmarks;
  options_.seed = options.seed;
}

void LandmarkVectors::fit(std::span<const std::uint32_t> examples, const Context& context) {
  std::vector<std::uint32_t> key(examples.begin(), examples.end());
  auto found = cache_.find(key);
  if (found == cache_.end()) {
    const std::size_t size = problem_.data.size();
    const std::size_t columns = std::min(options_.landmarks * options_.sets, size);
    const std::size_t bytes = columns * (sizeof(float) * size + sizeof(double) * columns);
    if ((cache_.size() + 1) * bytes > context.memory) cache_.clear();
    std::vector<std::uint32_t> classes;
    if (problem_.targets.task == Task::classification) {
      classes = rarest_classes(problem_.targets.classes.select(examples));
    }
    Nystroem nystroem(problem_.kernel, options_);
    nystroem.fit(problem_.data.select(examples), classes, context);
    Matrix<float> vectors = nystroem.transform(problem_.data, context);
    found = cache_.emplace(std::move(key), Fitted{std::move(nystroem), std::move(vectors)}).first;
  }
  fitted_ = &found->second;
}

std::size_t LandmarkVectors::bytes() const {
  std::size_t out = 0;
  for (const auto& [examples, fitted] : cache_) {
    out += sizeof(float) * fitted.vectors.rows() * fitted.vectors.columns();
  }
  return out;
}

Model LandmarkVectors::model(const char* learner, Decision decision, Network network,
                             const Context& context) const {
  const Nystroem& nystroem = fitted_->nystroem;
  const Matrix<double>& projection = nystroem.projection();
  Model out(problem_.kernel);
  out.training = training_of(learner, decision, problem_.data.size());
  out.training.support_vectors = nystroem.chosen().size();
  for (DecisionFunction& function : decision_functions(decision)) function.support_vectors.clear();
  out.decision = std::move(decision);
  out.functions = nystroem.landmark_kernels(context);
  out.kind = LandmarkScores{
      shown_landmarks(nystroem, problem_.targets),
      {projection.data(), projection.data() + projection.rows() * projection.columns()},
      std::move(network)};
  return out;
}

}  // namespace espalier
