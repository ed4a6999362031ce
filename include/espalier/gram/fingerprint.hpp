#pragma once

#include <string>

#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// A short text that tells data from others, as far as a kernel sees them: trees and vectors, not
/// labels and texts. Equal data have equal ones, whatever file they come from; others differ, but
/// for one chance in 2^32. Linear in the data.
std::string fingerprint(const Dataset& data);

/// The kernel as text, and what tells its word vectors and learned weights from others.
std::string fingerprint(const Kernel& kernel);

}  // namespace espalier
