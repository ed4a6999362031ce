#include "model/fragment_vectors.hpp"

#include <fmt/format.h>

#include "espalier/gram/gram.hpp"
#include "model/learners.hpp"

namespace espalier {

namespace {

/// Throws Error if what a linear SVM needs for these features exceeds the memory.
void check_memory(const SparseMatrix& vectors, const Targets& targets, const Context& context) {
  const double values = 12.0 * static_cast<double>(vectors.value_count());
  const double weights = 8.0 * static_cast<double>(vectors.columns()) *
                         static_cast<double>(std::max<std::size_t>(1, targets.names.size()));
  if (values + weights <= static_cast<double>(context.memory)) return;
  constexpr double gigabyte = 1 << 30;
  throw Error(fmt::format(
      "the features of {} examples take {:.2f} GB and the weights {:.2f} GB, more than the {:.2f} "
      "GB allowed: allow more memory, or take fewer fragments, a smaller max_size or hash_dim",
      vectors.rows(), values / gigabyte, weights / gigabyte,
      static_cast<double>(context.memory) / gigabyte));
}

}  // namespace

FragmentVectors::FragmentVectors(const LearningProblem& problem, const TrainOptions& options,
                                 const Context& context)
    : problem_(problem) {
  if (options.hashed.hash_dim > 0) {
    features_.emplace(problem.kernel, options.hashed);
    vectors_ = features_->transform(problem.data, context);
    check_memory(vectors_, problem.targets, context);
    return;
  }
  espalier::check_memory(problem.data.size(), context);
  gram_ = gram<float>(problem.kernel, problem.data, context);
}

void FragmentVectors::fit(std::span<const std::uint32_t> examples, const TrainOptions& options,
                          const Context& context) {
  if (options.hashed.hash_dim > 0) return;
  Context quiet = context;
  quiet.progress = nullptr;
  TrainOptions first = options;
  first.probabilities = false;
  Decision decision = new_decision(
      problem_.targets, train_decision_functions(GramView(gram_, examples),
                                                 problem_.targets.select(examples), first, quiet));
  const Model svm = support_vector_model("svm", problem_, std::move(decision), quiet);
  features_ = heaviest_features(svm, {.top = options.fragments}, quiet);
  if (options.binary) features_ = features_->binary();
  if (features_->columns() == 0) {
    throw Error("there are no fragments to choose: all weights of the first model are 0");
  }
  vectors_ = features_->transform(problem_.data, quiet);
  check_memory(vectors_, problem_.targets, context);
}

Model FragmentVectors::model(Decision decision, const Matrix<double>& weights) const {
  Model out(problem_.kernel);
  const char* const learner =
      features_->hashed() ? "linear on hashed fragments" : "linear on fragments";
  out.training = training_of(learner, decision, problem_.data.size());
  out.training.support_vectors = 0;  // they are not what a prediction costs
  for (DecisionFunction& function : decision_functions(decision)) function.support_vectors.clear();
  out.decision = std::move(decision);
  FragmentScores scores{*features_, {}};
  scores.weights.reserve(weights.rows() * weights.columns());
  for (std::size_t c = 0; c < weights.columns(); ++c) {
    for (std::size_t m = 0; m < weights.rows(); ++m) {
      scores.weights.push_back(static_cast<float>(weights(m, c)));
    }
  }
  out.kind = std::move(scores);
  return out;
}

}  // namespace espalier
