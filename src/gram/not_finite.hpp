#pragma once

#include <cstddef>
#include <string>

#include "espalier/base/error.hpp"

namespace espalier {

/// A kernel is beyond the precision that is asked for.
class KernelNotFinite : public Error {
 public:
  /// Of these examples, from 0.
  KernelNotFinite(std::size_t a, std::size_t b, bool single_precision)
      : Error("the kernel of examples " + std::to_string(a + 1) + " and " + std::to_string(b + 1) +
              " is too large for " + (single_precision ? "single" : "double") +
              " precision: use norm(..) or a smaller decay"),
        a(a),
        b(b) {}

  std::size_t a, b;
};

}  // namespace espalier
