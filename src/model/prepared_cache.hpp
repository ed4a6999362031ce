#pragma once

#include <map>
#include <string>
#include <utility>

#include "model/trial.hpp"

namespace espalier {

/// Prepared learners of a search, by kernel and by the parameters that preparation depends on. They
/// are released when they exceed the memory.
class PreparedCache {
 public:
  /// All arguments must outlive this.
  PreparedCache(std::span<const FittedKernel> kernels, const Dataset& data, const Targets& targets,
                const Context& context)
      : kernels_(kernels), data_(data), targets_(targets), context_(context) {}

  /// Valid until the next call.
  Trial trial(std::size_t kernel, const TrainOptions& options);

 private:
  using Key = std::pair<std::string, std::size_t>;  ///< preparation_of() and kernel

  void prepare_from(std::size_t kernel, const TrainOptions& options, const std::string& how);
  /// Releases all but one, if together they exceed the memory.
  void shrink(const Key& kept);

  std::span<const FittedKernel> kernels_;
  const Dataset& data_;
  const Targets& targets_;
  const Context& context_;
  std::map<Key, std::unique_ptr<PreparedLearner>> learners_;
};

/// The values of the parameters that a prepared learner depends on.
std::string preparation_of(TrainOptions options);

}  // namespace espalier
