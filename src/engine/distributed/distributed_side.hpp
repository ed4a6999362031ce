#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "engine/dense_vectors.hpp"
#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier {

/// The examples of one side as distributed trees: the sum over the trees of these names, zeros for
/// an example without any. Thread-safe.
class DistributedSide final : public DenseVectors {
 public:
  DistributedSide(const DistributedTreeOptions& options, Side side, std::vector<std::string> names);

  const Side& side() const { return side_; }
  const std::vector<std::string>& names() const { return names_; }
  const DistributedTreeOptions& options() const { return embedding_.options(); }

  std::size_t examples() const override { return side_.data->size(); }
  std::size_t dim() const override { return options().dim; }
  ScaledRows rows(Slice examples, const Context& context) const override;

  /// Computes and keeps the vectors of all examples, if they fit the memory.
  void keep(const Context& context);
  const std::optional<ScaledRows>& kept() const { return kept_; }
  /// Whether the vector of an example, computed before, is outside the range of single precision.
  bool is_outside(std::size_t example) const {
    return outside_[example].load(std::memory_order_relaxed);
  }

 private:
  DistributedTrees embedding_;
  Side side_;
  std::vector<std::string> names_;
  std::optional<ScaledRows> kept_;
  mutable std::vector<std::atomic<bool>> outside_;  ///< noted when a row is computed
};

}  // namespace espalier
