#include "learn/working_groups.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier {

namespace {

/// Measured: larger sets cost more in Gram matrices than they save in rounds.
constexpr std::size_t usual_set = 8192;
/// How precisely the programs on a working set are solved, relative to the violation outside.
constexpr double inner_tolerance = 0.02;

/// The largest working set whose Gram matrix takes half of the memory.
std::size_t largest_set(std::size_t examples, const WorkingSetOptions& options,
                        const Context& context) {
  if (options.size > 0) return std::min(examples, options.size);
  const double fits = std::sqrt(static_cast<double>(context.memory) / (2 * sizeof(float)));
  return std::min(examples, std::max<std::size_t>(2, static_cast<std::size_t>(fits)));
}

/// Per example: its place in the working set, or none.
std::vector<std::uint32_t> slots_of(std::span<const std::uint32_t> chosen, std::size_t examples) {
  std::vector<std::uint32_t> out(examples, none);
  for (std::uint32_t k = 0; k < chosen.size(); ++k) out[chosen[k]] = k;
  return out;
}

}  // namespace

WorkingGroups::WorkingGroups(KernelSource& source, std::span<const SharedProgram> programs,
                             const SolverOptions& options, const WorkingSetOptions& working_set,
                             const Context& context)
    : source_(source),
      programs_(programs),
      options_(options),
      context_(context),
      largest_(largest_set(source.size(), working_set, context)),
      chooser_(programs, source.size()) {}

/// The Gram matrices have about as many entries together as there are kernels in a pass: neither
/// should take much longer than the other. So the last programs, which have most coefficients
/// between their bounds, have larger sets.
std::vector<WorkingGroup> WorkingGroups::make(std::span<const ProgramState> states,
                                              std::span<const std::uint8_t> active,
                                              std::size_t targets, bool is_first_round) {
  std::vector<std::size_t> unfinished;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    if (!states[p].is_done(options_.tolerance)) unfinished.push_back(p);
  }
  // All programs share the first set: what it leaves to the others is worth a larger matrix.
  const std::size_t usual = std::min(is_first_round ? 2 * usual_set : usual_set, largest_);
  const std::size_t wanted = is_first_round ? 1 : std::max<std::size_t>(1, targets / usual);
  const std::size_t count = std::min(wanted, unfinished.size());
  const double larger = std::sqrt(static_cast<double>(wanted) / static_cast<double>(count));
  const std::size_t size =
      std::min(largest_, static_cast<std::size_t>(larger * static_cast<double>(usual)));
  std::vector<WorkingGroup> out(count);
  for (std::size_t k = 0; k < unfinished.size(); ++k) {
    out[k * count / unfinished.size()].programs.push_back(unfinished[k]);
  }
  for (WorkingGroup& group : out) {
    group.examples = chooser_.choose(group.programs, states, active, options_.tolerance, size);
  }
  return out;
}

std::vector<Change> WorkingGroups::optimise(std::span<const WorkingGroup> groups,
                                            std::span<const ProgramState> states) {
  std::vector<Change> out(programs_.size());
  const std::size_t together = groups_at_a_time();
  for (std::size_t begin = 0; begin < groups.size(); begin += together) {
    optimise_together(groups.subspan(begin, std::min(together, groups.size() - begin)), states,
                      out);
  }
  return out;
}

std::size_t WorkingGroups::groups_at_a_time() const {
  return std::max<std::size_t>(1, context_.memory / (sizeof(float) * largest_ * largest_));
}

void WorkingGroups::optimise_together(std::span<const WorkingGroup> groups,
                                      std::span<const ProgramState> states,
                                      std::vector<Change>& changes) {
  struct Task {
    std::size_t group, program;
  };
  std::vector<Task> tasks;
  // Of the largest size from the start: pages that are not used yet cost nothing.
  while (grams_.size() < groups.size()) grams_.emplace_back(largest_, largest_);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    source_.gram(groups[g].examples, grams_[g], context_);
    for (const std::size_t p : groups[g].programs) tasks.push_back({g, p});
  }
  parallel(
      tasks.size(), context_,
      [&](std::size_t, std::size_t t) {
        const auto [g, p] = tasks[t];
        SolverOptions options = options_;
        options.tolerance =
            std::max(options_.tolerance / 2, inner_tolerance * states[p].violation());
        options.max_iterations = most_iterations(p) - states[p].iterations;
        changes[p] =
            espalier::optimise(programs_[p], states[p], grams_[g],
                               slots_of(groups[g].examples, source_.size()), options, context_);
      },
      [](std::size_t) { return 1.0; });
}

std::uint64_t WorkingGroups::most_iterations(std::size_t program) const {
  if (options_.max_iterations > 0) return options_.max_iterations;
  return std::max<std::uint64_t>(10'000'000, 100 * programs_[program].examples.size());
}

}  // namespace espalier
