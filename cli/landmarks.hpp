#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "espalier/embed/nystroem.hpp"

namespace espalier::cli {

/// The options of every command that can choose landmarks.
struct LandmarkOptions {
  std::size_t landmarks = 0;  ///< 0: none
  std::optional<LandmarkPolicy> policy = {};
  std::size_t sets = 1;
  SetWeights set_weights = SetWeights::equal;

  /// `who` begins the help: which of the ways that the command works these options are for.
  void add_to(CLI::App& command, const std::string& who);
  /// Nothing if there are no landmarks. Throws Error if there is a policy all the same.
  std::optional<NystroemOptions> options(std::uint64_t seed) const;
};

}  // namespace espalier::cli
