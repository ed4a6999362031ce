#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"
#include "work.hpp"

namespace espalier::cli {

/// The kernels with the vectors of the words in the data. Tells on stderr how many have one, unless
/// asked to be quiet, and warns of labels of select() that the data lack.
std::vector<FittedKernel> look_up_words(std::span<const FittedKernel> kernels,
                                        std::initializer_list<const Dataset*> data,
                                        const WorkOptions& work);
FittedKernel look_up_words(const FittedKernel& kernel, std::initializer_list<const Dataset*> data,
                           const WorkOptions& work);

/// For `info`: how many words of the trees have a vector in the file, and frequent ones that have
/// none.
std::string coverage_text(const Dataset& data, const std::string& file);

}  // namespace espalier::cli
