#pragma once

#include <functional>

#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// The examples of one side as dense vectors whose dot products are a kernel. Immutable and
/// thread-safe.
class DenseVectors {
 public:
  virtual ~DenseVectors() = default;
  virtual std::size_t examples() const = 0;
  virtual std::size_t dim() const = 0;
  /// A row for each of these examples. The bits depend only on the example.
  virtual Matrix<float> rows(Slice examples, const Context& context) const = 0;

  std::size_t bytes(std::size_t count) const { return count * dim() * sizeof(float); }
  /// Calls use(examples, rows) with the vectors of all examples, as many at a time as the memory
  /// allows.
  void for_all(const Context& context,
               const std::function<void(Slice, const Matrix<float>&)>& use) const;
};

}  // namespace espalier
