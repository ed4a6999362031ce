#include "learn/shared_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/archive.hpp"
#include "learn/idle_examples.hpp"
#include "learn/merged_programs.hpp"
#include "learn/shared_pass.hpp"
#include "learn/working_groups.hpp"

namespace espalier {

template <class Archive>
void archive(Archive& a, ProgramState& state) {
  a(state.values, state.products, state.last, state.iterations, state.capped);
}

namespace {

class SharedSolver {
 public:
  SharedSolver(KernelSource& source, std::vector<SharedProgram> programs,
               const SolverOptions& options, const WorkingSetOptions& working_set,
               const Context& context)
      : programs_(std::move(programs)),
        options_(options),
        working_set_(working_set),
        context_(context),
        quiet_(half_of(context)),
        pass_(source, programs_, quiet_),
        groups_(source, programs_, options, working_set, quiet_),
        states_(programs_.size()),
        idle_(source.size()) {}

  std::vector<SharedSolution> run() {
    if (!resume()) start();
    try {
      while (!is_finished()) {
        round();
        ++rounds_;
        save();
      }
    } catch (const Cancelled&) {
      if (!working_set_.keep_unfinished) throw;
      interrupted_ = true;
    }
    return solutions();
  }

 private:
  static constexpr int most_checks = 3;

  /// For passes and for the Gram matrices of working sets, which stay in memory.
  static Context half_of(const Context& context) {
    Context out = context;
    out.progress = nullptr;
    out.status = nullptr;
    out.memory = context.memory / 2;
    return out;
  }

  void start() {
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      const std::size_t size = programs_[p].examples.size();
      const auto& start = programs_[p].program.start;
      states_[p].values = start.empty() ? std::vector<double>(size, 0) : start;
      states_[p].products = programs_[p].products;
      if (start.empty()) states_[p].products.assign(size, 0);
    }
    std::vector<std::size_t> unknown;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (states_[p].products.empty()) unknown.push_back(p);
    }
    compute_products(unknown);
    find_violations();
  }

  /// Whether nothing is left to do. The products that decide are computed anew: those of examples
  /// that were set aside are out of date, and differences add up rounding errors.
  bool is_finished() {
    report();
    if (!all_done()) return false;
    if (checks_ == most_checks || !changed_since_check_) return true;
    ++checks_;
    changed_since_check_ = false;
    pass_.set_all_active();
    may_set_aside_ = false;
    std::vector<std::size_t> all(programs_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    compute_products(all);
    find_violations();
    return all_done();
  }
  bool all_done() const {
    return std::ranges::all_of(
        states_, [&](const ProgramState& s) { return s.is_done(options_.tolerance); });
  }

  void round() {
    const std::vector<WorkingGroup> groups =
        groups_.make(states_, pass_.active(), pass_.targets(), rounds_ == 0);
    const std::vector<Change> changes = groups_.optimise(groups, states_);
    const auto products = pass_.products_of(changes);
    // Nothing above has changed the state: an interruption leaves that of the last round.
    for (const WorkingGroup& group : groups) {
      for (const std::size_t p : group.programs) states_[p].last = group.examples;
    }
    bool changed = false;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      changed = take(changes[p], products[p], p) || changed;
    }
    changed_since_check_ = changed_since_check_ || changed;
    find_violations();
    // Rounding errors of the kernels are all that is left to violate.
    if (!changed) {
      for (ProgramState& state : states_) {
        state.capped = state.capped || !state.is_done(options_.tolerance);
      }
    }
    if (options_.shrinking && may_set_aside_) set_aside();
  }

  /// Applies what a round has found for a program. Returns whether that changes anything.
  bool take(const Change& change, std::span<const double> products, std::size_t p) {
    ProgramState& state = states_[p];
    state.iterations += change.iterations;
    const bool at_limit = state.iterations >= groups_.most_iterations(p);
    state.capped = state.capped || (at_limit && !state.is_done(options_.tolerance));
    if (change.variables.empty()) return false;
    for (std::size_t k = 0; k < change.variables.size(); ++k) {
      state.values[change.variables[k]] = change.values[k];
    }
    std::ranges::transform(state.products, products, state.products.begin(), std::plus());
    return true;
  }

  /// The products of these programs from their values alone.
  void compute_products(std::span<const std::size_t> programs) {
    std::vector<Change> all(programs_.size());
    for (const std::size_t p : programs) {
      for (std::uint32_t i = 0; i < states_[p].values.size(); ++i) {
        if (states_[p].values[i] == 0) continue;
        all[p].variables.push_back(i);
        all[p].steps.push_back(states_[p].values[i]);
      }
    }
    auto products = pass_.products_of(all);
    for (const std::size_t p : programs) {
      if (products[p].empty()) products[p].assign(states_[p].values.size(), 0);
      states_[p].products = std::move(products[p]);
    }
  }

