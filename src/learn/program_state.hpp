#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/shared_pass.hpp"

namespace espalier {

/// A program between two rounds.
struct ProgramState {
  std::vector<double> values;       ///< b
  std::vector<double> products;     ///< K b; out of date for examples that are set aside
  std::vector<std::uint32_t> last;  ///< the working set of its last round
  std::uint64_t iterations = 0;
  bool capped = false;  ///< whether it has reached the limit of iterations

  // Of the optimality conditions, over the examples that are not set aside:
  double smallest_up = std::numeric_limits<double>::infinity();
  double largest_down = -std::numeric_limits<double>::infinity();

  double violation() const { return largest_down - smallest_up; }
  bool is_done(double tolerance) const { return capped || violation() < tolerance; }
  void find_violation(const SharedProgram& program, std::span<const std::uint8_t> active);
  /// Whether the gradient holds a variable at its bound, or at the kink of the tube.
  bool is_held(const SharedProgram& program, std::size_t variable) const;
};

/// Solves a program for the variables whose examples have a slot in the Gram matrix, the others
/// fixed; `slots` has none for these.
Change optimise(const SharedProgram& program, const ProgramState& state, const Matrix<float>& gram,
                std::span<const std::uint32_t> slots, const SolverOptions& options,
                const Context& context);

}  // namespace espalier
