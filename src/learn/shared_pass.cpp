#include "learn/shared_pass.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

SharedPass::SharedPass(KernelSource& source, std::span<const SharedProgram> programs,
                       const Context& context)
    : source_(source), programs_(programs), context_(context), used_(source.size(), 0) {
  for (const SharedProgram& program : programs) {
    for (const std::uint32_t example : program.examples) used_[example] = 1;
  }
  set_all_active();
}

void SharedPass::set_all_active() { set_active(used_); }

void SharedPass::set_active(std::vector<std::uint8_t> active) {
  active_ = std::move(active);
  targets_.clear();
  row_of_.assign(active_.size(), none);
  for (std::uint32_t e = 0; e < active_.size(); ++e) {
    if (active_[e] == 0) continue;
    row_of_[e] = static_cast<std::uint32_t>(targets_.size());
    targets_.push_back(e);
  }
}

std::size_t SharedPass::outputs_at_a_time() const {
  const std::size_t bytes = sizeof(double) * std::max<std::size_t>(1, targets_.size());
  return std::max<std::size_t>(1, context_.memory / 8 / bytes);
}

std::vector<std::vector<double>> SharedPass::products_of(std::span<const Change> changes) {
  std::vector<std::size_t> changed;
  for (std::size_t p = 0; p < changes.size(); ++p) {
    if (!changes[p].variables.empty()) changed.push_back(p);
  }
  std::vector<std::vector<double>> out(changes.size());
  const std::size_t together = outputs_at_a_time();
  for (std::size_t begin = 0; begin < changed.size(); begin += together) {
    const std::size_t count = std::min(together, changed.size() - begin);
    add_outputs(std::span(changed).subspan(begin, count), changes, out);
  }
  return out;
}

void SharedPass::add_outputs(std::span<const std::size_t> programs, std::span<const Change> changes,
                             std::vector<std::vector<double>>& out) {
  std::vector<std::uint32_t> column_of(row_of_.size(), none);
  std::vector<std::uint32_t> examples;
  for (const std::size_t p : programs) {
    for (const std::uint32_t i : changes[p].variables) {
      const std::uint32_t example = programs_[p].examples[i];
      if (column_of[example] != none) continue;
      column_of[example] = 0;
      examples.push_back(example);
    }
  }
  std::ranges::sort(examples);
  for (std::uint32_t k = 0; k < examples.size(); ++k) column_of[examples[k]] = k;
  Matrix<double> coefficients(programs.size(), examples.size());
  std::fill_n(coefficients.data(), coefficients.rows() * coefficients.columns(), 0.0);
  for (std::size_t o = 0; o < programs.size(); ++o) {
    const Change& change = changes[programs[o]];
    for (std::size_t k = 0; k < change.variables.size(); ++k) {
      const std::uint32_t example = programs_[programs[o]].examples[change.variables[k]];
      coefficients(o, column_of[example]) += change.steps[k];
    }
  }
  const Matrix<double> sums = source_.sums(examples, coefficients, targets_, context_);
  for (std::size_t o = 0; o < programs.size(); ++o) {
    const auto& wanted = programs_[programs[o]].examples;
    auto& products = out[programs[o]];
    products.assign(wanted.size(), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (row_of_[wanted[i]] != none) products[i] = sums(row_of_[wanted[i]], o);
    }
  }
}

}  // namespace espalier
