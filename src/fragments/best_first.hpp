#pragma once

#include <vector>

#include "espalier/fragments/top_fragments.hpp"
#include "fragments/fragment_visitor.hpp"

namespace espalier {

/// The open fragments of a search by bound, and the best ones so far.
class BestFirst final : public FragmentVisitor {
 public:
  /// Open fragments use at most `memory` bytes: those with the smallest bounds are dropped.
  BestFirst(const FragmentOptions& options, const FragmentObjective& objective, std::size_t memory)
      : FragmentVisitor(objective), options_(options), memory_(memory) {}

  /// The open fragment with the largest bound, to be extended; null when the search is over.
  State next();

  /// How near the end is, from 0 to 1.
  double progress() const;

  /// The best fragments in order; may be called once.
  std::vector<State> take_best();
  const std::vector<FragmentStep>& steps() const { return steps_; }
  std::uint64_t expansions() const { return expansions_; }
  /// The largest bound of a fragment that was not extended.
  double open_bound() const;
  bool is_exact() const { return open_bound() <= last_value(); }

 private:
  /// The value that must be exceeded.
  double last_value() const {
    return best_.size() < options_.top ? 0 : std::abs(best_.front()->value);
  }
  /// Unless it is neither good enough itself nor can have extensions that are.
  bool wants(std::uint32_t size, const FragmentSums& sums, const FragmentStep& step) override;
  void take(State state, const FragmentStep& step) override;
  bool is_good(std::uint32_t size, double value) const;
  bool may_grow(std::uint32_t size) const {
    return options_.max_size == 0 || size < options_.max_size;
  }
  void drop_half();
  static std::size_t bytes(const FragmentState& state);

  const FragmentOptions& options_;
  std::size_t memory_;
  std::size_t used_ = 0;  ///< bytes of open fragments and steps
  std::uint64_t expansions_ = 0;
  std::uint64_t offered_ = 0;
  double dropped_ = 0;       ///< the largest bound that was dropped
  std::vector<State> open_;  ///< a heap by bound
  std::vector<State> best_;  ///< a heap, the worst first
  std::vector<FragmentStep> steps_;
};

}  // namespace espalier
