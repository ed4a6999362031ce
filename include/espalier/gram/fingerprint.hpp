#pragma once

#include <string>

#include "espalier/base/context.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// A checksum of the data that kernels see: trees and vectors, not labels and texts. Equal data
/// have equal fingerprints, whatever file they come from; others collide with probability 2^-32.
/// Parallel, linear in the data.
std::string fingerprint(const Dataset& data, const Context& context = {});

/// The kernel as text, and checksums of its word vectors and learned weights.
std::string fingerprint(const FittedKernel& kernel);

}  // namespace espalier
