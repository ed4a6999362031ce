#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/bags.hpp"
#include "engine/content_hashes.hpp"

namespace espalier {

/// The distinct vertices of the rows that matter, numbered in the order of their first visit:
/// children before parents. Shared by all blocks and threads. The order within a row depends only
/// on its example.
class RowIndex {
 public:
  struct Entry {
    std::uint32_t number;
    bool is_last;  ///< no later row has the vertex or a parent of it
    double count;
  };
  struct Vertex {
    VertexId id;
    std::uint32_t key;
    std::uint32_t last;     ///< the last row that has it, or a parent of it
    bool once;              ///< no other row does
    bool is_child = false;  ///< whether it has a parent
  };
  /// Number of vertices with a key.
  struct KeyCount {
    std::uint32_t vertices = 0;
    std::uint32_t several = 0;  ///< those in more than one row
  };

  /// `matcher` defines which vertices matter, and their keys: see Matcher.
  template <class Matcher>
  RowIndex(const Bags& bags, const Matcher& matcher, const ContentHashes& hashes)
      : forest(bags.forest()),
        wanted(matcher.key_count(forest), 0),
        counts(matcher.key_count(forest)) {
    std::vector<std::uint32_t> number(forest.vertex_count(), none);
    std::vector<Sorted> sorted;
    for (std::size_t i = 0; i < bags.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      const Bag& bag = bags[i];
      sorted.clear();
      for (std::uint32_t k = 0; k < bag.size(); ++k) {
        const VertexId v = bag.vertex(k);
        if (matcher.matters(forest, v)) sorted.push_back({forest.height(v), k, hashes.vertex(v)});
      }
      std::sort(sorted.begin(), sorted.end());
      for (const Sorted& next : sorted) {
        const VertexId v = bag.vertex(next.place);
        if (number[v] == none) {
          number[v] = static_cast<std::uint32_t>(vertices.size());
          vertices.push_back({v, matcher.key(forest, v), row, true});
        }
        use(vertices[number[v]], row);
        entries_.push_back({number[v], false, bag.count(next.place)});
        for (const VertexId child : forest.children(v)) {
          if (number[child] == none) continue;
          use(vertices[number[child]], row);
          vertices[number[child]].is_child = true;
        }
      }
      begin_.push_back(entries_.size());
    }
    find_last();
    for (const Vertex& vertex : vertices) {
      ++counts[vertex.key].vertices;
      if (!vertex.once) ++counts[vertex.key].several;
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

  const Forest& forest;
  std::vector<Vertex> vertices;      ///< per number
  std::vector<std::uint8_t> wanted;  ///< per key: whether columns with it can match
  std::vector<KeyCount> counts;      ///< per key

 private:
  /// Sort key of a vertex in a bag: children before parents.
  struct Sorted {
    std::uint32_t height;
    std::uint32_t place;
    std::uint64_t hash;
    friend bool operator<(const Sorted& a, const Sorted& b) {
      return a.height != b.height ? a.height < b.height : a.hash < b.hash;
    }
  };

  void find_last() {
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      for (std::uint64_t e = begin_[i]; e < begin_[i + 1]; ++e) {
        entries_[e].is_last = vertices[entries_[e].number].last == i;
      }
    }
  }
  static void use(Vertex& vertex, std::uint32_t row) {
    vertex.once = vertex.once && vertex.last == row;
    vertex.last = row;
  }

  std::vector<std::uint64_t> begin_ = {0};
  std::vector<Entry> entries_;
};

}  // namespace espalier
