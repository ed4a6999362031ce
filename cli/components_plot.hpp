#pragma once

#include <string>

#include "espalier/data/dataset.hpp"
#include "espalier/embed/principal_components.hpp"

namespace espalier::cli {

/// Draws the first two components of the examples, coloured by class, as a page or as SVG.
void write_components_plot(const std::string& path, const std::string& title, const Dataset& data,
                           const PrincipalComponents& pca);

}  // namespace espalier::cli
