#include "model/prepared_cache.hpp"

#include <algorithm>

namespace espalier {

std::string preparation_of(TrainOptions options) {
  const Parameters parameters(options);
  std::string out;
  for (std::size_t i = 0; i < parameters.rows().size(); ++i) {
    const ParameterRow& row = parameters.rows()[i];
    if (row.affects != Affects::preparation) continue;
    out += std::string(row.name) + "=" + print_value(row, parameters.value(i)) + "\n";
  }
  return out;
}

Trial PreparedCache::trial(std::size_t kernel, const TrainOptions& options) {
  const LearningProblem problem{kernels_[kernel], data_, targets_};
  if (needs_learning(kernels_[kernel])) return {problem, nullptr};
  const Key key{preparation_of(options), kernel};
  if (!learners_.contains(key)) {
    prepare_from(kernel, options, key.first);
  } else {
    shrink(key);  // what trials keep grows
  }
  return {problem, learners_.at(key).get()};
}

void PreparedCache::prepare_from(std::size_t kernel, const TrainOptions& options,
                                 const std::string& how) {
  std::size_t end = kernel;
  while (end < kernels_.size() && !needs_learning(kernels_[end]) &&
         !learners_.contains({how, end})) {
    ++end;
  }
  // Before the work: new ones will take about as much as those that there are.
  std::size_t used = 0, largest = 0;
  for (const auto& [key, learner] : learners_) {
    used += learner->bytes();
    largest = std::max(largest, learner->bytes());
  }
  if (used + largest * (end - kernel) > context_.memory) learners_.clear();
  for (auto& learner :
       prepare({kernels_.subspan(kernel, end - kernel), data_, targets_, options, context_})) {
    learners_.emplace(Key{how, kernel++}, std::move(learner));
  }
}

void PreparedCache::shrink(const Key& kept) {
  std::size_t used = 0;
  for (const auto& [key, learner] : learners_) used += learner->bytes();
  if (used <= context_.memory) return;
  std::erase_if(learners_, [&](const auto& entry) { return entry.first != kept; });
}

}  // namespace espalier
