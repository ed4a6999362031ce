#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/shared_programs.hpp"

namespace espalier {

/// New values of some variables of a program.
struct Change {
  std::vector<std::uint32_t> variables;
  std::vector<double> values;
  std::vector<double> steps;  ///< from the values before
  std::uint64_t iterations = 0;
};

/// Computes what changes of variables mean for the products of all programs.
class SharedPass {
 public:
  /// Refers to all of them.
  SharedPass(KernelSource& source, std::span<const SharedProgram> programs, const Context& context);

  /// Flags the examples whose products are computed; the others are set aside.
  std::span<const std::uint8_t> active() const { return active_; }
  void set_active(std::vector<std::uint8_t> active);
  void set_all_active();
  /// The number of active examples.
  std::size_t targets() const { return targets_.size(); }

  /// K times the steps of each program, per variable; 0 for examples that are set aside. Empty for
  /// programs without a change.
  std::vector<std::vector<double>> products_of(std::span<const Change> changes);

 private:
  void add_outputs(std::span<const std::size_t> programs, std::span<const Change> changes,
                   std::vector<std::vector<double>>& out);
  std::size_t outputs_at_a_time() const;

  KernelSource& source_;
  std::span<const SharedProgram> programs_;
  const Context& context_;
  std::vector<std::uint8_t> used_;      ///< per example: whether a program has it
  std::vector<std::uint8_t> active_;    ///< per example
  std::vector<std::uint32_t> targets_;  ///< the active examples
  std::vector<std::uint32_t> row_of_;   ///< per example: its place in targets_, or none
};

}  // namespace espalier
