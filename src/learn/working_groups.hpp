#pragma once

#include <span>
#include <vector>

#include "learn/program_state.hpp"
#include "learn/working_set.hpp"

namespace espalier {

/// Programs that share a working set.
struct WorkingGroup {
  std::vector<std::size_t> programs;
  std::vector<std::uint32_t> examples;
};

/// Divides programs into groups with working sets, and optimises them on the Gram matrices of
/// these.
class WorkingGroups {
 public:
  /// Refers to all of them. `context.memory` is for the Gram matrices.
  WorkingGroups(KernelSource& source, std::span<const SharedProgram> programs,
                const SolverOptions& options, const WorkingSetOptions& working_set,
                const Context& context);

  /// The groups of the next round, without programs that are done. `active` flags the examples that
  /// may be chosen, of which there are `targets`.
  std::vector<WorkingGroup> make(std::span<const ProgramState> states,
                                 std::span<const std::uint8_t> active, std::size_t targets,
                                 bool is_first_round);
  /// What optimises each program on the working set of its group; nothing for the others.
  std::vector<Change> optimise(std::span<const WorkingGroup> groups,
                               std::span<const ProgramState> states);

  std::uint64_t most_iterations(std::size_t program) const;

 private:
  std::size_t groups_at_a_time() const;
  void optimise_together(std::span<const WorkingGroup> groups, std::span<const ProgramState> states,
                         std::vector<Change>& changes);

  KernelSource& source_;
  std::span<const SharedProgram> programs_;
  const SolverOptions& options_;
  const Context& context_;
  std::size_t largest_;  ///< size of a working set
  WorkingSetChooser chooser_;
  std::vector<Matrix<float>> grams_;  ///< of groups at a time; kept for their memory
};

}  // namespace espalier
