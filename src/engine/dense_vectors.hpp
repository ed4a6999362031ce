#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "engine/inputs.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// Vectors beside powers of two: row i stands for values.row(i) * 2^exponents[i]. The exponent is 0
/// unless the vector is outside the range of single precision.
struct ScaledRows {
  Matrix<float> values;
  std::vector<int> exponents;

  /// 2^exponents[i]; 0 or inf if that is outside the range of double precision.
  double scale(std::size_t i) const { return std::ldexp(1.0, exponents[i]); }
};

/// Adds the rows of `more` to those of `to`.
void add(ScaledRows& to, const ScaledRows& more);

/// The examples of one side as dense vectors whose dot products are a kernel. Immutable and
/// thread-safe.
class DenseVectors {
 public:
  virtual ~DenseVectors() = default;
  virtual std::size_t examples() const = 0;
  virtual std::size_t dim() const = 0;
  /// A row for each of these examples. The bits depend only on the example.
  virtual ScaledRows rows(Slice examples, const Context& context) const = 0;

  std::size_t bytes(std::size_t count) const { return count * dim() * sizeof(float); }
  /// Calls use(examples, rows) with the vectors of all examples, as many at a time as the memory
  /// allows.
  void for_all(const Context& context,
               const std::function<void(Slice, const ScaledRows&)>& use) const;
};

}  // namespace espalier
