#pragma once

#include <string>
#include <string_view>

#include "espalier/model/model.hpp"

namespace espalier {

/// A model in the format of base/archive.hpp.
std::string archived(const Model& model);
/// Throws Error unless the parts are complete and consistent.
Model model_from_archive(std::string_view bytes);

}  // namespace espalier
