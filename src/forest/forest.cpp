#include "espalier/forest/forest.hpp"

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// std::ranges::equal would call memcmp, which is slower for the two or three ids of most nodes.
bool same(std::span<const VertexId> a, std::span<const VertexId> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

std::vector<VertexId> all_below(std::size_t count) {
  std::vector<VertexId> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace

Forest::Forest(ForestOptions options) : options_(options), edge_begin_(1, 0), tree_begin_(1, 0) {}

/// The hash of a subtree depends on its content alone, not on ids, so it can be computed before any
/// vertex is looked up.
std::uint64_t Forest::hash_of(LabelId label, std::span<const std::uint64_t> below) const {
  return options_.ordered ? hash::sequence(label, below) : hash::multiset(label, below);
}

/// Computes labels and hashes of all nodes. Prefetches the slot of each hash, so that the lookups
/// of look_up_nodes() hardly wait for memory.
void Forest::hash_nodes(const Tree& tree) {
  node_label_.resize(tree.size());
  node_hash_.resize(tree.size());
  pending_hash_.resize(tree.size());
  // In reverse preorder the children of a node are on top of the stack, the leftmost one first.
  std::size_t top = tree.size();
  for (std::size_t node = tree.size(); node-- > 0;) {
    const std::uint32_t arity = tree.children(node);
    const LabelId label = labels_.intern(options_.labelled ? tree.label(node) : "");
    const std::uint64_t hash = hash_of(label, {pending_hash_.data() + top, arity});
    if (arity > 0) vertices_.prefetch(hash);
    top += arity;
    pending_hash_[--top] = hash;
    node_label_[node] = label;
    node_hash_[node] = hash;
  }
}

void Forest::look_up_nodes(const Tree& tree) {
  pending_.resize(tree.size());
  std::size_t top = tree.size();
  for (std::size_t node = tree.size(); node-- > 0;) {
    const std::uint32_t arity = tree.children(node);
    const VertexId vertex =
        vertex_for(node_label_[node], {pending_.data() + top, arity}, node_hash_[node]);
    count(vertex, 1);
    top += arity;
    pending_[--top] = vertex;
  }
}

TreeId Forest::add(const Tree& tree) {
  try {
    hash_nodes(tree);
    look_up_nodes(tree);
    return finish_tree();
  } catch (...) {
    undo_tree();
    throw;
  }
}

std::vector<VertexId> Forest::merge(const Forest& other) {
  if (&other == this) return merge(Forest(other));
  std::vector<VertexId> here(other.vertex_count());
  std::vector<std::uint64_t> hashes(other.vertex_count());
  std::vector<LabelId> label_here(other.labels().size(), none);
  std::vector<VertexId> children;
  std::vector<std::uint64_t> below;
  for (VertexId v = 0; v < other.vertex_count(); ++v) {
    LabelId& label = label_here[other.label(v)];
    if (label == none) {
      label = labels_.intern(options_.labelled ? other.labels().text(other.label(v)) : "");
    }
    children.clear();
    below.clear();
    for (const VertexId child : other.children(v)) {
      children.push_back(here[child]);
      below.push_back(hashes[child]);
    }
    hashes[v] = hash_of(label, below);
    here[v] = vertex_for(label, children, hashes[v]);
  }
  for (TreeId t = 0; t < other.tree_count(); ++t) {
    try {
      for (const Occurrence& o : other.occurrences(t)) count(here[o.vertex], o.count);
      finish_tree();
    } catch (...) {
      undo_tree();
      throw;
    }
  }
  return here;
}

std::vector<VertexId> Forest::add(const VertexList& list) {
  const auto fail = [] { throw Error("the list of subtrees is damaged"); };
  if (list.child_begin.size() != list.size() + 1 || list.child_begin[0] != 0 ||
      list.child_begin.back() != list.children.size()) {
    fail();
  }
  std::vector<VertexId> here(list.size());
  std::vector<std::uint64_t> hashes(list.size());
  std::vector<VertexId> children;
  std::vector<std::uint64_t> below;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::uint32_t begin = list.child_begin[k], end = list.child_begin[k + 1];
    if (list.label[k] >= list.labels.size() || begin > end || end > list.children.size()) fail();
    const LabelId label = labels_.intern(options_.labelled ? list.labels[list.label[k]] : "");
    children.clear();
    below.clear();
    for (std::uint32_t at = begin; at < end; ++at) {
      if (list.children[at] >= k) fail();
      children.push_back(here[list.children[at]]);
      below.push_back(hashes[list.children[at]]);
    }
    hashes[k] = hash_of(label, below);
    here[k] = vertex_for(label, children, hashes[k]);
  }
  return here;
}

std::vector<VertexId> Forest::add_vertices(const Forest& other) {
  if (vertex_count() > 0 || !(options_ == other.options_)) return add(other.list_all());
  labels_ = other.labels_;
  label_ = other.label_;
  height_ = other.height_;
  size_ = other.size_;
  production_ = other.production_;
  edge_begin_ = other.edge_begin_;
  edges_ = other.edges_;
  leaf_ = other.leaf_;
  production_vertex_ = other.production_vertex_;
  vertices_ = other.vertices_;
  productions_ = other.productions_;
  place_.assign(vertex_count(), 0);
  return all_below(vertex_count());
}

std::vector<VertexId> Forest::find_vertices(const Forest& other) const {
  return has_vertices_of(other) ? all_below(vertex_count()) : find(other.list_all());
}

bool Forest::has_vertices_of(const Forest& other) const {
  return options_ == other.options_ && label_ == other.label_ && edge_begin_ == other.edge_begin_ &&
         edges_ == other.edges_ && labels_ == other.labels_;
}

VertexList Forest::list_all() const { return list(all_below(vertex_count())); }

std::vector<VertexId> Forest::find(const VertexList& list) const {
  std::vector<LabelId> labels;
  for (const std::string& text : list.labels) {
    labels.push_back(labels_.find(options_.labelled ? std::string_view(text) : ""));
  }
  std::vector<VertexId> here(list.size(), none);
  std::vector<std::uint64_t> hashes(list.size());
  std::vector<VertexId> children;
  std::vector<std::uint64_t> below;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const LabelId label = labels[list.label[k]];
    children.clear();
    below.clear();
    for (std::uint32_t at = list.child_begin[k]; at < list.child_begin[k + 1]; ++at) {
      children.push_back(here[list.children[at]]);
      below.push_back(hashes[list.children[at]]);
    }
    if (label == none || std::ranges::find(children, none) != children.end()) continue;
    hashes[k] = hash_of(label, below);
    here[k] = find_vertex(label, children, hashes[k]);
  }
  return here;
}

