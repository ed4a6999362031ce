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

  /// `branches` are those of a forest, `rows` those of rows among them; both may be null as long as
  /// nothing is indexed or computed.
  SubsetTreeMatcher(Value decay, const Branches* branches, const RowBranches* rows)
      : decay_(decay), branches_(branches), rows_(rows) {}

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
  const Branches& branches() const { return *branches_; }

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

  template <class RowOf>
  Extras<Value> extras_of(const Forest&, std::uint32_t number, VertexId, std::uint32_t g,
                          RowOf&& row_of) {
    matches_.clear();
    ranges_.clear();
    out_ = values_.data();
    std::size_t total = 0;
    for (const RowBranches::Entry& entry : rows_->of(number)) {
      const auto places = index_->places(entry.branch);
      if (places.empty()) continue;
      matches_.push_back({entry.plain ? nullptr : row_of(entry.child), places});
      total += places.size();
    }
    const Positions group = index_->group(g);
    if (matches_.size() == 1 && matches_[0].is_range()) {
      take_alone(matches_[0], group.begin);
    } else if (8 * total >= group.size()) {
      take_group(group);
    } else if (!matches_.empty()) {
      for (const Match& match : matches_) multiply(match);
      take_touched(group);
    }
    return {ranges_, values_.data()};
  }

 private:
  struct Match {
    const Value* row;  ///< of a child of u; null: nothing below it but leaves, D is always decay
    std::span<const ProductionIndex::Place> places;

    /// Whether places follow one another.
    bool is_range() const { return places.back().at - places.front().at + 1 == places.size(); }
  };

  /// 1 + D of the matching children.
  Value factor(const Match& match, const ProductionIndex::Place& place) const {
    return Value(1) + match.row[place.rank];
  }
  Value plain_factor() const { return Value(1) + decay_; }

  void multiply(const Match& match) {
    if (match.row != nullptr) {
      for (const auto& place : match.places) products_[place.at] *= factor(match, place);
    } else if (match.is_range()) {
      Value* const products = products_.data() + match.places.front().at;
      for (std::size_t k = 0; k < match.places.size(); ++k) products[k] *= plain_factor();
    } else {
      for (const auto& place : match.places) products_[place.at] *= plain_factor();
    }
  }

  /// What else would go through products: with the same bits.
  void take_alone(const Match& match, std::uint32_t first) {
    const std::uint32_t begin = first + match.places.front().at;
    const auto size = static_cast<std::uint32_t>(match.places.size());
    ranges_.push_back({begin, begin + size});
    if (match.row == nullptr) {
      std::fill_n(out_, size, decay_ * plain_factor() - decay_);
    } else {
      for (std::uint32_t k = 0; k < size; ++k) {
        out_[k] = decay_ * factor(match, match.places[k]) - decay_;
      }
    }
  }

  /// If the last of the matches is the same for the whole group, it is multiplied on the way.
  void take_group(Positions group) {
    Value last(1);
    if (matches_.back().row == nullptr && matches_.back().places.size() == group.size()) {
      last = plain_factor();
      matches_.pop_back();
    }
    for (const Match& match : matches_) multiply(match);
    take({0, group.size()}, group.begin, last);
  }

  /// The products of a range within a group become extras; between uses they are 1.
  void take(Positions range, std::uint32_t first, const Value& last = Value(1)) {
    ranges_.push_back({first + range.begin, first + range.end});
    Value* const products = products_.data() + range.begin;
    for (std::uint32_t k = 0; k < range.size(); ++k) {
      out_[k] = decay_ * (products[k] * last) - decay_;
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
  const Branches* branches_;
  const RowBranches* rows_;
  const ProductionIndex* index_ = nullptr;
  std::vector<Match> matches_;
  std::vector<Value> products_;         ///< per place in a group: 1 between uses
  std::vector<std::uint64_t> touched_;  ///< a bit per place in a group: 0 between uses
  std::vector<Positions> ranges_;
  std::vector<Value> values_;
  Value* out_ = nullptr;  ///< where the next of them goes
};

}  // namespace espalier
