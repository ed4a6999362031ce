#include <algorithm>
#include <cmath>

#include "fragments/fragment_nodes.hpp"
#include "fragments/fragment_space.hpp"
#include "fragments/partial_tree_growth.hpp"

namespace espalier {

namespace {

/// Paths that grow downwards by one node at a time. The places of a match are the two ends of the
/// path; there is one match for all paths between two vertices, and its value counts them.
class PathSpace final : public FragmentSpace {
 public:
  PathSpace(const Forest& forest, double decay, bool positions, LabelSelection selection)
      : forest_(forest),
        selection_(std::move(selection)),
        factor_(std::sqrt(decay)),
        positions_(positions),
        growth_(growth()) {}

  std::uint32_t root_key(VertexId v) const override { return forest_.label(v); }

  void start(std::span<const VertexId> roots, FragmentVisitor& search) const override {
    std::vector<KeyedItem> items;
    for (const VertexId root : roots) {
      if (selection_.has(forest_.label(root))) items.push_back({forest_.label(root), root});
    }
    for_each_group(items, [&](std::span<const KeyedItem> group) {
      FragmentSums sums(search.objective());
      for (const KeyedItem& item : group) sums.add(item.item, factor_, growth_[item.item]);
      search.offer(1, sums, {none, 0, group[0].item}, [&](FragmentState& state) {
        state.nodes = 1;
        state.matches.stride = 2;
        for (const KeyedItem& item : group) {
          state.matches.places.insert(state.matches.places.end(), {item.item, item.item});
          state.matches.values.push_back(factor_);
        }
      });
    });
  }

  void extend(const FragmentState& state, FragmentVisitor& search) const override {
    const Matches& matches = state.matches;
    std::vector<KeyedItem> items;
    std::vector<End> ends;
    for (std::size_t m = 0; m < matches.size(); ++m) {
      const auto children = forest_.children(matches[m][1]);
      for (std::size_t place = 0; place < children.size(); ++place) {
        if (!selection_.has(forest_.label(children[place]))) continue;
        items.push_back({key(children[place], place), static_cast<std::uint32_t>(ends.size())});
        ends.push_back({static_cast<std::uint32_t>(m), children[place]});
      }
    }
    for_each_group(items, [&](std::span<const KeyedItem> group) {
      FragmentSums sums(search.objective());
      for (const KeyedItem& item : group) {
        const auto [m, child] = ends[item.item];
        sums.add(matches[m][0], matches.values[m] * factor_, growth_[child]);
      }
      const FragmentStep step{state.step, state.nodes - 1, ends[group[0].item].child,
                              static_cast<std::uint32_t>(group[0].key >> 32)};
      search.offer(state.size + 1, sums, step, [&](FragmentState& out) {
        out.nodes = state.nodes + 1;
        out.matches.stride = 2;
        for (const KeyedItem& item : group) {
          const auto [m, child] = ends[item.item];
          out.matches.places.insert(out.matches.places.end(), {matches[m][0], child});
          out.matches.values.push_back(matches.values[m] * factor_);
        }
        out.matches.merge_equal();
      });
    });
  }

  Fragment fragment(std::span<const FragmentStep> steps) const override {
    FragmentNodes nodes(forest_);
    for (const FragmentStep& step : steps) nodes.add(step.node, step.vertex, step.position);
    return nodes.fragment(static_cast<std::uint32_t>(steps.size()), positions_);
  }

 private:
  /// A match, and the child that is added to it.
  struct End {
    std::uint32_t match;
    VertexId child;
  };

  /// The position from 1, if it counts, and the label.
  std::uint64_t key(VertexId child, std::size_t place) const {
    return (positions_ ? (std::uint64_t{place} + 1) << 32 : 0) | forest_.label(child);
  }

  /// Per vertex: the largest value of a path below it, at most.
  std::vector<double> growth() const {
    std::vector<double> out(forest_.vertex_count(), 0);
    LabelSums sums(forest_.labels().size());
    for (VertexId v = 0; v < out.size(); ++v) {
      for (const VertexId child : forest_.children(v)) {
        if (!selection_.has(forest_.label(child))) continue;
        const double value = factor_ * std::max(1.0, out[child]);
        // Only paths without positions can go to several children.
        const double sum = positions_ ? value : sums.of(forest_.label(child), v).first += value;
        out[v] = std::max(out[v], sum);
      }
    }
    return out;
  }

  const Forest& forest_;
  LabelSelection selection_;
  double factor_;  ///< of a node
  bool positions_;
  std::vector<double> growth_;
};

}  // namespace

std::unique_ptr<FragmentSpace> path_space(const Forest& forest, double decay, bool positions,
                                          LabelSelection selection) {
  return std::make_unique<PathSpace>(forest, decay, positions, std::move(selection));
}

}  // namespace espalier
