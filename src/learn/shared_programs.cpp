#include "learn/shared_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/archive.hpp"
#include "learn/shared_pass.hpp"
#include "learn/working_set.hpp"

namespace espalier {

template <class Archive>
void archive(Archive& a, ProgramState& state) {
  a(state.values, state.products, state.last, state.iterations, state.capped);
}

namespace {

/// Measured: larger sets cost more in Gram matrices than they save in rounds.
constexpr std::size_t usual_set = 8192;

/// The largest working set whose Gram matrix takes a quarter of the memory.
std::size_t largest_set(const WorkingSetOptions& options, const Context& context) {
  if (options.size > 0) return options.size;
  const double fits = std::sqrt(static_cast<double>(context.memory) / (4 * sizeof(float)));
  return std::max<std::size_t>(2, static_cast<std::size_t>(fits));
}

class SharedSolver {
 public:
  SharedSolver(KernelSource& source, std::vector<SharedProgram> programs,
               const SolverOptions& options, const WorkingSetOptions& working_set,
               const Context& context)
      : programs_(std::move(programs)),
        options_(options),
        working_set_(working_set),
        context_(context),
        quiet_(context),
        largest_(largest_set(working_set, context)),
        source_(source),
        pass_(source, programs_, quiet_),
        chooser_(programs_, source.size()),
        states_(programs_.size()),
        idle_(source.size(), 0) {
    quiet_.progress = nullptr;
    quiet_.status = nullptr;
    quiet_.memory = context.memory / 2;  // the other half is for Gram matrices
  }

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
  /// Rounds in a row after which an example that nothing draws from its bounds is set aside.
  static constexpr std::uint8_t idle_rounds = 3;
  /// Fewer examples are set aside together, since the pass prepares for those that are left.
  static constexpr double least_set_aside = 0.25;
  /// How precisely the programs on a working set are solved, relative to the violation outside.
  static constexpr double inner_tolerance = 0.02;
  static constexpr int most_checks = 3;

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
  bool is_done(const ProgramState& state) const {
    return state.capped || state.violation() < options_.tolerance;
  }
  bool all_done() const {
    return std::ranges::all_of(states_, [&](const ProgramState& s) { return is_done(s); });
  }

  /// Programs that share a working set.
  struct Group {
    std::vector<std::size_t> programs;
    std::vector<std::uint32_t> examples;
    Matrix<float> gram;
  };

  void round() {
    std::vector<Change> changes(programs_.size());
    std::vector<Group> groups = make_groups();
    const std::size_t together = groups_at_a_time();
    for (std::size_t begin = 0; begin < groups.size(); begin += together) {
      const std::size_t count = std::min(together, groups.size() - begin);
      optimise(std::span(groups).subspan(begin, count), changes);
    }
    const auto products = pass_.products_of(changes);
    // Nothing above has changed the state: an interruption leaves that of the last round.
    for (Group& group : groups) {
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
      for (ProgramState& state : states_) state.capped = state.capped || !is_done(state);
    }
    if (options_.shrinking && may_set_aside_) set_aside();
  }

  /// Divides the unfinished programs into groups. Their Gram matrices have about as many entries
  /// together as there are kernels in a pass: neither should take much longer than the other. So
  /// the last programs, which have most coefficients between their bounds, have larger sets.
  std::vector<Group> make_groups() {
    std::vector<std::size_t> unfinished;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (!is_done(states_[p])) unfinished.push_back(p);
    }
    const std::size_t usual = std::min(usual_set, largest_);
    const std::size_t wanted = rounds_ == 0 ? 1 : std::max<std::size_t>(1, pass_.targets() / usual);
    const std::size_t count = std::min(wanted, unfinished.size());
    const double larger = std::sqrt(static_cast<double>(wanted) / static_cast<double>(count));
    const std::size_t size =
        std::min(largest_, static_cast<std::size_t>(larger * static_cast<double>(usual)));
    std::vector<Group> out(count);
    for (std::size_t k = 0; k < unfinished.size(); ++k) {
      out[k * count / unfinished.size()].programs.push_back(unfinished[k]);
    }
    for (Group& group : out) {
      group.examples =
          chooser_.choose(group.programs, states_, pass_.active(), options_.tolerance, size);
    }
    return out;
  }

