#pragma once

#include <vector>

#include "kernel/pair_product.hpp"

namespace espalier {

/// D of the subset tree kernel for two inner vertices with the same production:
/// decay * product over children of (1 + D), where pairs of leaves and pairs with different
/// productions give the factor 1.
template <class V>
class SubsetTreeRule {
 public:
  using Value = V;

  explicit SubsetTreeRule(Value decay) : decay_(decay) {}

  static std::size_t key_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.production(v); }
  const Value& base() const { return decay_; }

  std::size_t row(const Forest& forest, VertexId u, const ColumnIndex& index,
                  ColumnIndex::Group group, const Value* const* row_of, Hits<Value> hits) {
    const auto children = forest.children(u);
    inner_.clear();
    for (std::uint32_t j = 0; j < children.size(); ++j) {
      if (forest.is_leaf(children[j])) continue;
      inner_.push_back({j, forest.production(children[j]), row_of[children[j]]});
    }
    if (inner_.empty()) return 0;
    std::size_t count = 0;
    for (std::uint32_t p = group.begin; p < group.end; ++p) {
      const std::uint32_t first = index.child_begin[p];
      Value product(1);
      bool any = false;
      for (const Child& child : inner_) {
        if (index.child_key[first + child.place] != child.production) continue;
        any = true;
        const Value& below =
            child.row != nullptr ? child.row[index.child_rank[first + child.place]] : decay_;
        product *= Value(1) + below;
      }
      if (!any) continue;
      hits.rank[count] = p - group.begin;
      hits.extra[count++] = decay_ * product - decay_;
    }
    return count;
  }

 private:
  struct Child {
    std::uint32_t place;
    ProductionId production;
    const Value* row;
  };
  Value decay_;
  std::vector<Child> inner_;
};

}  // namespace espalier
