#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "espalier/model/model.hpp"

namespace espalier {

/// A model in the format of base/archive.hpp.
std::string archived(const Model& model);
/// `version` is that of the file. Throws Error unless the parts are complete and consistent.
Model model_from_archive(std::string_view bytes, std::uint32_t version);

}  // namespace espalier
