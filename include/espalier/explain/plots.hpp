#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/base/matrix.hpp"
#include "espalier/learn/network.hpp"
#include "espalier/model/learning_curve.hpp"

namespace espalier {

/// Losses and validation score by epoch, as SVG.
std::string curve_svg(std::span<const NetworkEpoch> curve);

/// The score by a parameter as SVG: a line for each setting of the others, with a band for its
/// standard deviation, the chosen point marked; the best lines, if there are many. Requires at
/// least one point. `x` is a searched parameter, a list in the kernel, or "kernel"; "": the
/// parameter with the most values. Throws Error if there is no such parameter.
std::string tune_svg(std::span<const TunePoint> points, const TunePoint& best, const Metric& metric,
                     const std::string& x = "");

/// Learning curves as SVG: the metric with its intervals, and the seconds, by the size of the
/// training set; a line for each kernel. Requires at least one point.
std::string learning_curve_svg(std::span<const CurvePoint> points, std::string_view metric);

struct ScatterOptions {
  std::string title;
  std::vector<std::string> axes;      ///< titles of the two axes
  std::vector<std::string> classes;   ///< names; empty: all points have one colour
  std::vector<std::uint32_t> groups;  ///< per point: index into classes
  std::vector<std::string> texts;     ///< per point: the tooltip
};

/// A scatter plot of the first two columns, coloured by class; as SVG or as an HTML page.
std::string scatter_svg(const Matrix<float>& points, const ScatterOptions& options);
std::string scatter_page(const Matrix<float>& points, const ScatterOptions& options);

}  // namespace espalier
