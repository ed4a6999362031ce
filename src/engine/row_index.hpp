#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/content_hashes.hpp"
#include "engine/row_order.hpp"

namespace espalier {

/// The distinct vertices of the rows that matter, numbered in the order of their first visit:
/// children before parents. Shared by all blocks and threads. The order within a row depends only
/// on its example.
class RowIndex {
 public:
  struct Entry {
    std::uint32_t number;
    std::uint32_t released;  ///< size of released()
    double count;
  };
  struct Vertex {
    VertexId id;
    std::uint32_t key;
    std::uint32_t last;     ///< the last row that has it, or a parent of it
    bool once;              ///< no other row does
    bool is_child = false;  ///< whether it has a parent
  };
  /// `matcher` defines which vertices matter, and their keys: see Matcher.
  template <class Matcher>
  RowIndex(const Bags& bags, const Matcher& matcher, const ContentHashes& hashes)
      : forest(bags.forest()),
        wanted(matcher.key_count(forest), 0),
        vertices_of_key(matcher.key_count(forest), 0),
        shared_of_key(matcher.key_count(forest), 0) {
    RowOrder order(forest);
    std::vector<std::uint32_t> number(forest.vertex_count(), none);
    const auto matters = [&](VertexId v) { return matcher.matters(forest, v); };
    for (std::size_t i = 0; i < bags.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      for (const std::uint32_t place : order.of(bags[i], hashes, matters)) {
        const VertexId v = bags[i].vertex(place);
        if (number[v] == none) {
          number[v] = static_cast<std::uint32_t>(vertices.size());
          vertices.push_back({v, matcher.key(forest, v), row, true});
        }
        use(vertices[number[v]], row);
        entries_.push_back({number[v], 0, bags[i].count(place)});
        for (const VertexId child : forest.children(v)) {
          if (number[child] == none) continue;
          use(vertices[number[child]], row);
          vertices[number[child]].is_child = true;
        }
      }
      list_released(number);
      begin_.push_back(entries_.size());
    }
    for (const Vertex& vertex : vertices) {
      ++vertices_of_key[vertex.key];
      if (!vertex.once) ++shared_of_key[vertex.key];
      wanted[vertex.key] = 1;
      if (!Matcher::graded) continue;
      for (const VertexId child : forest.children(vertex.id))
        wanted[matcher.key(forest, child)] = 1;
    }
  }

  std::size_t size() const { return begin_.size() - 1; }
  /// The vertices of a row.
  std::span<const Entry> of(std::size_t row) const {
    return {entries_.data() + begin_[row], entries_.data() + begin_[row + 1]};
  }
  /// The vertices that no later entry of the row needs, neither for themselves nor for a parent:
  /// for each entry of the row in turn as many as it says.
  const std::uint32_t* released(std::size_t row) const {
    return released_.data() + first_released_[row];
  }

  const Forest& forest;
  std::vector<Vertex> vertices;  ///< per number
  // Per key:
  std::vector<std::uint8_t> wanted;            ///< whether columns with it can match
  std::vector<std::uint32_t> vertices_of_key;  ///< number of vertices
  std::vector<std::uint32_t> shared_of_key;    ///< of those in more than one row

 private:
  static void use(Vertex& vertex, std::uint32_t row) {
    vertex.once = vertex.once && vertex.last == row;
    vertex.last = row;
  }

  /// For the entries of the row that is being added: backwards, so that the first use of a vertex
  /// that is found is its last.
  void list_released(const std::vector<std::uint32_t>& number) {
    const auto row = static_cast<std::uint32_t>(begin_.size());
    const std::size_t first = released_.size();
    found_in_.resize(vertices.size(), 0);
    for (std::size_t e = entries_.size(); e-- > begin_.back();) {
      const std::size_t before = released_.size();
      const auto find = [&](std::uint32_t n) {
        if (n != none && std::exchange(found_in_[n], row) != row) released_.push_back(n);
      };
      find(entries_[e].number);
      for (const VertexId child : forest.children(vertices[entries_[e].number].id)) {
        find(number[child]);
      }
      entries_[e].released = static_cast<std::uint32_t>(released_.size() - before);
    }
    std::reverse(released_.begin() + static_cast<std::ptrdiff_t>(first), released_.end());
    first_released_.push_back(first);
  }

  std::vector<std::uint64_t> begin_ = {0};
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> first_released_;  ///< per row
  std::vector<std::uint32_t> released_;        ///< numbers
  std::vector<std::uint32_t> found_in_;        ///< scratch, per number: 1 + the last row
};

}  // namespace espalier
