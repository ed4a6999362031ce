#pragma once

#include <span>
#include <string>

#include "espalier/model/validation.hpp"

namespace espalier::cli {

/// An SVG picture: the score by C, a line for each kernel, its deviation as a band.
std::string tune_plot(std::span<const TunePoint> points);

}  // namespace espalier::cli
