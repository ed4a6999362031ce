#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/learn/network.hpp"
#include "espalier/model/validation.hpp"

namespace espalier {

/// How the losses, and the score on the validation set, went from epoch to epoch; as SVG.
std::string curve_svg(std::span<const NetworkEpoch> curve);

/// The score by C, a line for each kernel and a band for its standard deviation; as SVG.
/// Requires at least one point.
std::string tune_svg(std::span<const TunePoint> points, std::string_view metric);

struct ScatterOptions {
  std::string title;
  std::vector<std::string> axes;      ///< what the first two columns are called
  std::vector<std::string> classes;   ///< names; empty: all points are alike
  std::vector<std::uint32_t> groups;  ///< per point: which of classes
  std::vector<std::string> texts;     ///< per point: what a mouse over it shows
};

/// A point for each row, at its first two numbers, coloured by class; as SVG, or as a page.
std::string scatter_svg(const Matrix<float>& points, const ScatterOptions& options);
std::string scatter_page(const Matrix<float>& points, const ScatterOptions& options);

}  // namespace espalier
