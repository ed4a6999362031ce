#include "espalier/represent/prune.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace espalier {

namespace {

constexpr std::uint32_t no_parent = std::numeric_limits<std::uint32_t>::max();

/// The parent of each node.
std::vector<std::uint32_t> parents(const Tree& tree) {
  struct Open {
    std::uint32_t node;
    std::uint32_t children;  ///< not visited yet
  };
  std::vector<std::uint32_t> out;
  std::vector<Open> open;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    while (!open.empty() && open.back().children == 0) open.pop_back();
    out.push_back(open.empty() ? no_parent : open.back().node);
    if (!open.empty()) --open.back().children;
    open.push_back({node, tree.children(node)});
  }
  return out;
}

/// Keeps the nodes whose parents are kept too.
Tree kept(const Tree& tree, const std::vector<std::uint32_t>& parent,
          std::vector<std::uint8_t> keep) {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  std::vector<std::uint32_t> open;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    if (parent[node] != no_parent && keep[parent[node]] == 0) keep[node] = 0;
    if (keep[node] == 0) continue;
    while (!open.empty() && open.back() != parent[node]) {
      builder.close();
      open.pop_back();
    }
    builder.open(tree.label(node));
    open.push_back(node);
  }
  return out;
}

}  // namespace

Tree prune_labels(const Tree& tree, const LabelTest& drop) {
  std::vector<std::uint8_t> keep(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node)
    keep[node] = drop(tree.label(node)) ? 0 : 1;
  return kept(tree, parents(tree), std::move(keep));
}

Tree prune_below(const Tree& tree, std::uint32_t depth) {
  const std::vector<std::uint32_t> parent = parents(tree);
  std::vector<std::uint32_t> depths(tree.size(), 0);
  std::vector<std::uint8_t> keep(tree.size(), 1);
  for (std::size_t node = 1; node < tree.size(); ++node) {
    depths[node] = depths[parent[node]] + 1;
    keep[node] = depths[node] <= depth ? 1 : 0;
  }
  return kept(tree, parent, std::move(keep));
}

Tree prune_far(const Tree& tree, const LabelTest& is_marked, std::uint32_t distance) {
  const std::vector<std::uint32_t> parent = parents(tree);
  // Far enough from the largest number that adding distances does not overflow.
  constexpr std::uint64_t infinite = std::numeric_limits<std::uint64_t>::max() / 2;
  std::vector<std::uint64_t> nearest(tree.size());
  for (std::size_t node = tree.size(); node-- > 0;) {
    nearest[node] = is_marked(tree.label(node)) ? 0 : infinite;
  }
  // Upwards, then downwards: every path in a tree first goes up, then down.
  const auto shorten = [&](std::size_t node, std::size_t from) {
    nearest[node] = std::min(nearest[node], nearest[from] + 1);
  };
  for (std::size_t node = tree.size(); node-- > 1;) shorten(parent[node], node);
  for (std::size_t node = 1; node < tree.size(); ++node) shorten(node, parent[node]);
  std::vector<std::uint8_t> keep(tree.size(), 0);
  for (std::size_t node = tree.size(); node-- > 0;) {
    if (nearest[node] <= distance) keep[node] = 1;
    if (keep[node] != 0 && node > 0) keep[parent[node]] = 1;
  }
  return kept(tree, parent, std::move(keep));
}

bool is_marked_label(std::string_view label) {
  const std::size_t type = label.find("##");
  if (type != std::string_view::npos) label.remove_prefix(type + 2);
  // Composed relations have their marks before the words.
  const std::size_t composed = label.ends_with('>') ? label.find('<') : label.npos;
  if (composed != std::string_view::npos) label = label.substr(0, composed);
  return label.starts_with("REL-") || label.ends_with("-FE") || label.ends_with("-LU");
}

}  // namespace espalier
