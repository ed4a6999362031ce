#pragma once

#include <string>

#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// A checksum of the data that kernels see: trees and vectors, not labels and texts. Equal data
/// have equal fingerprints, whatever file they come from (on machines of
/// the same byte order); others collide with probability 2^-64.
/// Linear in the distinct subtrees, trees and values of vectors.
std::string fingerprint(const Dataset& data);

/// The kernel as text, and checksums of its word vectors and learned weights.
std::string fingerprint(const FittedKernel& kernel);

}  // namespace espalier
