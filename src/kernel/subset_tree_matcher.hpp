#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/extras.hpp"
#include "kernel/production_index.hpp"

namespace espalier {

/// A matcher (see PairProduct) for the subset tree kernel: D of two inner vertices with the same
/// production is decay * product over children of (1 + D), where pairs of leaves and pairs with
/// different productions give the factor 1.
template <class V>
class SubsetTreeMatcher {
 public:
  using Value = V;
  using Index = ProductionIndex;
  static constexpr bool graded = false;

  explicit SubsetTreeMatcher(Value decay) : decay_(decay) {}

  static std::size_t key_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.production(v); }
  /// So that the vertices of a group whose first inner child matches stand together.
  static std::uint32_t signature(const Forest& forest, VertexId v) {
    for (const VertexId child : forest.children(v)) {
      if (!forest.is_leaf(child)) return forest.production(child);
    }
    return none;
  }
  /// Only those with inner children can have children that match.
  static bool matters(const Forest& forest, VertexId v) { return forest.height(v) > 1; }
  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }

  static std::size_t bytes() { return 0; }

  void start(const Forest&, const ProductionIndex& index) {
    index_ = &index;
    std::size_t largest = 0;
    for (std::uint32_t g = 0; g < index.group_count(); ++g) {
      largest = std::max<std::size_t>(largest, index.group(g).size());
    }
    products_.resize(std::max(products_.size(), largest), Value(1));
    values_.resize(products_.size());
    touched_.resize(std::max(touched_.size(), largest / 64 + 1), 0);
  }

  Extras<Value> extras_of(const Forest& forest, VertexId u, std::uint32_t g,
                          std::span<const Value* const> children) {
    matches_.clear();
    std::size_t total = 0;
    const auto below = forest.children(u);
    for (std::uint32_t a = 0; a < below.size(); ++a) {
      if (forest.is_leaf(below[a])) continue;
      const auto places = index_->places(g, a, forest.production(below[a]));
      if (places.empty()) continue;
      matches_.push_back({children[a], places, forest.height(below[a]) == 1});
      total += places.size();
    }
    if (matches_.empty()) return {};
    for (const Match& match : matches_) multiply(match);
    ranges_.clear();
    out_ = values_.data();
    const Positions group = index_->group(g);
    if (8 * total >= group.size()) {
      take({0, group.size()}, group.begin);
    } else {
      take_touched(group);
    }
    return {ranges_, values_.data()};
  }

 private:
  struct Match {
    const Value* row;  ///< of a child of u
    std::span<const ProductionIndex::Place> places;
    bool plain;  ///< nothing below the child but leaves: D is decay with all of them
  };

  void multiply(const Match& match) {
    const auto& places = match.places;
    if (!match.plain) {
      for (const auto& place : places) {
        products_[place.at] *= Value(1) + match.row[place.rank];
      }
      return;
    }
    const Value factor = Value(1) + decay_;
    if (places.back().at - places.front().at + 1 == places.size()) {
      Value* const products = products_.data() + places.front().at;
      for (std::size_t k = 0; k < places.size(); ++k) products[k] *= factor;
    } else {
      for (const auto& place : places) products_[place.at] *= factor;
    }
  }

  /// The products of a range within a group become extras; between uses they are 1.
  void take(Positions range, std::uint32_t first) {
    ranges_.push_back({first + range.begin, first + range.end});
    Value* const products = products_.data() + range.begin;
    for (std::uint32_t k = 0; k < range.size(); ++k) {
      out_[k] = decay_ * products[k] - decay_;
      products[k] = Value(1);
    }
    out_ += range.size();
  }

  /// In rising order, as if the whole group were taken.
  void take_touched(Positions group) {
    for (const Match& match : matches_) {
      for (const auto& place : match.places) {
        touched_[place.at / 64] |= std::uint64_t{1} << (place.at % 64);
      }
    }
    for (std::uint32_t word = 0; word <= (group.size() - 1) / 64; ++word) {
      for (std::uint64_t bits = touched_[word]; bits != 0;) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(bits));
        const auto size = static_cast<std::uint32_t>(std::countr_one(bits >> first));
        take({64 * word + first, 64 * word + first + size}, group.begin);
        bits = first + size == 64 ? 0 : bits >> (first + size) << (first + size);
      }
      touched_[word] = 0;
    }
  }

  Value decay_;
  const ProductionIndex* index_ = nullptr;
  std::vector<Match> matches_;
  std::vector<Value> products_;         ///< per place in a group: 1 between uses
  std::vector<std::uint64_t> touched_;  ///< a bit per place in a group: 0 between uses
  std::vector<Positions> ranges_;
  std::vector<Value> values_;
  Value* out_ = nullptr;  ///< where the next of them goes
};

}  // namespace espalier
