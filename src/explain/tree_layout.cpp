#include "explain/tree_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/number.hpp"
#include "explain/markup.hpp"

namespace espalier {

namespace {

constexpr double font_size = 11, sibling_gap = 10, level_height = 32, margin = 6, dot_radius = 3;
constexpr std::size_t longest_label = 16;

/// A subtree of a forest, as Selection reads it.
struct ForestNodes {
  const Forest& forest;

  std::string_view label(VertexId v) const { return forest.labels().text(forest.label(v)); }
  std::span<const VertexId> children(VertexId v) const { return forest.children(v); }
  std::uint64_t size(VertexId v) const { return forest.size(v); }
};

/// The nodes of a tree, in preorder.
class FlatNodes {
 public:
  explicit FlatNodes(const Tree& tree)
      : tree_(tree), children_(tree.size()), sizes_(tree.size(), 1) {
    std::vector<std::uint32_t> done;  // nodes without a parent so far, the leftmost last
    for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 0;) {
      for (std::uint32_t k = 0; k < tree.children(node); ++k) {
        children_[node].push_back(done.back());
        sizes_[node] += sizes_[done.back()];
        done.pop_back();
      }
      done.push_back(node);
    }
  }

  std::string_view label(std::uint32_t node) const { return tree_.label(node); }
  std::span<const std::uint32_t> children(std::uint32_t node) const { return children_[node]; }
  std::uint64_t size(std::uint32_t node) const { return sizes_[node]; }

 private:
  const Tree& tree_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint64_t> sizes_;
};

/// Selects nodes level by level up to the limits.
template <class Source>
class Selection {
 public:
  Selection(const Source& source, VertexId root, const TreeLimits& limits)
      : source_(source), limits_(limits) {
    add(root, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) add_children(i);
  }
  std::vector<DrawnNode> nodes() && { return std::move(nodes_); }

 private:
  std::size_t add(VertexId v, std::size_t level) {
    DrawnNode node{v, shortened(source_.label(v), longest_label), 0, level};
    node.width = node.label.empty() ? 2 * dot_radius : text_width(node.label, font_size);
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  void add_hidden(std::size_t parent, std::uint64_t count) {
    DrawnNode node{none, "+" + grouped(count), count, nodes_[parent].level + 1};
    node.width = text_width(node.label, font_size);
    nodes_[parent].children.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void add_children(std::size_t parent) {
    if (nodes_[parent].hidden > 0) return;
    const auto children = source_.children(nodes_[parent].vertex);
    // A single extra child takes no more room than the mark for a hidden node.
    std::size_t shown =
        children.size() <= limits_.children + 1 ? children.size() : limits_.children;
    if (nodes_[parent].level + 1 >= limits_.levels || nodes_.size() + shown > limits_.nodes) {
      shown = 0;
    }
    const std::size_t level = nodes_[parent].level + 1;
    std::uint64_t hidden = 0;
    for (std::size_t k = 0; k < children.size(); ++k) {
      if (k < shown) {
        const std::size_t child = add(children[k], level);
        nodes_[parent].children.push_back(child);
      } else {
        hidden += source_.size(children[k]);
      }
    }
    if (hidden > 0) add_hidden(parent, hidden);
  }

  const Source& source_;
  const TreeLimits& limits_;
  std::vector<DrawnNode> nodes_;
};

/// The width of each subtree.
std::vector<double> extents(const std::vector<DrawnNode>& nodes) {
  std::vector<double> out(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    double below = -sibling_gap;
    for (const std::size_t child : nodes[i].children) below += sibling_gap + out[child];
    out[i] = std::max(nodes[i].width, below);
  }
  return out;
}

/// Positions for selected nodes.
TreeLayout placed(std::vector<DrawnNode> nodes) {
  TreeLayout out;
  out.nodes = std::move(nodes);
  const std::vector<double> extent = extents(out.nodes);
  std::vector<double> left(out.nodes.size(), margin);
  std::size_t levels = 0;
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    DrawnNode& node = out.nodes[i];
    node.centre = {left[i] + extent[i] / 2,
                   margin + level_height * static_cast<double>(node.level) + font_size / 2};
    double below = -sibling_gap;
    for (const std::size_t child : node.children) below += sibling_gap + extent[child];
    double x = left[i] + (extent[i] - below) / 2;
    for (const std::size_t child : node.children) {
      left[child] = x;
      x += extent[child] + sibling_gap;
    }
    levels = std::max(levels, node.level + 1);
    out.hidden += node.hidden;
  }
  out.width = extent[0] + 2 * margin;
  out.height = level_height * static_cast<double>(levels - 1) + font_size + 2 * margin;
  return out;
}

}  // namespace

TreeLayout lay_out_tree(const Forest& forest, VertexId vertex, const TreeLimits& limits) {
  return placed(Selection(ForestNodes{forest}, vertex, limits).nodes());
}

TreeLayout lay_out_tree(const Tree& tree, const TreeLimits& limits) {
  return placed(Selection(FlatNodes(tree), 0, limits).nodes());
}

void draw_tree(const TreeLayout& layout, Drawing& drawing) {
  std::string twigs;
  for (const DrawnNode& node : layout.nodes) {
    for (const std::size_t child : node.children) {
      const Point& to = layout.nodes[child].centre;
      twigs += fmt::format("M{} {}L{} {}", coordinate(node.centre.x), coordinate(node.centre.y + 8),
                           coordinate(to.x), coordinate(to.y - 8));
    }
  }
  if (!twigs.empty()) drawing.path(twigs, "twig");
  for (const DrawnNode& node : layout.nodes) {
    if (node.label.empty()) {
      drawing.circle(node.centre, dot_radius, "dot");
    } else {
      drawing.text({node.centre.x, node.centre.y + 4}, node.label,
                   node.hidden > 0 ? "middle muted" : "middle");
    }
  }
}

Figure tree_figure(const Forest& forest, VertexId vertex) {
  const TreeLayout layout = lay_out_tree(forest, vertex);
  Figure figure{"tree", "A subtree", "", layout.width, layout.height, {}};
  draw_tree(layout, figure.drawing);
  if (layout.hidden > 0) {
    figure.caption =
        fmt::format("{} of {} nodes drawn", grouped(forest.size(vertex) - layout.hidden),
                    grouped(forest.size(vertex)));
  }
  return figure;
}

Figure fragment_figure(const Fragment& fragment) {
  constexpr TreeLimits limits{.nodes = 60, .levels = 12, .children = 12};
  constexpr double stub = 9;
  const TreeLayout layout = lay_out_tree(fragment.tree, limits);
  Figure figure{"fragment", to_string(fragment), "", layout.width, layout.height + stub, {}};
  draw_tree(layout, figure.drawing);
  for (const DrawnNode& node : layout.nodes) {
    if (node.hidden > 0 || fragment.frontier[node.vertex] == 0) continue;
    const double top = node.centre.y + 8;
    figure.drawing.line({node.centre.x, top}, {node.centre.x, top + stub}, "frontier");
  }
  if (layout.hidden > 0) {
    figure.caption =
        fmt::format("{} of {} nodes drawn", grouped(fragment.tree.size() - layout.hidden),
                    grouped(fragment.tree.size()));
  }
  return figure;
}

}  // namespace espalier