VertexList Forest::list(std::span<const VertexId> vertices) const {
  VertexList out;
  std::vector<std::uint32_t> label_there(labels_.size(), none);
  std::vector<std::uint32_t> place(vertex_count(), none);
  for (const VertexId v : vertices) {
    std::uint32_t& label = label_there[label_[v]];
    if (label == none) {
      label = static_cast<std::uint32_t>(out.labels.size());
      out.labels.emplace_back(labels_.text(label_[v]));
    }
    for (const VertexId child : children(v)) out.children.push_back(place[child]);
    place[v] = static_cast<std::uint32_t>(out.size());
    out.label.push_back(label);
    out.child_begin.push_back(static_cast<std::uint32_t>(out.children.size()));
  }
  return out;
}

Tree Forest::tree(TreeId tree) const {
  const VertexId vertex = root(tree);
  return vertex == none ? Tree() : subtree(vertex);
}

Tree Forest::subtree(VertexId vertex) const {
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  // An explicit stack, because a deep tree would overflow the call stack. `none` closes a node.
  std::vector<VertexId> todo = {vertex};
  while (!todo.empty()) {
    const VertexId v = todo.back();
    todo.pop_back();
    if (v == none) {
      builder.close();
      continue;
    }
    builder.open(labels_.text(label_[v]));
    todo.push_back(none);
    const auto below = children(v);
    todo.insert(todo.end(), below.rbegin(), below.rend());
  }
  return tree;
}

