#include "learn/working_set.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace espalier {

namespace {

/// A variable that violates the optimality conditions.
struct Violation {
  double amount;
  std::uint64_t order;  ///< pseudo-random: at the start all violate equally
  std::uint32_t example;

  friend bool operator<(const Violation& a, const Violation& b) {
    if (a.amount != b.amount) return a.amount > b.amount;
    return a.order != b.order ? a.order < b.order : a.example < b.example;
  }
};

/// The examples of the largest violations, largest first.
std::vector<std::uint32_t> largest(std::vector<Violation>& all, std::size_t size) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(size, all.size()));
  if (end != all.end()) std::nth_element(all.begin(), end, all.end());
  std::sort(all.begin(), end);
  std::vector<std::uint32_t> out;
  for (auto each = all.begin(); each != end; ++each) out.push_back(each->example);
  return out;
}

}  // namespace

std::vector<std::uint32_t> WorkingSetChooser::choose(std::span<const std::size_t> programs,
                                                     std::span<const ProgramState> states,
                                                     std::span<const std::uint8_t> active,
                                                     double tolerance, std::size_t size) {
  ++call_;
  std::vector<Ranking> rankings;
  std::vector<std::uint32_t> free;
  for (const std::size_t p : programs) {
    rankings.push_back(rank(p, states[p], active, tolerance, size));
    const auto more = free_of_last(p, states[p], active);
    free.insert(free.end(), more.begin(), more.end());
  }
  std::vector<std::uint32_t> out;
  // At least the most violating pair, so that something changes.
  add_violating(rankings, std::max<std::size_t>(2, size - std::min(free.size(), size / 2)), out);
  for (const std::uint32_t example : free) {
    if (out.size() < size) add(example, out);
  }
  add_violating(rankings, size, out);
  std::ranges::sort(out);
  return out;
}

WorkingSetChooser::Ranking WorkingSetChooser::rank(std::size_t program, const ProgramState& state,
                                                   std::span<const std::uint8_t> active,
                                                   double tolerance, std::size_t size) const {
  const auto& [examples, quadratic, products] = programs_[program];
  std::vector<Violation> up, down;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::uint32_t example = examples[i];
    if (active[example] == 0) continue;
    const double rise = state.largest_down - (state.products[i] + quadratic.up(i, state.values[i]));
    const double fall = state.products[i] + quadratic.down(i, state.values[i]) - state.smallest_up;
    const std::uint64_t order = hash::mix(example + hash::key2, hash::key1);
    if (rise >= tolerance) up.push_back({rise, order, example});
    if (fall >= tolerance) down.push_back({fall, order, example});
  }
  return {largest(up, size), largest(down, size)};
}

std::vector<std::uint32_t> WorkingSetChooser::free_of_last(
    std::size_t program, const ProgramState& state, std::span<const std::uint8_t> active) const {
  const auto& [examples, quadratic, products] = programs_[program];
  std::vector<std::uint8_t> is_last(active.size(), 0);
  for (const std::uint32_t example : state.last) is_last[example] = active[example];
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (is_last[examples[i]] == 0) continue;
    const double value = state.values[i];
    if (quadratic.up(i, value) == quadratic.down(i, value)) out.push_back(examples[i]);
  }
  return out;
}

bool WorkingSetChooser::add(std::uint32_t example, std::vector<std::uint32_t>& out) {
  if (chosen_in_[example] == call_) return false;
  chosen_in_[example] = call_;
  out.push_back(example);
  return true;
}

void WorkingSetChooser::add_next(std::span<const std::uint32_t> list, std::size_t& next,
                                 std::vector<std::uint32_t>& out) {
  while (next < list.size() && !add(list[next++], out)) {
  }
}

void WorkingSetChooser::add_violating(std::vector<Ranking>& rankings, std::size_t size,
                                      std::vector<std::uint32_t>& out) {
  for (bool more = true; more && out.size() < size;) {
    const std::size_t before = out.size();
    for (Ranking& ranking : rankings) {
      if (out.size() < size) add_next(ranking.up, ranking.next_up, out);
      if (out.size() < size) add_next(ranking.down, ranking.next_down, out);
    }
    more = out.size() > before;
  }
}

}  // namespace espalier
