#include "engine/bags.hpp"

#include <algorithm>

namespace espalier {

void Bags::add(std::span<const TreeId> trees) {
  std::vector<Occurrence> all;
  for (const TreeId tree : trees) {
    const auto occurrences = forest_->occurrences(tree);
    all.insert(all.end(), occurrences.begin(), occurrences.end());
  }
  std::ranges::sort(all, {}, &Occurrence::vertex);
  std::size_t kept = 0;
  for (const Occurrence& o : all) {
    if (kept > 0 && all[kept - 1].vertex == o.vertex) {
      all[kept - 1].count += o.count;
    } else {
      all[kept++] = o;
    }
  }
  all.resize(kept);
  merged_.push_back(std::move(all));
  bags_.push_back({merged_.back()});
}

void Bags::add(const SparseWeights& vertices) {
  std::vector<Occurrence> all;
  all.reserve(vertices.ids.size());
  for (const VertexId v : vertices.ids) all.push_back({v, 1});
  merged_.push_back(std::move(all));
  bags_.push_back({merged_.back(), vertices.weights.data()});
}

bool Bags::are_weighted() const {
  return std::ranges::any_of(bags_, [](const Bag& bag) { return bag.weights != nullptr; });
}

}  // namespace espalier
