#include "tune_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace espalier::cli {

namespace {

// Told apart also by those who see red and green alike (Okabe & Ito).
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000", "#999999"};

struct Line {
  std::string kernel;
  std::vector<TunePoint> points;
};

std::vector<Line> lines_of(std::span<const TunePoint> points) {
  std::vector<Line> lines;
  for (const TunePoint& point : points) {
    if (lines.empty() || lines.back().kernel != point.kernel) lines.push_back({point.kernel, {}});
    lines.back().points.push_back(point);
  }
  for (Line& line : lines) std::ranges::sort(line.points, {}, &TunePoint::cost);
  return lines;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

/// Where things stand in the picture.
class Frame {
 public:
  explicit Frame(std::span<const TunePoint> points) {
    for (const TunePoint& point : points) {
      const double deviation = point.score.standard_deviation.value_or(0);
      low_ = std::min(low_, point.score.mean - deviation);
      high_ = std::max(high_, point.score.mean + deviation);
      costs_.push_back(point.cost);
    }
    std::ranges::sort(costs_);
    costs_.erase(std::ranges::unique(costs_).begin(), costs_.end());
    const double margin = std::max(1e-4, 0.05 * (high_ - low_));
    low_ -= margin;
    high_ += margin;
  }

  double x(double cost) const {
    const double first = std::log(costs_.front()), last = std::log(costs_.back());
    const double share = last > first ? (std::log(cost) - first) / (last - first) : 0.5;
    return left + share * (right - left);
  }
  double y(double score) const { return bottom - (score - low_) / (high_ - low_) * (bottom - top); }

  std::string axes() const {
    std::string out;
    double step = std::pow(10, std::floor(std::log10(high_ - low_)));
    if ((high_ - low_) / step < 4) step /= 2;
    if ((high_ - low_) / step < 4) step /= 2.5;
    for (double tick = std::ceil(low_ / step) * step; tick <= high_; tick += step) {
      out += fmt::format(
          "<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' stroke='#ddd'/>"
          "<text x='{}' y='{:.1f}' text-anchor='end'>{:.3g}</text>\n",
          left, right, y(tick), y(tick), left - 8, y(tick) + 4, tick);
    }
    for (const double cost : costs_) {
      out += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>\n", x(cost),
                         bottom + 20, cost);
    }
    return out + fmt::format("<text x='{}' y='{}' text-anchor='middle'>C</text>\n",
                             (left + right) / 2, bottom + 40);
  }

  static constexpr double left = 60, right = 560, top = 20, bottom = 320;

 private:
  double low_ = 1e300;
  double high_ = -1e300;
  std::vector<double> costs_;
};

std::string drawn(const Line& line, const char* colour, const Frame& frame) {
  std::string curve, upper, lower, dots;
  for (const TunePoint& point : line.points) {
    const double x = frame.x(point.cost), mean = point.score.mean;
    const double deviation = point.score.standard_deviation.value_or(0);
    curve += fmt::format("{:.1f},{:.1f} ", x, frame.y(mean));
    upper += fmt::format("{:.1f},{:.1f} ", x, frame.y(mean + deviation));
    lower = fmt::format("{:.1f},{:.1f} ", x, frame.y(mean - deviation)) + lower;
    dots += fmt::format(
        "<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'><title>{}, C = {}: {:.4f}"
        "</title></circle>\n",
        x, frame.y(mean), colour, escaped(line.kernel), point.cost, mean);
  }
  return fmt::format(
      "<polygon points='{}{}' fill='{}' fill-opacity='0.08'/>\n"
      "<polyline points='{}' fill='none' stroke='{}' stroke-width='2'/>\n{}",
      upper, lower, colour, curve, colour, dots);
}

}  // namespace

std::string tune_plot(std::span<const TunePoint> points) {
  const Frame frame(points);
  const std::vector<Line> lines = lines_of(points);
  const double height = Frame::bottom + 60 + 18 * static_cast<double>(lines.size());
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 600 {0}' width='600' height='{0}' "
      "font-family='sans-serif' font-size='12' fill='#222'>\n"
      "<rect width='600' height='{0}' fill='white'/>\n",
      height);
  out += frame.axes();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const char* const colour = colours[k % std::size(colours)];
    out += drawn(lines[k], colour, frame);
    const double y = Frame::bottom + 62 + 18 * static_cast<double>(k);
    out += fmt::format(
        "<line x1='{}' x2='{}' y1='{}' y2='{}' stroke='{}' stroke-width='3'/>"
        "<text x='{}' y='{}'>{}</text>\n",
        Frame::left, Frame::left + 20, y - 4, y - 4, colour, Frame::left + 28, y,
        escaped(lines[k].kernel));
  }
  return out + "</svg>\n";
}

}  // namespace espalier::cli
