#pragma once

#include <string>

#include "espalier/data/dataset.hpp"
#include "espalier/embed/principal_components.hpp"

namespace espalier::cli {

/// The first two components of the examples, coloured by class, as a page or as SVG.
std::string components_plot(bool page, const std::string& title, const Dataset& data,
                            const PrincipalComponents& pca);

}  // namespace espalier::cli
