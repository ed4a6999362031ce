#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "espalier/learn/feature_rows.hpp"
#include "espalier/learn/linear.hpp"
#include "learn/compact_rows.hpp"
#include "learn/quadratic_program.hpp"

namespace espalier {

/// The rows of all problems that descend() is called with. Refers to them.
class DescentRows {
 public:
  DescentRows(const FeatureRows& rows, const Context& context);

  const FeatureRows& all() const { return all_; }

  /// Sets the weights of all columns to the sum of values[k] x_i over i = positions[k], given the
  /// weights that descent has kept.
  void expand(std::span<const double> kept, std::span<const std::uint32_t> positions,
              std::span<const double> values, std::span<double> weights) const;

  /// Calls use(matrix, row of each position); the matrix is a Matrix<float> or CompactRows.
  template <class Use>
  decltype(auto) with_matrix(Use&& use) const {
    if (compact_) return use(*compact_, [](std::uint32_t p) { return p; });
    return use(*dense_, [this](std::uint32_t p) { return all_.example(p); });
  }

 private:
  const FeatureRows& all_;
  std::optional<CompactRows> compact_;    ///< of sparse rows
  const Matrix<float>* dense_ = nullptr;  ///< otherwise
};

/// Solves the program for the kernel x y (with a bias: x y + 1) by dual coordinate descent, without
/// the constraint on the sum, which a regularised bias does not need. There is a variable for each
/// of the positions, which are those of rows. For the squared hinge loss, a term b_i^2 / 4C
/// replaces the bounds C of the program.
///
/// Sets `weights`, one for each column, to the sum of b_i x_i. Solution::multiplier is -bias.
/// Deterministic. Throws Cancelled.
Solution descend(const DescentRows& rows, std::span<const std::uint32_t> positions,
                 const QuadraticProgram& program, const SolverOptions& options,
                 const LinearLearnerOptions& linear, std::span<double> weights,
                 const Context& context);

}  // namespace espalier