VertexId Forest::vertex_for(LabelId label, std::span<VertexId> children, std::uint64_t hash) {
  if (children.empty()) {
    if (label >= leaf_.size()) leaf_.resize(labels_.size(), none);
    if (leaf_[label] == none) leaf_[label] = new_vertex(label, children);
    return leaf_[label];
  }
  if (!options_.ordered) std::ranges::sort(children);
  return vertices_.find_or_add(
      hash, [&](VertexId v) { return label_[v] == label && same(this->children(v), children); },
      [&] { return new_vertex(label, children); });
}

VertexId Forest::find_vertex(LabelId label, std::span<VertexId> children,
                             std::uint64_t hash) const {
  if (children.empty()) return label < leaf_.size() ? leaf_[label] : none;
  if (!options_.ordered) std::ranges::sort(children);
  return vertices_.find(
      hash, [&](VertexId v) { return label_[v] == label && same(this->children(v), children); });
}

VertexId Forest::new_vertex(LabelId label, std::span<const VertexId> children) {
  const std::size_t id = vertex_count();
  if (id >= none - 1 || children.size() > none - edges_.size()) {
    throw Error("the forest is full: more than 2^32 - 2 distinct subtrees or edges");
  }
  std::uint32_t height = 0;
  std::uint64_t size = 1;
  for (const VertexId child : children) {
    height = std::max(height, height_[child] + 1);
    size += size_[child];
  }
  if (size >= none) throw Error("the tree is too large: more than 2^32 - 2 nodes");
  const ProductionId production = production_for(label, children);
  edges_.insert(edges_.end(), children.begin(), children.end());
  edge_begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
  height_.push_back(height);
  size_.push_back(static_cast<std::uint32_t>(size));
  production_.push_back(production);
  place_.push_back(0);
  label_.push_back(label);
  return static_cast<VertexId>(id);
}

std::span<const LabelId> Forest::labels_below(std::span<const VertexId> children,
                                              std::vector<LabelId>& labels) const {
  labels.clear();
  for (const VertexId child : children) labels.push_back(label_[child]);
  if (!options_.ordered) std::ranges::sort(labels);
  return labels;
}

ProductionId Forest::production_for(LabelId label, std::span<const VertexId> children) {
  const auto below = labels_below(children, scratch_[0]);
  return productions_.find_or_add(
      hash::sequence(label, below),
      [&](ProductionId p) {
        const VertexId v = production_vertex_[p];
        return label_[v] == label &&
               std::ranges::equal(labels_below(this->children(v), scratch_[1]), below);
      },
      [&] {
        production_vertex_.push_back(static_cast<VertexId>(vertex_count()));
        return static_cast<ProductionId>(production_count() - 1);
      });
}

void Forest::count(VertexId vertex, std::uint32_t times) {
  const std::uint64_t begin = tree_begin_.back();
  const std::uint64_t at = begin + place_[vertex];
  if (at < occurrences_.size() && occurrences_[at].vertex == vertex) {
    occurrences_[at].count += times;
  } else {
    place_[vertex] = static_cast<std::uint32_t>(occurrences_.size() - begin);
    occurrences_.push_back({vertex, times});
  }
}

TreeId Forest::finish_tree() {
  if (tree_count() >= none - 1) throw Error("the forest is full: more than 2^32 - 2 trees");
  const auto begin = occurrences_.begin() + static_cast<std::ptrdiff_t>(tree_begin_.back());
  std::sort(begin, occurrences_.end(),
            [](const Occurrence& a, const Occurrence& b) { return a.vertex < b.vertex; });
  tree_begin_.push_back(occurrences_.size());
  const auto tree = static_cast<TreeId>(tree_count() - 1);
  if (root(tree) != none) node_count_ += size_[root(tree)];
  return tree;
}

void Forest::undo_tree() { occurrences_.resize(tree_begin_.back()); }

}  // namespace espalier
