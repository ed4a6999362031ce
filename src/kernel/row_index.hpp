#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernel/column_index.hpp"

namespace espalier {

/// The distinct inner vertices of the rows of a block, children before parents, and who has them.
/// They come in the order in which all rows meet them, whatever the block: so a child comes not
/// long before its parent.
class RowIndex {
 public:
  explicit RowIndex(const Bags& bags)
      : bags_(bags),
        place_(bags.forest().vertex_count(), none),
        wanted_((bags.forest().vertex_count() + 63) / 64, 0),
        number_(bags.forest().vertex_count(), none),
        last_use_(bags.forest().vertex_count(), none) {
    for (std::size_t i = 0; i < bags.size(); ++i) {
      for (const Occurrence& o : bags[i].occurrences) {
        if (place_[o.vertex] != none || bags.forest().is_leaf(o.vertex)) continue;
        place_[o.vertex] = static_cast<std::uint32_t>(met_.size());
        met_.push_back(o.vertex);
      }
    }
  }

  void build(Slice rows) {
    const Forest& forest = bags_.forest();
    for (const VertexId v : vertices) {
      for (const VertexId child : forest.children(v)) last_use_[child] = none;
    }
    collect(rows);
    postings.build(bags_, rows, vertices.size(), number_);
    for (const VertexId v : vertices) {
      number_[v] = none;
      for (const VertexId child : forest.children(v)) last_use_[child] = v;
    }
  }

  /// The last of the vertices that has v as a child, or none.
  VertexId last_use(VertexId v) const { return last_use_[v]; }

  std::vector<VertexId> vertices;
  Postings postings;  ///< per place in vertices

 private:
  /// By a set of bits, as sorting takes longer.
  void collect(Slice rows) {
    std::uint32_t low = none, high = 0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      for (const Occurrence& o : bags_[i].occurrences) {
        const std::uint32_t place = place_[o.vertex];
        if (place == none) continue;
        wanted_[place / 64] |= std::uint64_t{1} << (place % 64);
        low = std::min(low, place);
        high = std::max(high, place);
      }
    }
    vertices.clear();
    for (std::size_t word = low / 64; low != none && word <= high / 64; ++word) {
      for (std::uint64_t bits = wanted_[word]; bits != 0; bits &= bits - 1) {
        const VertexId v = met_[64 * word + static_cast<std::size_t>(std::countr_zero(bits))];
        number_[v] = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(v);
      }
      wanted_[word] = 0;
    }
  }

  const Bags& bags_;
  std::vector<VertexId> met_;          ///< the inner vertices of all rows
  std::vector<std::uint32_t> place_;   ///< per vertex: in met_, or none
  std::vector<std::uint64_t> wanted_;  ///< scratch, a bit per place: 0 between uses
  std::vector<std::uint32_t> number_;  ///< scratch, per vertex: none between uses
  std::vector<VertexId> last_use_;     ///< per vertex
};

}  // namespace espalier
