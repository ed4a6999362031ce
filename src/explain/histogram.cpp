#include "explain/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "espalier/data/summary.hpp"
#include "explain/scale.hpp"

namespace espalier {

namespace {

constexpr double most_bins = 30;
/// The figure's size and the area of the plot inside it.
constexpr struct {
  double width = 440, height = 240, left = 52, right = width - 12, top = 24, bottom = height - 44;
} bin_area;

/// Rounded powers of sqrt(2): 0, 1, 2, 3, 4, 6, 8, 11, 16, ..
std::vector<double> growing_ends(double low, double high) {
  std::vector<double> ends;
  if (low < 1) ends.push_back(0);
  for (double half_power = 0; ends.empty() || ends.back() <= high; ++half_power) {
    const double end = std::round(std::pow(2, half_power / 2));
    if (!ends.empty() && end <= ends.back()) continue;
    while (!ends.empty() && end <= low) ends.pop_back();  // no values below
    ends.push_back(end);
  }
  return ends;
}

std::vector<double> even_ends(double low, double high, bool whole) {
  double step = whole && high - low < most_bins ? 1 : round_step((high - low) / most_bins);
  if (whole) step = std::max(step, 1.0);
  const double first = std::floor(low / step);
  std::vector<double> ends = {first * step};
  for (double k = 1; ends.back() <= high; ++k) ends.push_back((first + k) * step);
  return ends;
}

std::string range_text(const Bin& bin, bool whole) {
  if (!whole) return fmt::format("{} to {}", tick_text(bin.low), tick_text(bin.high));
  if (bin.high - bin.low == 1) return tick_text(bin.low);
  return fmt::format("{} to {}", tick_text(bin.low), tick_text(bin.high - 1));
}

/// The horizontal axis. All bins are equally wide on it, whatever range they cover.
class BinAxis {
 public:
  explicit BinAxis(const Histogram& histogram)
      : histogram_(histogram),
        step_((bin_area.right - bin_area.left) / static_cast<double>(histogram.bins.size())),
        single_(histogram.whole && histogram.bins[0].high - histogram.bins[0].low == 1 &&
                !histogram.logarithmic) {}

  double begin(std::size_t bin) const { return bin_area.left + step_ * static_cast<double>(bin); }
  double step() const { return step_; }
  double operator()(double value) const {
    const auto& bins = histogram_.bins;
    std::size_t i = 0;
    while (i + 1 < bins.size() && value >= bins[i].high) ++i;
    const double within = (value - bins[i].low) / (bins[i].high - bins[i].low);
    return begin(i) + step_ * (single_ ? within + 0.5 : within);
  }

  void draw(Drawing& drawing) const {
    const auto& bins = histogram_.bins;
    double last_label = -1e9;
    const auto label = [&](double value, double x) {
      if (x - last_label < 38) return;
      last_label = x;
      drawing.line({x, bin_area.bottom}, {x, bin_area.bottom + 4}, "axis");
      drawing.text({x, bin_area.bottom + 16}, tick_text(value), "middle");
    };
    if (histogram_.logarithmic) {
      for (std::size_t i = 0; i < bins.size(); ++i) {
        const bool round = bins[i].low == 0 || std::fmod(std::log2(bins[i].low), 1) == 0;
        if (round) label(bins[i].low, begin(i));
      }
      return;
    }
    const double last = single_ ? bins.back().low : bins.back().high;
    for (const double tick : ticks(bins[0].low, last, 8, histogram_.whole)) {
      label(tick, (*this)(tick));
    }
  }

 private:
  const Histogram& histogram_;
  double step_;
  bool single_;
};

}  // namespace

Histogram make_histogram(std::span<const double> values, bool whole) {
  Histogram out;
  out.whole = whole;
  std::vector<double> sorted(values.begin(), values.end());
  const Distribution d = describe(sorted);
  out.logarithmic = whole && d.max - d.min >= most_bins && d.max > 8 * std::max(d.median, 1.0);
  const std::vector<double> ends =
      out.logarithmic ? growing_ends(d.min, d.max) : even_ends(d.min, d.max, whole);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) out.bins.push_back({ends[i], ends[i + 1], 0});
  std::size_t bin = 0;
  for (const double value : sorted) {
    while (value >= out.bins[bin].high) ++bin;
    ++out.bins[bin].count;
  }
  return out;
}

Figure histogram_figure(std::span<const double> values, bool whole, const HistogramText& text) {
  std::vector<double> sorted(values.begin(), values.end());
  const Distribution d = describe(sorted);
  Figure figure{text.name, text.title, "", bin_area.width, bin_area.height, {}};
  figure.caption = fmt::format("{}: {} to {}, median {}, mean {:.1f}.", text.axis, tick_text(d.min),
                               tick_text(d.max), tick_text(d.median), d.mean);
  const Histogram histogram = make_histogram(values, whole);
  if (histogram.logarithmic) figure.caption += " The bars cover wider ranges to the right.";
  std::uint64_t most = 1;
  for (const Bin& bin : histogram.bins) most = std::max(most, bin.count);

  Drawing& drawing = figure.drawing;
  const Scale y{0, static_cast<double>(most), bin_area.bottom, bin_area.top};
  draw_grid(drawing, y, ticks(0, y.high, 4, true), bin_area.left, bin_area.right);
  const BinAxis axis(histogram);
  for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
    const Bin& bin = histogram.bins[i];
    if (bin.count == 0) continue;
    const double at = y(static_cast<double>(bin.count)), inset = std::min(1.0, axis.step() / 8);
    // A bar of nearly 0 should still be visible.
    const double tall = std::max(bin_area.bottom - at, 1.0);
    const double wide = std::min(axis.step() - 2 * inset, 60.0);
    drawing.rectangle({axis.begin(i) + (axis.step() - wide) / 2, bin_area.bottom - tall}, wide,
                      tall, "bar",
                      fmt::format("{}: {}", range_text(bin, whole), counted(bin.count, text.what)));
  }
  axis.draw(drawing);
  const double median = axis(d.median);
  drawing.line({median, bin_area.top - 4}, {median, bin_area.bottom}, "mark");
  const bool on_the_left = median > (bin_area.left + bin_area.right) / 2;
  drawing.text({median + (on_the_left ? -5 : 5), bin_area.top - 8},
               fmt::format("median {}", tick_text(d.median)), on_the_left ? "end" : "");
  drawing.text({(bin_area.left + bin_area.right) / 2, bin_area.height - 8}, text.axis,
               "middle axis-title");
  drawing.text({bin_area.left, 10}, text.what + "s", "end axis-title");
  return figure;
}

}  // namespace espalier
