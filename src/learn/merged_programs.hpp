#pragma once

#include <span>
#include <vector>

#include "learn/shared_programs.hpp"

namespace espalier {

/// Programs in which the variables of equal examples are one, if their linear terms are equal too:
/// its bounds are the sums of theirs. The optimum is the same, as only the sum of such variables
/// matters.
class MergedPrograms {
 public:
  MergedPrograms(const KernelSource& source, std::vector<SharedProgram> programs);

  /// The merged programs; to be taken once.
  std::vector<SharedProgram> take() { return std::move(merged_); }
  /// Solutions of the programs as they were, from those of the merged ones.
  std::vector<SharedSolution> split(std::vector<SharedSolution> solutions) const;

 private:
  /// The bounds of a program as it was.
  struct Variables {
    std::vector<std::uint32_t> merged;  ///< per variable: which one it is a part of
    std::vector<double> lower, upper;
  };

  static std::vector<double> split(const Variables& variables, std::span<const double> values);

  std::vector<SharedProgram> merged_;
  std::vector<Variables> variables_;  ///< per program
};

}  // namespace espalier
