#include "fragments/fragment_walk.hpp"

#include "base/cancel.hpp"

namespace espalier {

namespace {

/// Takes the fragments of a set and their prefixes, depth first.
class FragmentWalk final : public FragmentVisitor {
 public:
  using Found = std::function<void(std::span<const RootedFragment>)>;

  FragmentWalk(const FragmentKeys& keys, const FragmentSet& set, const Found& found)
      : FragmentVisitor(nothing), keys_(keys), set_(set), found_(found) {}

  bool grows_at(const FragmentState& state, std::uint32_t node) const override {
    return (known_[state.step].grows >> node % 64 & 1) != 0;
  }

  /// The next one to be extended; null at the end.
  State next() {
    if (open_.empty()) return nullptr;
    State out = std::move(open_.back());
    open_.pop_back();
    return out;
  }

 private:
  struct Known {
    std::uint64_t hash;
    std::uint64_t grows;
  };

  bool wants(std::uint32_t size, const FragmentSums&, const FragmentStep& step) override {
    const std::uint64_t before = step.previous == none ? set_.start() : known_[step.previous].hash;
    hash_ = grown_hash(before, step, keys_(step.vertex));
    entry_ = set_.find(hash_, size);
    return entry_.column != none || entry_.grows != 0;
  }

  void take(State state, const FragmentStep&) override {
    if (entry_.column != none) report(state->matches);
    if (entry_.grows == 0) return;
    state->step = static_cast<std::uint32_t>(known_.size());
    known_.push_back({hash_, entry_.grows});
    open_.push_back(std::move(state));
  }

  void report(const Matches& matches) {
    here_.clear();
    for (std::size_t m = 0; m < matches.size(); ++m) {
      const double value = matches.values[m];
      if (value != 0) {
        here_.push_back({matches[m][0], entry_.column, entry_.negative ? -value : value});
      }
    }
    found_(here_);
  }

  static constexpr FragmentObjective nothing = {};

  const FragmentKeys& keys_;
  const FragmentSet& set_;
  const Found& found_;
  // Of the fragment that is offered.
  std::uint64_t hash_ = 0;
  FragmentSet::Entry entry_;
  std::vector<RootedFragment> here_;

  std::vector<Known> known_;  ///< of the fragments that were taken to be extended
  std::vector<State> open_;
};

}  // namespace

void walk_fragments(const FragmentSpace& space, const FragmentKeys& keys, const FragmentSet& set,
                    std::span<const VertexId> roots,
                    const std::function<void(std::span<const RootedFragment>)>& found) {
  FragmentWalk walk(keys, set, found);
  space.start(roots, walk);
  while (const auto state = walk.next()) {
    check_cancelled();
    space.extend(*state, walk);
  }
}

}  // namespace espalier
