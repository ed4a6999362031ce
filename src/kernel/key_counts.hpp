#pragma once

#include <span>

#include "kernel/bags.hpp"
#include "kernel/feature_product.hpp"

namespace espalier {

/// How often each key occurs in an example: among all its nodes, and among some of them, where it
/// may be another key. With these, what all pairs of nodes with equal keys add up to at their base
/// value is two products.
struct KeyCounts {
  Features all;
  Features some;
};

/// The same, turned round.
struct KeyColumns {
  FeatureColumns all;
  FeatureColumns some;
};

/// `keys` has the key of each vertex, below `key_count`, or none if it does not count. Some are the
/// inner nodes, if they are wanted.
KeyCounts count_keys(const Bags& bags, std::size_t key_count, std::span<const std::uint32_t> keys,
                     bool with_inner);

/// Sets the keys that `counts` has not to none: a product with it has no use for them.
void leave_out_all_but(const Features& counts, std::span<std::uint32_t> keys);

}  // namespace espalier
