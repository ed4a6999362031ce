#include "learn/quadratic_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/sweep.hpp"

namespace espalier {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The state of one solve. Positions index all variables; slots index the active ones, which are
/// contiguous, by ascending position.
class Smo {
 public:
  Smo(const GramView& view, const QuadraticProgram& program, const SolverOptions& options,
      const Context& context)
      : view_(view), program_(program), options_(options), context_(context), size_(view.size()) {
    values_ = program.start.empty() ? std::vector<double>(size_, 0.0) : program.start;
    reference_ = program.products;
    reference_values_ = values_;
    if (reference_.empty()) {
      reference_.assign(size_, 0.0);
      reference_values_.assign(size_, 0.0);
    }
    row_a_.resize(size_);
    row_b_.resize(size_);
    activate_all();
  }

  Solution run() {
    const std::uint64_t cap = options_.max_iterations > 0
                                  ? options_.max_iterations
                                  : std::max<std::uint64_t>(10'000'000, 100 * size_);
    const std::uint64_t period = std::min<std::uint64_t>(size_, shrink_period);
    std::uint64_t iterations = 0;
    bool converged = false;
    for (std::uint64_t until_shrink = period; iterations < cap;) {
      if (optimal()) {
        if (active_.size() == size_) {
          converged = gap_ < options_.tolerance;
          break;
        }
        activate_all();
        until_shrink = 1;  // most shrunk variables will be shrunk again
        continue;
      }
      step();
      ++iterations;
      if (--until_shrink == 0) {
        if (context_.cancelled && context_.cancelled()) throw Cancelled();
        if (options_.shrinking) shrink();
        until_shrink = period;
      }
    }
    if (active_.size() < size_) activate_all();
    return solution(iterations, converged);
  }

 private:
  static constexpr std::uint64_t shrink_period = 300;

  /// Selects the working set: first_ increases, partner_ decreases.
  bool optimal() {
    gap_ = -infinity;
    if (first_.value == infinity) return true;
    row_of_first_ = row(first_.index, row_a_);
    partner_ = best_partner(products_.data(), down_.data(), selves_.data(),
                            {first_.value, selves_[first_.index], row_of_first_}, active_.size());
    gap_ = partner_.largest - first_.value;
    return gap_ < options_.tolerance || partner_.gain <= 0;
  }

  void step() {
    const std::size_t a = first_.index, b = partner_.index;
    const float* const row_of_partner = row(b, row_b_);
    const double curvature =
        pair_curvature(selves_[a], selves_[b], static_cast<double>(row_of_first_[b]));
    const double d = products_[b] + down_[b] - first_.value;
    double& rising = values_[active_[a]];
    double& falling = values_[active_[b]];
    const double end_of_rise = rising < 0 ? 0 : program_.upper[active_[a]];
    const double end_of_fall = falling > 0 ? 0 : program_.lower[active_[b]];
    const double wanted = d / curvature;
    const double taken = std::min({wanted, end_of_rise - rising, falling - end_of_fall});
    // Reach bounds exactly: "at its bound" is a comparison.
    rising = taken == end_of_rise - rising ? end_of_rise : rising + taken;
    falling = taken == falling - end_of_fall ? end_of_fall : falling - taken;
    set_offsets(a);
    set_offsets(b);
    first_ = add_rows(products_.data(), {row_of_first_, taken}, {row_of_partner, -taken},
                      up_.data(), active_.size());
  }

  /// The kernels of an active variable with all active ones, contiguous.
  const float* row(std::size_t slot, std::vector<float>& buffer) const {
    const float* const whole = view_.gram().row(columns_[slot]).data();
    if (side_by_side_) return whole + columns_[0];
    for (std::size_t k = 0; k < columns_.size(); ++k) buffer[k] = whole[columns_[k]];
    return buffer.data();
  }

  void set_offsets(std::size_t slot) {
    const std::size_t i = active_[slot];
    up_[slot] = program_.up(i, values_[i]);
    down_[slot] = program_.down(i, values_[i]);
  }

  /// Shrinks: deactivates variables whose gradient holds them at a bound or at the kink of the
  /// tube.
  void shrink() {
    // Once, near the optimum, reactivate all: early shrinking may have been wrong.
    if (!looked_back_ && gap_ <= 10 * options_.tolerance) {
      looked_back_ = true;
      activate_all();
    }
    double largest = -infinity;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      largest = std::max(largest, products_[k] + down_[k]);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (products_[k] + up_[k] > largest && products_[k] + down_[k] < first_.value) continue;
      active_[kept] = active_[k];
      products_[kept++] = products_[k];
    }
    set_active(kept);
  }

