#include "fragments/support.hpp"

#include <algorithm>
#include <set>

namespace espalier {

FragmentSupport::FragmentSupport(const TermForest& forest, const Dataset& data, std::string member)
    : forest_(forest),
      data_(data),
      member_(std::move(member)),
      begin_(forest.forest().vertex_count() + 1, 0),
      seen_in_(data.size(), 0) {
  const Bags& bags = forest.examples();
  for (std::size_t i = 0; i < bags.size(); ++i) {
    for (const Occurrence& o : bags[i].occurrences) ++begin_[o.vertex + 1];
  }
  for (std::size_t v = 0; v + 1 < begin_.size(); ++v) begin_[v + 1] += begin_[v];
  examples_.resize(begin_.back());
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < bags.size(); ++i) {
    for (const Occurrence& o : bags[i].occurrences) examples_[next[o.vertex]++] = {i, o.count};
  }
}

void FragmentSupport::count(std::span<const VertexId> roots, WeightedFragment& fragment) {
  constexpr std::size_t places = 2;
  ++fragments_;
  std::set<std::uint32_t> first;  // the first examples
  for (const VertexId root : roots) {
    for (std::uint64_t k = begin_[root]; k < begin_[root + 1]; ++k) {
      const auto [example, count] = examples_[k];
      fragment.occurrences += count;
      if (seen_in_[example] == fragments_) continue;
      seen_in_[example] = fragments_;
      ++fragment.examples;
      first.insert(example);
      if (first.size() > places) first.erase(std::prev(first.end()));
    }
  }
  for (const std::uint32_t example : first) fragment.places.push_back(place(example, roots));
}

FragmentPlace FragmentSupport::place(std::uint32_t example, std::span<const VertexId> roots) const {
  const FunctionForest& joined = forest_.joined();
  for (std::size_t n = 0; n < joined.names().size(); ++n) {
    const TreeColumn& column = data_.trees(joined.names()[n], member_);
    const Forest& forest = data_.forests()[column.forest].value;
    if (column.trees[example] == none || forest.root(column.trees[example]) == none) continue;
    std::vector<VertexId> open = {forest.root(column.trees[example])};
    for (std::uint32_t node = 0; !open.empty(); ++node) {
      const VertexId v = open.back();
      open.pop_back();
      if (std::ranges::binary_search(roots, joined.vertex(n, v))) {
        return {example, node, column.slot};
      }
      const auto children = forest.children(v);
      open.insert(open.end(), children.rbegin(), children.rend());
    }
  }
  throw Error("a fragment is not where it was found");
}

}  // namespace espalier
