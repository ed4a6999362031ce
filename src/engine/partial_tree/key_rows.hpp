#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/column_groups.hpp"

namespace espalier {

/// For kernels that are sums over all pairs of children with equal keys: the sum of the rows of all
/// children of a vertex that have the same key, equal children being added once, times their
/// number. So the cost of a pair of vertices is linear in the children of one of them.
template <class Value>
class KeyRows {
 public:
  /// Replaces the row of the first child with each key by the sum for that key. `rows` are those of
  /// the children; they must be as long as the group of their key, plus 1.
  template <class Rule>
  void sum(const Rule& rule, const Forest& forest, const ColumnGroups& index,
           std::span<const VertexId> children, std::span<const Value*> rows) {
    if (!group_by_key(rule, forest, children)) return;
    std::size_t total = 0;
    for (Key& key : keys_) {
      const std::uint32_t group = index.group_of(key.key);
      key.size = 1 + (group == none ? 0 : index.group(group).size());
      key.begin = total;
      total += key.size;
    }
    if (sums_.size() < total) sums_.resize(total);
    for (const Key& key : keys_) std::fill_n(sums_.data() + key.begin, key.size, Value(0));
    for (const Child& child : distinct_) {
      const Key& key = keys_[number_of_key_[rule.key(forest, child.vertex)]];
      const Value* const row = rows[child.first];
      const Value count(static_cast<double>(child.count));
      Value* const sum = sums_.data() + key.begin;
      for (std::size_t k = 0; k < key.size; ++k) sum[k] += count * row[k];
    }
    for (const Key& key : keys_) {
      rows[key.first] = sums_.data() + key.begin;
      number_of_key_[key.key] = none;
    }
  }

 private:
  struct Key {
    std::uint32_t key;
    std::uint32_t first;         ///< child that has it
    std::uint32_t children = 0;  ///< that have it
    std::size_t size = 0;        ///< of the row
    std::size_t begin = 0;       ///< in sums_
  };
  struct Child {
    VertexId vertex;
    std::uint32_t first;  ///< the first child that is this vertex
    std::uint32_t count;
  };

  /// Lists the keys that several children have, and the distinct children that have these, in the
  /// order of the children. False if there are none.
  template <class Rule>
  bool group_by_key(const Rule& rule, const Forest& forest, std::span<const VertexId> children) {
    number_of_key_.resize(rule.key_count(forest), none);
    keys_.clear();
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      const std::uint32_t key = rule.key(forest, children[a]);
      std::uint32_t& number = number_of_key_[key];
      if (number == none) {
        number = static_cast<std::uint32_t>(keys_.size());
        keys_.push_back({key, a});
      }
      ++keys_[number].children;
    }
    for (const Key& key : keys_) number_of_key_[key.key] = none;
    if (keys_.size() == children.size()) return false;
    std::erase_if(keys_, [](const Key& key) { return key.children == 1; });
    for (std::uint32_t k = 0; k < keys_.size(); ++k) number_of_key_[keys_[k].key] = k;
    distinct_.clear();
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      if (number_of_key_[rule.key(forest, children[a])] != none) {
        distinct_.push_back({children[a], a, 1});
      }
    }
    count_equal();
    return true;
  }

  /// Turns the list of children into one of distinct children.
  void count_equal() {
    std::ranges::sort(distinct_, [](const Child& x, const Child& y) {
      return x.vertex != y.vertex ? x.vertex < y.vertex : x.first < y.first;
    });
    std::size_t size = 0;
    for (const Child& child : distinct_) {
      if (size > 0 && distinct_[size - 1].vertex == child.vertex) {
        ++distinct_[size - 1].count;
      } else {
        distinct_[size++] = child;
      }
    }
    distinct_.resize(size);
    std::ranges::sort(distinct_, {}, &Child::first);
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> number_of_key_;  ///< per key: in keys_; none between uses
  std::vector<Child> distinct_;
  std::vector<Value> sums_;
};

}  // namespace espalier
