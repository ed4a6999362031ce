#include "learn/program_state.hpp"

#include <algorithm>

namespace espalier {

namespace {

void keep_changes(std::span<const double> from, std::span<const double> to, Change& out) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (from[k] == to[k]) continue;
    out.variables[kept++] = out.variables[k];
    out.values.push_back(to[k]);
    out.steps.push_back(to[k] - from[k]);
  }
  out.variables.resize(kept);
}

}  // namespace

void ProgramState::find_violation(const SharedProgram& program,
                                  std::span<const std::uint8_t> active) {
  smallest_up = std::numeric_limits<double>::infinity();
  largest_down = -smallest_up;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (active[program.examples[i]] == 0) continue;
    smallest_up = std::min(smallest_up, products[i] + program.program.up(i, values[i]));
    largest_down = std::max(largest_down, products[i] + program.program.down(i, values[i]));
  }
}

bool ProgramState::is_held(const SharedProgram& program, std::size_t variable) const {
  const double product = products[variable], value = values[variable];
  return product + program.program.up(variable, value) > largest_down &&
         product + program.program.down(variable, value) < smallest_up;
}

Change optimise(const SharedProgram& program, const ProgramState& state, const Matrix<float>& gram,
                std::span<const std::uint32_t> slots, const SolverOptions& options,
                const Context& context) {
  const auto& [examples, whole, unused] = program;
  Change out;
  std::vector<std::uint32_t> rows;
  QuadraticProgram part;
  part.tube = whole.tube;
  for (std::uint32_t i = 0; i < examples.size(); ++i) {
    if (slots[examples[i]] == none) continue;
    out.variables.push_back(i);
    rows.push_back(slots[examples[i]]);
    part.linear.push_back(whole.linear[i]);
    part.lower.push_back(whole.lower[i]);
    part.upper.push_back(whole.upper[i]);
    part.start.push_back(state.values[i]);
    part.products.push_back(state.products[i]);
  }
  const Solution solution = solve(GramView(gram, rows), part, options, context);
  out.iterations = solution.iterations;
  keep_changes(part.start, solution.values, out);
  return out;
}

}  // namespace espalier
