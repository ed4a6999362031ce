#include "espalier/represent/prune.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "espalier/base/error.hpp"
#include "represent/tree_words.hpp"

namespace espalier {

namespace {

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
  return kept(tree, parents_of(tree), std::move(keep));
}

Tree prune_below(const Tree& tree, std::uint32_t depth) {
  const std::vector<std::uint32_t> parent = parents_of(tree);
  std::vector<std::uint32_t> depths(tree.size(), 0);
  std::vector<std::uint8_t> keep(tree.size(), 1);
  for (std::size_t node = 1; node < tree.size(); ++node) {
    depths[node] = depths[parent[node]] + 1;
    keep[node] = depths[node] <= depth ? 1 : 0;
  }
  return kept(tree, parent, std::move(keep));
}

Tree prune_far(const Tree& tree, const LabelTest& is_marked, std::uint32_t distance) {
  const std::vector<std::uint32_t> parent = parents_of(tree);
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

Tree prune(const Tree& tree, const PruneOptions& options) {
  Tree out = tree;
  if (!options.labels.empty()) {
    const auto labels = detail::split_list(options.labels);
    out = prune_labels(out, [&](std::string_view label) {
      return std::ranges::find(labels, label) != labels.end();
    });
    if (out.empty() && !tree.empty()) {
      throw Error("pruning the label " + in_quotes(tree.label(0)) +
                  " leaves nothing: it is that of the root");
    }
  }
  if (options.depth) out = prune_below(out, *options.depth);
  if (options.distance) {
    bool marked = false;
    for (std::size_t node = 0; node < out.size(); ++node) {
      marked = marked || is_marked_label(out.label(node));
    }
    if (marked) out = prune_far(out, is_marked_label, *options.distance);
  }
  return out;
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