  /// Their matrices take half of the memory.
  std::size_t groups_at_a_time() const {
    return std::max<std::size_t>(1, context_.memory / 2 / (sizeof(float) * largest_ * largest_));
  }

  void optimise(std::span<Group> groups, std::vector<Change>& changes) const {
    std::vector<std::pair<const Group*, std::size_t>> tasks;
    for (Group& group : groups) {
      group.gram = source_.gram(group.examples, quiet_);
      for (const std::size_t p : group.programs) tasks.emplace_back(&group, p);
    }
    parallel(
        tasks.size(), quiet_,
        [&](std::size_t, std::size_t t) {
          const auto [group, p] = tasks[t];
          SolverOptions options = options_;
          options.tolerance =
              std::max(options_.tolerance / 2, inner_tolerance * states_[p].violation());
          options.max_iterations = most_iterations(p) - states_[p].iterations;
          changes[p] = espalier::optimise(programs_[p], states_[p], group->gram,
                                          slots_of(group->examples), options, quiet_);
        },
        [](std::size_t) { return 1.0; });
    for (Group& group : groups) group.gram = {};
  }

  /// Applies what a round has found for a program. Returns whether that changes anything.
  bool take(const Change& change, std::span<const double> products, std::size_t p) {
    ProgramState& state = states_[p];
    state.iterations += change.iterations;
    state.capped = state.capped || (state.iterations >= most_iterations(p) && !is_done(state));
    if (change.variables.empty()) return false;
    for (std::size_t k = 0; k < change.variables.size(); ++k) {
      state.values[change.variables[k]] = change.values[k];
    }
    std::ranges::transform(state.products, products, state.products.begin(), std::plus());
    return true;
  }

  std::vector<std::uint32_t> slots_of(std::span<const std::uint32_t> chosen) const {
    std::vector<std::uint32_t> out(source_.size(), none);
    for (std::uint32_t k = 0; k < chosen.size(); ++k) out[chosen[k]] = k;
    return out;
  }

  std::uint64_t most_iterations(std::size_t p) const {
    if (options_.max_iterations > 0) return options_.max_iterations;
    return std::max<std::uint64_t>(10'000'000, 100 * programs_[p].examples.size());
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

  /// Sets examples aside that have been held at their bounds in all unfinished programs for some
  /// rounds.
  void set_aside() {
    std::vector<std::uint8_t> moves(source_.size(), 0);
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (is_done(states_[p])) continue;
      for (std::size_t i = 0; i < programs_[p].examples.size(); ++i) {
        if (!states_[p].is_held(programs_[p], i)) moves[programs_[p].examples[i]] = 1;
      }
    }
    std::vector<std::uint8_t> active(pass_.active().begin(), pass_.active().end());
    std::size_t before = 0, after = 0;
    for (std::size_t e = 0; e < active.size(); ++e) {
      if (active[e] == 0) continue;
      ++before;
      idle_[e] = moves[e] != 0 ? 0 : std::min<std::uint8_t>(idle_[e] + 1, idle_rounds);
      active[e] = static_cast<std::uint8_t>(idle_[e] < idle_rounds);
      after += active[e];
    }
    if (static_cast<double>(before - after) < least_set_aside * static_cast<double>(before)) return;
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
    a(states_, active, idle_, rounds_, checks_, changed_since_check_, may_set_aside_);
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
    if (found) find_violations();
    return found;
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
  const std::size_t largest_;  ///< size of a working set
  KernelSource& source_;
  SharedPass pass_;
  WorkingSetChooser chooser_;
  std::vector<ProgramState> states_;
  std::vector<std::uint8_t> idle_;  ///< per example: rounds since something moved it
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
  return SharedSolver(source, std::move(programs), options, working_set, context).run();
}

}  // namespace espalier