  /// Reactivates all variables, and updates the products of those that were shrunk.
  void activate_all() {
    std::vector<std::uint32_t> away;
    for (std::uint32_t i = 0, slot = 0; i < size_; ++i) {
      if (slot < active_.size() && active_[slot] == i) {
        reference_[i] = products_[slot++];
      } else {
        away.push_back(i);
      }
    }
    update_reference(away);
    reference_values_ = values_;
    products_ = reference_;
    active_.resize(size_);
    for (std::uint32_t i = 0; i < size_; ++i) active_[i] = i;
    set_active(size_);
  }

  /// Adds to the products of these variables what has changed since all were active.
  void update_reference(const std::vector<std::uint32_t>& away) {
    std::vector<std::uint32_t> columns;
    columns.reserve(away.size());
    for (const std::uint32_t j : away) columns.push_back(view_.example(j));
    std::vector<double> sums(away.size(), 0);
    for (std::size_t i = 0; i < size_; ++i) {
      const double change = values_[i] - reference_values_[i];
      if (change == 0) continue;
      const float* const kernels = view_.gram().row(view_.example(i)).data();
      for (std::size_t k = 0; k < columns.size(); ++k) {
        sums[k] += change * static_cast<double>(kernels[columns[k]]);
      }
    }
    for (std::size_t k = 0; k < away.size(); ++k) reference_[away[k]] += sums[k];
  }

  /// Keeps the first `count` slots.
  void set_active(std::size_t count) {
    for (auto* list : {&products_, &up_, &down_, &selves_}) list->resize(count);
    active_.resize(count);
    columns_.resize(count);
    side_by_side_ = true;
    for (std::size_t k = 0; k < count; ++k) {
      columns_[k] = view_.example(active_[k]);
      selves_[k] = static_cast<double>(view_.gram()(columns_[k], columns_[k]));
      side_by_side_ = side_by_side_ && columns_[k] == columns_[0] + k;
      set_offsets(k);
    }
    first_ = smallest_sum(products_.data(), up_.data(), count);
  }

  /// Requires all variables to be active.
  Solution solution(std::uint64_t iterations, bool converged) {
    Solution out = solution_at(program_, std::move(values_), products_);
    out.iterations = iterations;
    out.converged = converged;
    return out;
  }

  const GramView& view_;
  const QuadraticProgram& program_;
  const SolverOptions& options_;
  const Context& context_;
  const std::size_t size_;

  // By position.
  std::vector<double> values_;            ///< b
  std::vector<double> reference_;         ///< K b when all were last active
  std::vector<double> reference_values_;  ///< b at that time

  // By slot.
  std::vector<std::uint32_t> active_;   ///< positions
  std::vector<std::uint32_t> columns_;  ///< their columns in the matrix
  std::vector<double> products_;        ///< K b
  std::vector<double> up_;
  std::vector<double> down_;
  std::vector<double> selves_;  ///< K(x, x)
  bool side_by_side_ = true;    ///< the columns are contiguous in the matrix: no gather

  Smallest first_;
  Partner partner_;
  double gap_ = infinity;  ///< violation of the optimality conditions
  const float* row_of_first_ = nullptr;
  std::vector<float> row_a_;
  std::vector<float> row_b_;
  bool looked_back_ = false;
};

}  // namespace

Solution solution_at(const QuadraticProgram& program, std::vector<double> values,
                     std::span<const double> products) {
  Solution out;
  double free_sum = 0, smallest = infinity, largest = -infinity;
  std::size_t free_count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    out.objective += value * (products[i] / 2 + program.linear[i]);
    out.objective += program.tube * std::abs(value);
    const double up = program.up(i, value), down = program.down(i, value);
    smallest = std::min(smallest, products[i] + up);
    largest = std::max(largest, products[i] + down);
    if (up != down) continue;
    free_sum += products[i] + up;
    ++free_count;
  }
  if (free_count > 0) {
    out.multiplier = free_sum / static_cast<double>(free_count);
  } else if (std::isfinite(smallest) && std::isfinite(largest)) {
    out.multiplier = (smallest + largest) / 2;
  } else if (std::isfinite(smallest) || std::isfinite(largest)) {
    out.multiplier = std::isfinite(smallest) ? smallest : largest;
  }
  out.values = std::move(values);
  return out;
}

Solution solve(const GramView& view, const QuadraticProgram& program, const SolverOptions& options,
               const Context& context) {
  return Smo(view, program, options, context).run();
}

}  // namespace espalier
