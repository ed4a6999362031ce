#include "espalier/embed/subtree_hashes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "engine/subtree/subtree_features.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// FNV-1a: unlike hash::bytes(), the same on machines of either byte order.
std::uint64_t label_hash(std::string_view label) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const char c : label) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return h;
}

std::vector<std::uint64_t> content_hashes(const Forest& forest) {
  std::vector<std::uint64_t> labels;
  for (LabelId id = 0; id < forest.labels().size(); ++id) {
    labels.push_back(label_hash(forest.labels().text(id)));
  }
  std::vector<std::uint64_t> out(forest.vertex_count());
  for (VertexId v = 0; v < out.size(); ++v) {
    const auto children = forest.children(v);
    std::uint64_t h = hash::mix(labels[forest.label(v)] ^ hash::key1, children.size() ^ hash::key2);
    for (const VertexId child : children) {
      h = forest.options().ordered ? hash::mix(h ^ out[child], hash::key1)
                                   : h + hash::mix(out[child] ^ hash::key2, hash::key1);
    }
    out[v] = hash::mix(h ^ hash::key2, hash::key2);
  }
  return out;
}

/// The subtree kernel, and whether it is normalised.
std::pair<TreeKernelNode, bool> subtree_kernel(const Kernel& kernel) {
  const KernelNode* node = &kernel.root();
  bool norm = false;
  if (const auto* inner = std::get_if<CombinationNode>(&node->what);
      inner != nullptr && inner->how == Combination::norm) {
    norm = true;
    node = inner->operands.data();
  }
  const auto* leaf = std::get_if<TreeKernelNode>(&node->what);
  const auto* options = leaf != nullptr ? std::get_if<SubtreeOptions>(&leaf->options) : nullptr;
  if (options == nullptr || options->count == SubtreeCount::min) {
    throw Error(
        "hashes of subtrees are those of st(..) or norm(st(..)) without kappa=min, not of " +
        kernel.to_string());
  }
  return {*leaf, norm};
}

/// Appends the features of one tree.
void append_row(std::vector<std::pair<std::uint64_t, double>>& row, bool norm, SubtreeHashes& out) {
  double squares = 0;
  for (const auto& [hash, value] : row) squares += value * value;
  const double scale = norm && squares > 0 ? 1 / std::sqrt(squares) : 1;
  std::ranges::sort(row);
  for (const auto& [hash, value] : row) {
    out.hashes.push_back(hash);
    out.values.push_back(value * scale);
  }
  out.begins.push_back(out.hashes.size());
}

}  // namespace

SubtreeHashes subtree_hashes(const Kernel& kernel, const Dataset& data) {
  const auto [leaf, norm] = subtree_kernel(kernel);
  const auto& options = std::get<SubtreeOptions>(leaf.options);
  const TreeColumn& column = data.trees(leaf.tree);
  const Forest* forest = &data.forests()[column.forest].value;
  std::optional<Forest> reduced;
  if (const ForestOptions wanted = tree_kernel(leaf).forest_options(leaf);
      wanted != forest->options()) {
    reduced.emplace(wanted).merge(*forest);
    forest = &*reduced;
  }
  const std::vector<double> weights = subtree_weights(*forest, leaf, {});
  const std::vector<std::uint64_t> hashes = content_hashes(*forest);
  SubtreeHashes out;
  std::vector<std::pair<std::uint64_t, double>> row;
  for (const TreeId tree : column.trees) {
    row.clear();
    if (tree != none) {
      for (const Occurrence& o : forest->occurrences(tree)) {
        const double value = std::sqrt(weights[o.vertex]) * subtree_feature(options, o.count);
        if (value > 0) row.emplace_back(hashes[o.vertex], value);
      }
    }
    append_row(row, norm, out);
  }
  return out;
}

}  // namespace espalier
