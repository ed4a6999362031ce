#pragma once

#include <cstdint>
#include <vector>

#include "espalier/learn/working_set.hpp"
#include "learn/quadratic_program.hpp"

namespace espalier {

/// A quadratic program whose variables are some examples of a source. A variable whose bounds are
/// both 0 is an example that is not trained on, but whose product is wanted.
struct SharedProgram {
  std::vector<std::uint32_t> examples;  ///< per variable
  QuadraticProgram program;
  std::vector<double> products = {};  ///< K start; empty: not known
};

struct SharedSolution {
  Solution solution;
  std::vector<double> products;  ///< K b, per variable
};

/// Solves programs that share the kernels of a source, with a working set for all of them. Throws
/// Cancelled.
std::vector<SharedSolution> solve(KernelSource& source, std::vector<SharedProgram> programs,
                                  const SolverOptions& options,
                                  const WorkingSetOptions& working_set, const Context& context);

}  // namespace espalier
