#include <algorithm>
#include <cmath>

#include "fragments/fragment_nodes.hpp"
#include "fragments/fragment_space.hpp"

namespace espalier {

namespace {

/// Fragments that grow by one production at a time, in preorder: a frontier node that was passed
/// over stays as it is. The places of a match are the vertices of the other frontier nodes; the
/// shape has their nodes. Nodes that cannot be expanded in any match are left out: leaves, and
/// those whose label is not selected.
class SubsetTreeSpace final : public FragmentSpace {
 public:
  SubsetTreeSpace(const Forest& forest, const SubsetTreeOptions& options, LabelSelection selection)
      : forest_(forest),
        selection_(std::move(selection)),
        leaves_(options.leaves),
        factor_(std::sqrt(options.decay)) {}

  std::uint32_t root_key(VertexId v) const override { return forest_.production(v); }

  void start(std::span<const VertexId> roots, FragmentVisitor& search) const override {
    std::vector<KeyedItem> items;
    for (const VertexId root : roots) {
      const bool counts =
          forest_.is_leaf(root) ? leaves_ && selection_.has(forest_.label(root)) : expands(root);
      if (counts) items.push_back({forest_.production(root), root});
    }
    for_each_group(items, [&](std::span<const KeyedItem> group) {
      FragmentSums sums(search.objective());
      for (const KeyedItem& item : group) {
        sums.add(item.item, factor_, forest_.height(item.item) > 1 ? factor_ : 0);
      }
      const VertexId vertex = group[0].item;
      search.offer(1, sums, {none, 0, vertex}, [&](FragmentState& state) {
        state.nodes = 1;
        Columns columns(*this, vertex, state.nodes, {});
        for (const KeyedItem& item : group) columns.see(item.item, nullptr);
        columns.start(state);
        for (const KeyedItem& item : group) {
          columns.add(item.item, item.item, nullptr, factor_, state.matches);
        }
      });
    });
  }

  void extend(const FragmentState& state, FragmentVisitor& search) const override {
    const Matches& matches = state.matches;
    std::vector<std::size_t> last(matches.size(), 0);  // the last place that can grow
    for (std::size_t m = 0; m < matches.size(); ++m) {
      for (std::size_t place = 1; place < matches.stride; ++place) {
        if (expands(matches[m][place])) last[m] = place;
      }
    }
    std::vector<KeyedItem> items;
    for (std::size_t place = 1; place < matches.stride; ++place) {
      if (!search.grows_at(state, state.shape[place - 1])) continue;
      items.clear();
      for (std::size_t m = 0; m < matches.size(); ++m) {
        const VertexId v = matches[m][place];
        if (expands(v)) {
          items.push_back({forest_.production(v), static_cast<std::uint32_t>(m)});
        }
      }
      for_each_group(items, [&](std::span<const KeyedItem> group) {
        extend(state, place, group, last, search);
      });
    }
  }

  Fragment fragment(std::span<const FragmentStep> steps) const override {
    FragmentNodes nodes(forest_);
    nodes.add(none, steps[0].vertex);
    for (const FragmentStep& step : steps) {
      for (const VertexId child : forest_.children(step.vertex)) nodes.add(step.node, child);
    }
    return nodes.fragment(static_cast<std::uint32_t>(steps.size()));
  }

 private:
  bool expands(VertexId v) const { return !forest_.is_leaf(v) && selection_.has(forest_.label(v)); }

  /// Which vertices of an extended match can grow: the children of the expanded vertex and the
  /// `others` behind it, unless they do in no match.
  class Columns {
   public:
    Columns(const SubsetTreeSpace& space, VertexId expanded, std::uint32_t first_node,
            std::span<const std::uint32_t> others)
        : space_(space),
          children_(space.forest_.children(expanded).size()),
          first_node_(first_node),
          others_(others),
          grows_(children_ + others.size(), 0) {}

    /// First for all matches.
    void see(VertexId expanded, const VertexId* others) {
      for (std::size_t c = 0; c < grows_.size(); ++c) {
        if (grows_[c] == 0) grows_[c] = space_.expands(vertex(expanded, others, c)) ? 1 : 0;
      }
    }
    /// Then once.
    void start(FragmentState& state) const {
      for (std::size_t c = 0; c < grows_.size(); ++c) {
        if (grows_[c] == 0) continue;
        state.shape.push_back(c < children_ ? first_node_ + static_cast<std::uint32_t>(c)
                                            : others_[c - children_]);
      }
      state.nodes = first_node_ + static_cast<std::uint32_t>(children_);
      state.matches.stride = 1 + state.shape.size();
    }
    /// Then for all matches again.
    void add(VertexId root, VertexId expanded, const VertexId* others, double value,
             Matches& out) const {
      out.places.push_back(root);
      for (std::size_t c = 0; c < grows_.size(); ++c) {
        if (grows_[c] != 0) out.places.push_back(vertex(expanded, others, c));
      }
      out.values.push_back(value);
    }

   private:
    VertexId vertex(VertexId expanded, const VertexId* others, std::size_t c) const {
      return c < children_ ? space_.forest_.children(expanded)[c] : others[c - children_];
    }

    const SubsetTreeSpace& space_;
    std::size_t children_;
    std::uint32_t first_node_;
    std::span<const std::uint32_t> others_;
    std::vector<std::uint8_t> grows_;
  };

  /// Offers the fragment in which a place is expanded as in a group of the matches.
  void extend(const FragmentState& state, std::size_t place, std::span<const KeyedItem> group,
              const std::vector<std::size_t>& last, FragmentVisitor& search) const {
    const Matches& matches = state.matches;
    FragmentSums sums(search.objective());
    for (const KeyedItem& item : group) {
      const VertexId* match = matches[item.item];
      const bool grows = last[item.item] > place || forest_.height(match[place]) > 1;
      sums.add(match[0], matches.values[item.item] * factor_, grows ? factor_ : 0);
    }
    const VertexId vertex = matches[group[0].item][place];
    const FragmentStep step{state.step, state.shape[place - 1], vertex};
    search.offer(state.size + 1, sums, step, [&](FragmentState& out) {
      Columns columns(*this, vertex, state.nodes, std::span(state.shape).subspan(place));
      for (const KeyedItem& item : group) {
        const VertexId* match = matches[item.item];
        columns.see(match[place], match + place + 1);
      }
      columns.start(out);
      out.matches.places.reserve(group.size() * out.matches.stride);
      out.matches.values.reserve(group.size());
      for (const KeyedItem& item : group) {
        const VertexId* match = matches[item.item];
        columns.add(match[0], match[place], match + place + 1, matches.values[item.item] * factor_,
                    out.matches);
      }
    });
  }

  const Forest& forest_;
  LabelSelection selection_;
  bool leaves_;
  double factor_;  ///< of a production
};

}  // namespace

std::unique_ptr<FragmentSpace> subset_tree_space(const Forest& forest,
                                                 const SubsetTreeOptions& options,
                                                 LabelSelection selection) {
  return std::make_unique<SubsetTreeSpace>(forest, options, std::move(selection));
}

}  // namespace espalier
