#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/bags.hpp"
#include "engine/content_hashes.hpp"

namespace espalier {

/// The order in which the vertices of an example are visited: depth first, children before parents,
/// the largest child of a vertex before the others. So little must be kept for parents: unless
/// equal subtrees recur, the rows of the siblings of at most log2(nodes) vertices. It depends only
/// on the content of the example.
class RowOrder {
 public:
  explicit RowOrder(const Forest& forest) : forest_(forest), place_(forest.vertex_count(), none) {}

  /// Places in the bag of the vertices that matter. Valid until the next call.
  template <class Matters>
  std::span<const std::uint32_t> of(const Bag& bag, const ContentHashes& hashes,
                                    Matters&& matters) {
    places_.clear();
    for (auto k = static_cast<std::uint32_t>(bag.size()); k-- > 0;) {
      if (matters(bag.vertex(k))) places_.push_back(k);
    }
    // Parents have larger ids, so that a vertex that has not been reached yet is a root.
    walk(bag, places_);
    if (roots_.size() > 1) {
      std::vector<std::uint32_t> roots = std::exchange(roots_, {});
      std::ranges::sort(roots, {}, [&](std::uint32_t k) { return hashes.vertex(bag.vertex(k)); });
      walk(bag, roots);
    }
    return order_;
  }

 private:
  void walk(const Bag& bag, std::span<const std::uint32_t> starts) {
    for (const std::uint32_t k : places_) place_[bag.vertex(k)] = k;
    order_.clear();
    roots_.clear();
    for (const std::uint32_t k : starts) {
      if (place_[bag.vertex(k)] == none) continue;
      roots_.push_back(k);
      open_.emplace_back(std::exchange(place_[bag.vertex(k)], none), none);
      while (!open_.empty()) step(bag);
    }
  }

  /// Explicit stack: a deep tree must not overflow ours.
  void step(const Bag& bag) {
    auto& [place, next] = open_.back();
    const auto children = forest_.children(bag.vertex(place));
    if (children.empty() || next == children.size()) {
      order_.push_back(place);
      open_.pop_back();
      return;
    }
    const VertexId child =
        next == none
            ? *std::ranges::max_element(children, {}, [&](VertexId v) { return forest_.size(v); })
            : children[next];
    ++next;  // from none to 0
    if (place_[child] != none) open_.emplace_back(std::exchange(place_[child], none), none);
  }

  const Forest& forest_;
  std::vector<std::uint32_t> place_;   ///< per vertex: in the bag, if it has not been visited
  std::vector<std::uint32_t> places_;  ///< of the vertices that matter, descending
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> roots_;
  /// Vertices whose children are being visited: place, and the child to look at; none: the largest.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
};

}  // namespace espalier
