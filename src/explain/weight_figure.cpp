#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "explain/exponential_fit.hpp"
#include "explain/figures.hpp"
#include "explain/quantiles.hpp"
#include "explain/scale.hpp"
#include "explain/words.hpp"

namespace espalier {

namespace {

/// The figure's size and the area of the plot inside it.
constexpr struct {
  double width = 900, height = 380, left = 64, right = width - 12, top = 14, bottom = height - 76;
} weight_area;
constexpr std::uint32_t most_boxes = 30;

/// The subtrees of a range of heights.
struct HeightBin {
  std::vector<double> weights;  ///< positive ones, sorted
  std::uint64_t silent = 0;     ///< number of subtrees with weight 0
  double sum = 0;

  std::uint64_t subtrees() const { return weights.size() + silent; }
  double mean() const { return subtrees() == 0 ? 0 : sum / static_cast<double>(subtrees()); }
};

struct Binned {
  std::vector<HeightBin> bins;
  std::uint32_t step = 1;  ///< heights per bin
  double low = 1;          ///< lower end of the axis
  bool some_silent = false;
};

std::uint32_t tallest(const Report& report) {
  std::uint32_t out = 0;
  for (VertexId v = 0; v < report.facts.size(); ++v) {
    out = std::max(out, report.forest.height(v));
  }
  return out;
}

Binned bin_by_height(const Report& report) {
  Binned out;
  const std::uint32_t last = tallest(report);
  out.step = static_cast<std::uint32_t>(
      std::max(1.0, round_step(static_cast<double>(last + 1) / most_boxes)));
  out.bins.resize(last / out.step + 1);
  for (VertexId v = 0; v < report.facts.size(); ++v) {
    HeightBin& bin = out.bins[report.forest.height(v) / out.step];
    const double weight = report.facts[v].weight;
    bin.sum += weight;
    if (weight > 0) {
      bin.weights.push_back(weight);
    } else {
      out.some_silent = true;
      ++bin.silent;
    }
  }
  for (HeightBin& bin : out.bins) {
    std::ranges::sort(bin.weights);
    if (!bin.weights.empty()) {
      out.low = std::min({out.low, quantile(bin.weights, 0.05), bin.mean()});
    }
  }
  out.low = std::pow(10, std::floor(std::log10(std::max(out.low, 1e-9))));
  out.low = std::min(out.low, 0.1);
  return out;
}

std::vector<HeightMean> means_by_height(const Report& report) {
  std::vector<HeightMean> out(tallest(report) + std::size_t{1});
  for (VertexId v = 0; v < report.facts.size(); ++v) {
    HeightMean& mean = out[report.forest.height(v)];
    mean.height = report.forest.height(v);
    mean.mean += report.facts[v].weight;
    ++mean.subtrees;
  }
  for (HeightMean& mean : out) {
    if (mean.subtrees > 0) mean.mean /= static_cast<double>(mean.subtrees);
  }
  return out;
}

void draw_box(const HeightBin& bin, const std::string& heights, double x, double half,
              const Scale& y, Drawing& drawing) {
  if (bin.weights.empty()) return;
  const auto at = [&](double value) { return y(std::clamp(value, y.low, y.high)); };
  const auto q = [&](double fraction) { return quantile(bin.weights, fraction); };
  drawing.open_group("class=\"box\"");
  drawing.title(fmt::format("height {}: {}, mean weight {}, median of those above 0 {}, largest {}",
                            heights, counted(bin.subtrees(), "subtree"), weight_text(bin.mean()),
                            weight_text(q(0.5)), weight_text(bin.weights.back())));
  drawing.line({x, at(q(0.05))}, {x, at(q(0.95))}, "whisker");
  drawing.rectangle({x - half, at(q(0.75))}, 2 * half, std::max(1.0, at(q(0.25)) - at(q(0.75))),
                    "quartiles");
  drawing.line({x - half, at(q(0.5))}, {x + half, at(q(0.5))}, "median");
  drawing.circle({x, at(bin.weights.back())}, 2, "largest");
  const double mean = at(bin.mean());
  drawing.path(fmt::format("M{0} {1}l4 4l-4 4l-4 -4z", coordinate(x), coordinate(mean - 4)),
               "mean");
  drawing.close_group();
}

/// Draws the part of the line that is within the axes.
void draw_fit(const ExponentialFit& fit, double last, const Scale& x, const Scale& y,
              Drawing& drawing) {
  std::string path;
  constexpr int steps = 200;
  for (int i = 0; i <= steps; ++i) {
    const double h = last * i / steps, value = fit.start * std::pow(fit.decay, h);
    if (value < y.low || value > y.high) continue;
    path +=
        fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(x(h)), coordinate(y(value)));
  }
  if (!path.empty()) drawing.path(path, "fit");
}

std::string fit_text(const std::optional<ExponentialFit>& fit) {
  if (!fit) return "All weights that are not 0 are at one height: there is no decay to fit.";
  if (fit->decay > 1) {
    return fmt::format(
        "The mean weight rises with height, {:.2f} times per level: no decay below 1 is like these "
        "weights.",
        fit->decay);
  }
  return fmt::format("The mean weight falls with height like decay {:.2f} (dashed line).",
                     fit->decay);
}

}  // namespace

