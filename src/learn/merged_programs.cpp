#include "learn/merged_programs.hpp"

#include <algorithm>
#include <utility>

namespace espalier {

namespace {

/// Finds the merged variable for an example and a linear term.
class VariableIndex {
 public:
  explicit VariableIndex(std::size_t examples) : first_(examples, none) {}

  /// Its place among the merged variables; `next` if there is none yet, which is then added.
  std::uint32_t find(std::uint32_t example, double linear, std::uint32_t next) {
    std::uint32_t* at = &first_[example];
    while (*at != none) {
      if (linear_[*at] == linear) return *at;
      at = &other_[*at];
    }
    *at = next;
    linear_.push_back(linear);
    other_.push_back(none);
    return next;
  }

 private:
  std::vector<std::uint32_t> first_;  ///< per example: one of its variables
  std::vector<std::uint32_t> other_;  ///< per variable: another one of the example
  std::vector<double> linear_;        ///< per variable
};

/// Adds variable i of a program to a merged one.
void add(const SharedProgram& from, std::size_t i, std::uint32_t example, std::uint32_t variable,
         SharedProgram& to) {
  const QuadraticProgram& part = from.program;
  QuadraticProgram& sum = to.program;
  if (variable == to.examples.size()) {
    to.examples.push_back(example);
    sum.linear.push_back(part.linear[i]);
    sum.lower.push_back(0);
    sum.upper.push_back(0);
    if (!part.start.empty()) sum.start.push_back(0);
    if (!from.products.empty()) to.products.push_back(from.products[i]);
  }
  sum.lower[variable] += part.lower[i];
  sum.upper[variable] += part.upper[i];
  if (!part.start.empty()) sum.start[variable] += part.start[i];
}

}  // namespace

MergedPrograms::MergedPrograms(const KernelSource& source, std::vector<SharedProgram> programs) {
  for (SharedProgram& program : programs) {
    Variables variables;
    SharedProgram merged;
    merged.program.tube = program.program.tube;
    VariableIndex index(source.size());
    for (std::size_t i = 0; i < program.examples.size(); ++i) {
      const std::uint32_t example = source.representative(program.examples[i]);
      const auto next = static_cast<std::uint32_t>(merged.examples.size());
      const std::uint32_t variable = index.find(example, program.program.linear[i], next);
      variables.merged.push_back(variable);
      add(program, i, example, variable, merged);
    }
    variables.lower = std::move(program.program.lower);
    variables.upper = std::move(program.program.upper);
    program = {};  // one at a time
    variables_.push_back(std::move(variables));
    merged_.push_back(std::move(merged));
  }
}

std::vector<SharedSolution> MergedPrograms::split(std::vector<SharedSolution> solutions) const {
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    auto& [solution, products] = solutions[p];
    solution.values = split(variables_[p], solution.values);
    std::vector<double> all;
    for (const std::uint32_t variable : variables_[p].merged) all.push_back(products[variable]);
    products = std::move(all);
  }
  return solutions;
}

/// The first ones take as much as they can, so that there are few support vectors.
std::vector<double> MergedPrograms::split(const Variables& variables,
                                          std::span<const double> values) {
  std::vector<double> taken(values.size(), 0);  // sums of bounds, in the order of those in merge
  std::vector<double> out;
  for (std::size_t i = 0; i < variables.merged.size(); ++i) {
    const double value = values[variables.merged[i]];
    double& before = taken[variables.merged[i]];
    const double bound = value > 0 ? variables.upper[i] : variables.lower[i];
    const bool whole = value > 0 ? value >= before + bound : value <= before + bound;
    const double rest = value - before;
    out.push_back(whole ? bound : value > 0 ? std::max(0.0, rest) : std::min(0.0, rest));
    before += bound;
  }
  return out;
}

}  // namespace espalier
