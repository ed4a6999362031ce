#pragma once

#include <memory>

#include "fragments/fragment_state.hpp"

namespace espalier {

/// Takes the fragments that a FragmentSpace offers.
class FragmentVisitor {
 public:
  using State = std::shared_ptr<FragmentState>;

  explicit FragmentVisitor(const FragmentObjective& objective) : objective_(objective) {}
  virtual ~FragmentVisitor() = default;

  const FragmentObjective& objective() const { return objective_; }
  /// Whether extensions at this node of a fragment are of any interest.
  virtual bool grows_at(const FragmentState&, std::uint32_t /*node*/) const { return true; }

  /// Takes a fragment of that size with these sums if it is wanted. Only then calls make(state) to
  /// fill in nodes, shape, matches.
  template <class Make>
  void offer(std::uint32_t size, const FragmentSums& sums, const FragmentStep& step, Make&& make) {
    if (!wants(size, sums, step)) return;
    auto state = std::make_shared<FragmentState>();
    state->size = size;
    state->value = sums.value();
    state->bound = sums.bound();
    make(*state);
    take(std::move(state), step);
  }

 private:
  virtual bool wants(std::uint32_t size, const FragmentSums& sums, const FragmentStep& step) = 0;
  virtual void take(State state, const FragmentStep& step) = 0;

  const FragmentObjective& objective_;
};

}  // namespace espalier
