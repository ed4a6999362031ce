#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/program_state.hpp"

namespace espalier {

/// Chooses working sets.
class WorkingSetChooser {
 public:
  WorkingSetChooser(std::span<const SharedProgram> programs, std::size_t examples)
      : programs_(programs), chosen_in_(examples, 0) {}

  /// A working set for some programs: at most `size` examples, ascending. Those that violate the
  /// optimality conditions most, taken from each of the programs in turn, and those of their last
  /// working sets that are free. `active` flags the examples that may be chosen.
  std::vector<std::uint32_t> choose(std::span<const std::size_t> programs,
                                    std::span<const ProgramState> states,
                                    std::span<const std::uint8_t> active, double tolerance,
                                    std::size_t size);

 private:
  /// The most violating variables of a program, worst first.
  struct Ranking {
    std::vector<std::uint32_t> up, down;  ///< examples
    std::size_t next_up = 0, next_down = 0;
  };

  Ranking rank(std::size_t program, const ProgramState& state, std::span<const std::uint8_t> active,
               double tolerance, std::size_t size) const;
  std::vector<std::uint32_t> free_of_last(std::size_t program, const ProgramState& state,
                                          std::span<const std::uint8_t> active) const;
  bool add(std::uint32_t example, std::vector<std::uint32_t>& out);
  void add_next(std::span<const std::uint32_t> list, std::size_t& next,
                std::vector<std::uint32_t>& out);
  void add_violating(std::vector<Ranking>& rankings, std::size_t size,
                     std::vector<std::uint32_t>& out);

  std::span<const SharedProgram> programs_;
  std::vector<std::uint32_t> chosen_in_;  ///< per example: the last call that chose it
  std::uint32_t call_ = 0;
};

}  // namespace espalier
