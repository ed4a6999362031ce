#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/program_state.hpp"

namespace espalier {

/// Finds examples to set aside: those that have been held at their bounds in all unfinished
/// programs for some rounds.
class IdleExamples {
 public:
  explicit IdleExamples(std::size_t examples) : rounds_(examples, 0) {}

  /// Counts a round. `moves` flags the examples that it may still move. Returns which of the active
  /// examples stay so; all of them if too few are idle, since the pass prepares for what is left.
  std::vector<std::uint8_t> still_active(std::span<const std::uint8_t> moves,
                                         std::span<const std::uint8_t> active);

  std::size_t size() const { return rounds_.size(); }
  /// What a run continues from.
  std::vector<std::uint8_t>& rounds() { return rounds_; }

 private:
  std::vector<std::uint8_t> rounds_;  ///< per example: since something moved it
};

}  // namespace espalier