Figure weight_figure(const Report& report) {
  const Binned binned = bin_by_height(report);
  const auto fit = fit_exponential(means_by_height(report));
  Figure figure{"weights", "Weights by height", "", weight_area.width, weight_area.height, {}};
  figure.caption = fit_text(fit) +
                   " Diamonds are means of all subtrees of a height. Boxes hold the middle half of "
                   "the weights above 0, lines reach from 5 % to 95 %, dots are the largest.";
  Drawing& drawing = figure.drawing;
  const Scale y{binned.low, 1, weight_area.bottom, weight_area.top, true};
  draw_grid(drawing, y, power_ticks(y.low, y.high, 7), weight_area.left, weight_area.right);
  const auto bins = static_cast<double>(binned.bins.size());
  const double step = (weight_area.right - weight_area.left) / bins,
               half = std::min(step * 0.32, 18.0);
  for (std::size_t i = 0; i < binned.bins.size(); ++i) {
    const double x = weight_area.left + step * (static_cast<double>(i) + 0.5);
    const std::uint64_t first = i * binned.step, last = first + binned.step - 1;
    const HeightBin& bin = binned.bins[i];
    draw_box(bin, first == last ? grouped(first) : grouped(first) + " to " + grouped(last), x, half,
             y, drawing);
    const std::size_t every = bins > 16 ? 2 : 1;
    if (i % every != 0) continue;
    drawing.text({x, weight_area.bottom + 18}, grouped(first), "middle");
    if (bin.silent == 0) continue;
    const double silent =
        100 * static_cast<double>(bin.silent) / static_cast<double>(bin.subtrees());
    drawing.text({x, weight_area.bottom + 38},
                 silent < 1 ? "<1 %" : fmt::format("{:.0f} %", silent), "middle muted");
  }
  if (binned.some_silent)
    drawing.text({weight_area.left - 8, weight_area.bottom + 38}, "weigh 0", "end axis-title");
  drawing.text({weight_area.left - 8, weight_area.bottom + 18}, "height", "end axis-title");
  drawing.text({(weight_area.left + weight_area.right) / 2, weight_area.height - 12},
               binned.step > 1 ? fmt::format("height of the subtree, in steps of {}", binned.step)
                               : "height of the subtree (0: a single leaf)",
               "middle axis-title");
  if (fit) {
    const double per_height = step / binned.step;
    const double origin = weight_area.left + per_height / 2, last = bins * binned.step - 1;
    draw_fit(*fit, last,
             {0, std::max(last, 1.0), origin, origin + per_height * std::max(last, 1.0)}, y,
             drawing);
  }
  return figure;
}

}  // namespace espalier