  void find_violations() {
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      states_[p].find_violation(programs_[p], pass_.active());
    }
  }

  /// Sets examples aside that are held at their bounds in all unfinished programs.
  void set_aside() {
    std::vector<std::uint8_t> moves(idle_.size(), 0);
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (states_[p].is_done(options_.tolerance)) continue;
      for (std::size_t i = 0; i < programs_[p].examples.size(); ++i) {
        if (!states_[p].is_held(programs_[p], i)) moves[programs_[p].examples[i]] = 1;
      }
    }
    auto active = idle_.still_active(moves, pass_.active());
    if (std::ranges::equal(active, pass_.active())) return;
    pass_.set_active(std::move(active));
    find_violations();
  }

  void report() {
    double violation = 0;
    for (const ProgramState& state : states_) {
      if (!state.capped) violation = std::max(violation, state.violation());
    }
    if (context_.status) {
      context_.status(fmt::format("round {}, largest violation {:.2g}", rounds_, violation));
    }
    if (!context_.progress || violation <= 0) return;
    if (largest_violation_ == 0) largest_violation_ = std::max(violation, 2 * options_.tolerance);
    const double all = std::log(largest_violation_ / options_.tolerance);
    fraction_ = std::max(fraction_, std::log(largest_violation_ / violation) / all);
    context_.progress(std::clamp(fraction_, 0.0, 1.0));
  }

  /// The members that a round starts from.
  void archive_state(auto& a) {
    std::vector<std::uint8_t> active(pass_.active().begin(), pass_.active().end());
    a(states_, active, idle_.rounds(), rounds_, checks_, changed_since_check_, may_set_aside_);
    if (std::decay_t<decltype(a)>::reading) pass_.set_active(std::move(active));
  }

  void save() {
    if (working_set_.checkpoint == nullptr) return;
    ArchiveWriter out;
    archive_state(out);
    working_set_.checkpoint->replace(rounds_, out.bytes());
  }

  /// Continues after the last round of an interrupted run. Returns false if there is none.
  bool resume() {
    if (working_set_.checkpoint == nullptr) return false;
    bool found = false;
    working_set_.checkpoint->replay([&](std::uint64_t, std::string_view bytes) {
      ArchiveReader in({bytes.data(), bytes.size()});
      archive_state(in);
      found = true;
    });
    if (!found) return false;
    check_state();
    find_violations();
    return true;
  }

  /// What was saved may be from another version.
  void check_state() const {
    bool fits = states_.size() == programs_.size() && idle_.size() == pass_.active().size();
    for (std::size_t p = 0; fits && p < programs_.size(); ++p) {
      const std::size_t size = programs_[p].examples.size();
      fits = states_[p].values.size() == size && states_[p].products.size() == size;
    }
    if (fits) return;
    throw Error("the saved state of the training is not of this data: remove it to start again");
  }

  std::vector<SharedSolution> solutions() {
    std::vector<SharedSolution> out;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      ProgramState& state = states_[p];
      Solution solution =
          solution_at(programs_[p].program, std::move(state.values), state.products);
      solution.iterations = state.iterations;
      solution.converged = !interrupted_ && state.violation() < options_.tolerance;
      out.push_back({std::move(solution), std::move(state.products)});
    }
    return out;
  }

  const std::vector<SharedProgram> programs_;
  const SolverOptions& options_;
  const WorkingSetOptions& working_set_;
  const Context& context_;
  Context quiet_;
  SharedPass pass_;
  WorkingGroups groups_;
  std::vector<ProgramState> states_;
  IdleExamples idle_;
  std::uint64_t rounds_ = 0;
  int checks_ = 0;
  bool changed_since_check_ = true;
  bool may_set_aside_ = true;
  bool interrupted_ = false;

  // Of the progress:
  double largest_violation_ = 0;
  double fraction_ = 0;
};

}  // namespace

std::vector<SharedSolution> solve(KernelSource& source, std::vector<SharedProgram> programs,
                                  const SolverOptions& options,
                                  const WorkingSetOptions& working_set, const Context& context) {
  MergedPrograms merged(source, std::move(programs));
  return merged.split(SharedSolver(source, merged.take(), options, working_set, context).run());
}

}  // namespace espalier
