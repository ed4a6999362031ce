#pragma once

#include <cstddef>
#include <string>

#include "espalier/base/error.hpp"

namespace espalier {

/// Throws Error unless there is one prediction per example.
inline void check_lengths(std::size_t examples, std::size_t predictions) {
  if (examples == predictions) return;
  throw Error("the number of predictions, " + std::to_string(predictions) +
              ", is not that of the " + "examples, " + std::to_string(examples) +
              ": pass one for each");
}

}  // namespace espalier
