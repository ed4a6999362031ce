#include "model/same_trees.hpp"

#include <map>
#include <numeric>

#include "espalier/base/id_index.hpp"

namespace espalier {

namespace {

/// The roots of all trees of an example; empty if it has none.
std::vector<VertexId> roots(const Dataset& data, std::size_t example) {
  std::vector<VertexId> out;
  bool any = false;
  for (const TreeColumn& column : data.trees()) {
    const TreeId tree = column.trees[example];
    any |= tree != none;
    out.push_back(tree == none ? none : data.forests()[column.forest].value.root(tree));
  }
  if (!any) out.clear();
  return out;
}

}  // namespace

std::vector<std::uint32_t> first_with_same_trees(const Dataset& data) {
  std::map<std::vector<VertexId>, std::uint32_t> first;
  std::vector<std::uint32_t> out(data.size());
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    std::vector<VertexId> key = roots(data, i);
    out[i] = key.empty() ? i : first.try_emplace(std::move(key), i).first->second;
  }
  return out;
}

std::vector<std::uint32_t> first_with_same_input(const Dataset& data) {
  if (data.vectors().empty()) return first_with_same_trees(data);
  std::vector<std::uint32_t> out(data.size());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace espalier
