#include "fragments/fragment_hashes.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace espalier {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return hash::mix(hash ^ value ^ hash::key1, hash::key2);
}

std::vector<std::uint64_t> label_hashes(const Forest& forest) {
  std::vector<std::uint64_t> out;
  for (LabelId id = 0; id < forest.labels().size(); ++id) {
    out.push_back(hash::bytes(forest.labels().text(id)));
  }
  return out;
}

/// Whether children have an order or not, equal subtrees have equal hashes.
std::vector<std::uint64_t> subtree_hashes(const Forest& forest,
                                          const std::vector<std::uint64_t>& labels) {
  std::vector<std::uint64_t> out, below;
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    below.clear();
    for (const VertexId child : forest.children(v)) below.push_back(out[child]);
    if (!forest.options().ordered) std::ranges::sort(below);
    std::uint64_t hash = mixed(labels[forest.label(v)], below.size());
    for (const std::uint64_t child : below) hash = mixed(hash, child);
    out.push_back(hash);
  }
  return out;
}

/// A leaf is no production, though it has one in a forest.
std::vector<std::uint64_t> production_hashes(const Forest& forest,
                                             const std::vector<std::uint64_t>& labels) {
  std::vector<std::uint64_t> out(forest.production_count(), 0);
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    std::uint64_t& hash = out[forest.production(v)];
    if (hash != 0) continue;
    hash = mixed(labels[forest.label(v)], forest.children(v).size());
    for (const VertexId child : forest.children(v)) hash = mixed(hash, labels[forest.label(child)]);
  }
  return out;
}

}  // namespace

FragmentKeys::FragmentKeys(const Forest& forest, const TreeKernelNode& kernel)
    : keys_(label_hashes(forest)) {
  const bool productions = std::holds_alternative<SubsetTreeOptions>(kernel.options);
  const bool subtrees = std::holds_alternative<SubtreeOptions>(kernel.options);
  if (productions) keys_ = production_hashes(forest, keys_);
  if (subtrees) keys_ = subtree_hashes(forest, keys_);
  place_.reserve(forest.vertex_count());
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    place_.push_back(productions ? forest.production(v) : subtrees ? v : forest.label(v));
  }
}

std::uint64_t grown_hash(std::uint64_t previous, const FragmentStep& step, std::uint64_t key) {
  const std::uint64_t where = std::uint64_t{step.node} << 32 | step.position;
  return mixed(mixed(previous, where), key);
}

namespace {

/// The nodes of a fragment in preorder, as vertices.
struct PreorderNode {
  VertexId vertex;
  std::uint32_t parent;  ///< in preorder
};

std::vector<PreorderNode> preorder(const Forest& forest, VertexId root) {
  std::vector<PreorderNode> out, open = {{root, 0}};
  while (!open.empty()) {
    const PreorderNode node = open.back();
    open.pop_back();
    const auto number = static_cast<std::uint32_t>(out.size());
    out.push_back(node);
    const auto children = forest.children(node.vertex);
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      open.push_back({*child, number});
    }
  }
  return out;
}

/// The steps in the order of subset_tree_space(): productions in preorder, and nodes numbered as
/// they come into being.
std::vector<FragmentStep> production_steps(const Forest& forest, VertexId root) {
  std::vector<FragmentStep> out;
  struct Open {
    VertexId vertex;
    std::uint32_t node;
  };
  std::vector<Open> open = {{root, 0}};
  std::uint32_t nodes = 1;
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const auto children = forest.children(at.vertex);
    if (children.empty() && !out.empty()) continue;
    out.push_back({none, at.node, at.vertex, 0});
    for (std::size_t c = children.size(); c-- > 0;) {
      open.push_back({children[c], nodes + static_cast<std::uint32_t>(c)});
    }
    nodes += static_cast<std::uint32_t>(children.size());
  }
  return out;
}

/// The steps in the order of the other spaces: nodes in preorder.
std::vector<FragmentStep> node_steps(const Forest& forest, VertexId root,
                                     const std::vector<std::uint32_t>& positions) {
  std::vector<FragmentStep> out;
  for (const PreorderNode& node : preorder(forest, root)) {
    const std::uint32_t position = positions.empty() ? 0 : positions[out.size()];
    out.push_back({none, node.parent, node.vertex, position});
  }
  return out;
}

std::vector<FragmentStep> steps_of(const Forest& forest, const TreeKernelNode& kernel,
                                   const Fragment& fragment, VertexId root) {
  if (std::holds_alternative<SubtreeOptions>(kernel.options)) return {{none, 0, root, 0}};
  if (std::holds_alternative<SubsetTreeOptions>(kernel.options)) {
    return production_steps(forest, root);
  }
  return node_steps(forest, root, fragment.positions);
}

}  // namespace

std::vector<FragmentPrefix> prefixes(const Forest& fragments, const FragmentKeys& keys,
                                     const TreeKernelNode& kernel, const Fragment& fragment,
                                     VertexId root, std::uint64_t hash) {
  std::vector<FragmentPrefix> out;
  for (const FragmentStep& step : steps_of(fragments, kernel, fragment, root)) {
    if (!out.empty()) out.back().node = step.node;
    hash = grown_hash(hash, step, keys(step.vertex));
    out.push_back({hash, none});
  }
  return out;
}

}  // namespace espalier
