#include <algorithm>
#include <cmath>

#include "fragments/fragment_nodes.hpp"
#include "fragments/fragment_space.hpp"
#include "fragments/partial_tree_growth.hpp"

namespace espalier {

namespace {

/// Fragments that grow by one node at a time, in preorder: a new node becomes the last child of a
/// node on the rightmost path. The places of a match are the vertices of that path, each but the
/// last followed by the position of the child that the path goes to; the shape has, for each of
/// them, the node and the number of its children so far. One match stands for all embeddings of the
/// fragment with the same rightmost path, and its value is their sum.
class PartialTreeSpace final : public FragmentSpace {
 public:
  PartialTreeSpace(const Forest& forest, const PartialTreeOptions& options,
                   LabelSelection selection)
      : forest_(forest),
        selection_(std::move(selection)),
        longest_(static_cast<std::uint32_t>(options.max_length)),
        growth_(forest, options, selection_) {}

  std::uint32_t root_key(VertexId v) const override { return forest_.label(v); }

  void start(std::span<const VertexId> roots, FragmentVisitor& search) const override {
    const double value = growth_.node() * growth_.leaf();
    std::vector<KeyedItem> items;
    for (const VertexId root : roots) {
      if (selection_.has(forest_.label(root))) items.push_back({forest_.label(root), root});
    }
    for_each_group(items, [&](std::span<const KeyedItem> group) {
      FragmentSums sums(search.objective());
      for (const KeyedItem& item : group) sums.add(item.item, value, growth_.below(item.item));
      search.offer(1, sums, {none, 0, group[0].item}, [&](FragmentState& state) {
        state.nodes = 1;
        state.shape = {0, 0};
        for (const KeyedItem& item : group) state.matches.places.push_back(item.item);
        state.matches.values.assign(group.size(), value);
      });
    });
  }

  void extend(const FragmentState& state, FragmentVisitor& search) const override {
    std::vector<Reach> above(state.matches.size());
    for (std::size_t level = 0; 2 * level < state.matches.stride; ++level) {
      const bool full = longest_ > 0 && state.shape[2 * level + 1] >= longest_;
      if (!full && search.grows_at(state, state.shape[2 * level])) {
        extend(state, level, above, search);
      }
      if (2 * level + 1 == state.matches.stride) break;
      for (std::size_t m = 0; m < above.size(); ++m) {
        const VertexId* path = state.matches[m] + 2 * level;
        above[m].add(growth_.after(forest_.first_edge(path[0]) + path[1]));
      }
    }
  }

  Fragment fragment(std::span<const FragmentStep> steps) const override {
    FragmentNodes nodes(forest_);
    for (const FragmentStep& step : steps) nodes.add(step.node, step.vertex);
    return nodes.fragment(static_cast<std::uint32_t>(steps.size()));
  }

 private:
  /// By which factor the value of a match can grow at several levels together.
  struct Reach {
    double any = 1;     ///< or not at all
    double proper = 0;  ///< at one of them at least

    void add(double factor) {
      const double stay = std::max(1.0, factor);
      proper = std::max(times(proper, stay), times(any, factor));
      any *= stay;
    }
  };
  /// A match, and the child that is added to it.
  struct NewChild {
    std::uint32_t match;
    std::uint32_t place;
    VertexId vertex;
    double value;
  };

  /// Offers the fragments with a further child at this level of the path.
  void extend(const FragmentState& state, std::size_t level, const std::vector<Reach>& above,
              FragmentVisitor& search) const {
    const std::vector<NewChild> children = new_children(state.matches, level);
    std::vector<KeyedItem> items;
    for (std::uint32_t k = 0; k < children.size(); ++k) {
      items.push_back({forest_.label(children[k].vertex), k});
    }
    for_each_group(items, [&](std::span<const KeyedItem> group) {
      FragmentSums sums(search.objective());
      for (const KeyedItem& item : group) {
        const NewChild& child = children[item.item];
        const VertexId* path = state.matches[child.match];
        Reach reach = above[child.match];
        reach.add(growth_.after(forest_.first_edge(path[2 * level]) + child.place));
        reach.add(growth_.below(child.vertex));
        sums.add(path[0], child.value, reach.proper);
      }
      const FragmentStep step{state.step, state.shape[2 * level], children[group[0].item].vertex};
      search.offer(state.size + 1, sums, step,
                   [&](FragmentState& out) { fill(out, state, level, group, children); });
    });
  }

  std::vector<NewChild> new_children(const Matches& matches, std::size_t level) const {
    std::vector<NewChild> out;
    for (std::uint32_t m = 0; m < matches.size(); ++m) {
      const VertexId* path = matches[m] + 2 * level;
      const bool first = 2 * level + 1 == matches.stride;
      const auto children = forest_.children(path[0]);
      for (std::size_t place = first ? 0 : path[1] + 1; place < children.size(); ++place) {
        if (!selection_.has(forest_.label(children[place]))) continue;
        // The first child takes over the weight of the leaf that its parent was.
        const double factor = first ? 1 : growth_.leaf() * growth_.gap(path[1], place);
        out.push_back({m, static_cast<std::uint32_t>(place), children[place],
                       matches.values[m] * growth_.node() * factor});
      }
    }
    return out;
  }

  static void fill(FragmentState& out, const FragmentState& state, std::size_t level,
                   std::span<const KeyedItem> group, const std::vector<NewChild>& children) {
    const auto kept = static_cast<std::ptrdiff_t>(2 * level + 1);
    out.nodes = state.nodes + 1;
    out.shape.assign(state.shape.begin(), state.shape.begin() + kept + 1);
    ++out.shape.back();
    out.shape.insert(out.shape.end(), {state.nodes, 0});
    out.matches.stride = static_cast<std::size_t>(kept) + 2;
    for (const KeyedItem& item : group) {
      const NewChild& child = children[item.item];
      const VertexId* path = state.matches[child.match];
      out.matches.places.insert(out.matches.places.end(), path, path + kept);
      out.matches.places.insert(out.matches.places.end(), {child.place, child.vertex});
      out.matches.values.push_back(child.value);
    }
    out.matches.merge_equal();
  }

  const Forest& forest_;
  LabelSelection selection_;
  std::uint32_t longest_;  ///< number of children of a node; 0: no limit
  PartialTreeGrowth growth_;
};

}  // namespace

std::unique_ptr<FragmentSpace> partial_tree_space(const Forest& forest,
                                                  const PartialTreeOptions& options,
                                                  LabelSelection selection) {
  return std::make_unique<PartialTreeSpace>(forest, options, std::move(selection));
}

}  // namespace espalier
