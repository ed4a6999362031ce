#pragma once

#include <span>

#include "engine/bags.hpp"
#include "engine/feature_product.hpp"

namespace espalier {

/// How often each key occurs in an example: among all its nodes, and among the inner ones. With
/// these, the sum of the base values of all pairs of nodes with equal keys is two products.
struct KeyCounts {
  SparseMatrix all;
  SparseMatrix inner;
};

/// The inverted index of KeyCounts.
template <class Number>
struct KeyColumns {
  FeatureColumns<Number> all;
  FeatureColumns<Number> inner;

  void build(const KeyCounts& counts, Slice columns, bool with_inner) {
    all.build(counts.all, columns);
    if (with_inner) inner.build(counts.inner, columns);
  }
};

/// `keys` has the key of each vertex, below `key_count`, or none if the vertex does not count.
/// Inner nodes are only counted separately if `with_inner`.
KeyCounts count_keys(const Bags& bags, std::size_t key_count, std::span<const std::uint32_t> keys,
                     bool with_inner);

/// Sets keys that do not occur in `counts` to none: they do not contribute to a product with it.
void keep_only_keys_of(const SparseMatrix& counts, std::span<std::uint32_t> keys);

}  // namespace espalier
