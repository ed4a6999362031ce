#pragma once

#include <span>

#include "kernel/pair_product.hpp"

namespace espalier {

/// For each inner vertex a number, equal when two have the same production and their children have
/// the same productions.
std::vector<std::uint32_t> production_pairs(const Forest& forest);

/// D of the subset tree kernel for two inner vertices with the same production:
/// decay * product over children of (1 + D), where pairs of leaves and pairs with different
/// productions give the factor 1.
template <class V>
class SubsetTreeRule {
 public:
  using Value = V;
  static constexpr bool graded = false;
  static constexpr bool any_place = false;

  /// `signatures` are production_pairs() of the forest.
  SubsetTreeRule(Value decay, std::span<const std::uint32_t> signatures)
      : decay_(decay), signatures_(signatures) {}

  static std::size_t key_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.production(v); }
  std::uint32_t signature(const Forest&, VertexId v) const { return signatures_[v]; }
  static bool joins(const Forest& forest, VertexId child) { return !forest.is_leaf(child); }
  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }

  void extras(std::span<const Value* const> children, std::span<const ChildMatch> matches,
              const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) const {
    const std::size_t size = run.size();
    std::fill(out, out + size, Value(1));
    for (const ChildMatch& match : matches) {
      const Value* const row = children[match.a];
      const std::uint32_t* const rank = index.child_ranks(run, match.b);
      for (std::size_t k = 0; k < size; ++k) out[k] *= Value(1) + row[rank[k]];
    }
    for (std::size_t k = 0; k < size; ++k) out[k] = decay_ * out[k] - decay_;
  }

 private:
  Value decay_;
  std::span<const std::uint32_t> signatures_;
};

}  // namespace espalier
