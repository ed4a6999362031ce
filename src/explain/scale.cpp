#include "explain/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"

namespace espalier {

namespace {

/// 10⁻⁴ to 10⁻⁹; empty for other values.
std::string small_power(double value) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int power = 4; power <= 9; ++power) {
    if (std::abs(value * std::pow(10, power) - 1) < 1e-9) {
      return fmt::format("10⁻{}", digits[power]);
    }
  }
  return "";
}

}  // namespace

double Scale::operator()(double value) const {
  const auto on_axis = [&](double v) { return logarithmic ? std::log10(v) : v; };
  const double span = on_axis(high) - on_axis(low);
  const double fraction = span > 0 ? (on_axis(value) - on_axis(low)) / span : 0.5;
  return begin + fraction * (end - begin);
}

double round_step(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks(double low, double high, std::size_t about, bool whole) {
  double step = round_step((high - low) / static_cast<double>(std::max<std::size_t>(about, 1)));
  if (whole) step = std::max(step, 1.0);
  std::vector<double> out;
  // Multiply rather than add up: 0.3, not 0.30000000000000004.
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    out.push_back(k * step + 0.0);  // never -0
  }
  return out;
}

std::vector<double> power_ticks(double low, double high, std::size_t most) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int step = std::max(1, (last - first + static_cast<int>(most)) / static_cast<int>(most));
  std::vector<double> out;
  for (int power = last; power >= first; power -= step) out.push_back(std::pow(10, power));
  return out;
}

std::string tick_text(double value) {
  if (std::string power = small_power(value); !power.empty()) return power;
  if (value >= 1000 && value == std::floor(value) && value < 1e15) {
    return grouped(static_cast<std::uint64_t>(value));
  }
  return fmt::format("{:.6g}", value);
}

void draw_grid(Drawing& drawing, const Scale& y, const std::vector<double>& values, double left,
               double right) {
  for (const double value : values) {
    drawing.line({left, y(value)}, {right, y(value)}, value == y.low ? "axis" : "grid");
    drawing.text({left - 6, y(value) + 4}, tick_text(value), "end");
  }
}

}  // namespace espalier
