#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/bags.hpp"
#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier {

/// The examples of one side as distributed trees: the sum over the trees of these names, zeros for
/// an example without any. Immutable and thread-safe.
class DistributedSide final : public SharedInput {
 public:
  DistributedSide(const DistributedTreeOptions& options, Side side, std::vector<std::string> names);

  const Side& side() const { return side_; }
  const std::vector<std::string>& names() const { return names_; }
  const DistributedTreeOptions& options() const { return embedding_.options(); }

  std::size_t bytes(std::size_t examples) const { return examples * options().dim * sizeof(float); }
  /// A row for each of these examples. The bits depend only on the example.
  Matrix<float> rows(Slice examples, const Context& context = {}) const;
  /// Calls use(examples, rows) with the vectors of all examples, as many at a time as the memory
  /// allows.
  void for_all(const Context& context,
               const std::function<void(Slice, const Matrix<float>&)>& use) const;

  /// Computes and keeps the vectors of all examples, if they fit the memory.
  void keep(const Context& context);
  const std::optional<Matrix<float>>& kept() const { return kept_; }

 private:
  DistributedTrees embedding_;
  Side side_;
  std::vector<std::string> names_;
  std::optional<Matrix<float>> kept_;
};

}  // namespace espalier
