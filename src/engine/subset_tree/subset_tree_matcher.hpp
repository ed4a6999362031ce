#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/lanes.hpp"
#include "engine/subset_tree/production_index.hpp"

namespace espalier {

/// A matcher (see Matcher) for the subset tree kernel: D of two inner vertices with the same
/// production is decay * product over children of (1 + D), where pairs of leaves, pairs with
/// different productions and pairs whose label is not selected have the factor 1.
template <class V>
class SubsetTreeMatcher {
 public:
  using Value = V;
  using Index = ProductionIndex;
  using Options = SubsetTreeOptions;
  using Shared = std::shared_ptr<const Branches>;
  static constexpr bool graded = false;
  static constexpr bool may_weigh_leaves = false;

  SubsetTreeMatcher(std::span<const TreeKernelNode> settings, Shared branches,
                    std::size_t /*memory*/)
      : decay_(lanes<Value, Options>(settings, &Options::decay)), branches_(std::move(branches)) {}

  static Shared share(const Forest& forest, const LabelSelection& selection) {
    return std::make_shared<const Branches>(forest, selection);
  }

  static std::size_t key_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.production(v); }
  /// Makes the vertices of a group whose first inner child matches adjacent.
  static std::uint64_t signature_hash(const ContentHashes& hashes, const Forest& forest,
                                      VertexId v) {
    for (const VertexId child : forest.children(v)) {
      if (!forest.is_leaf(child)) return hashes.production(forest.production(child));
    }
    return 0;
  }
  /// Only vertices with inner children can have matching children.
  bool matters(const Forest& forest, VertexId v) const {
    return forest.height(v) > 1 && branches_->selection().has(forest.label(v));
  }
  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }
  static bool counts(const Forest& forest, const Options& options, VertexId v) {
    return options.leaves || !forest.is_leaf(v);
  }
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
    positions_.resize(products_.size());
  }

  template <class RowOf>
  Differences<Value> differences_of(const Forest& forest, VertexId u, std::uint32_t g,
                                    RowOf&& row_of) {
    matches_.clear();
    size_ = 0;
    std::size_t total = 0;
    const auto children = forest.children(u);
    for (std::uint32_t place = 0; place < children.size(); ++place) {
      const std::uint32_t branch = branches_->of(forest, u, place);
      if (branch == none) continue;
      const auto places = index_->places(branch);
      if (places.empty()) continue;
      const bool plain = forest.height(children[place]) == 1;
      matches_.push_back({plain ? nullptr : row_of(children[place]), places});
      total += places.size();
    }
    if (matches_.empty()) return {};
    const Positions group = index_->group(g);
    if (matches_.size() == 1 && is_range(matches_[0].second)) {
      take_range(matches_[0], group.begin);
    } else if (4 * total >= group.size()) {
      take_group(group);
    } else if (matches_.size() == 1) {
      take_places(matches_[0], group.begin);
    } else {
      take_touched(group);
    }
    return differences();
  }

 private:
  using Place = ProductionIndex::Place;
  /// The row of a child of u, or null if it has only leaves (then D is decay), and the columns that
  /// match there.
  using Match = std::pair<const Value*, std::span<const Place>>;

  static bool is_range(std::span<const Place> places) {
    return places.back().at - places.front().at + 1 == places.size();
  }
  /// 1 + D of the matching children.
  static Value factor(const Value* row, const Place& place) { return Value(1) + row[place.rank]; }
  Value plain_factor() const { return Value(1) + decay_; }
  /// D - base, given the product of the factors of all children.
  Value difference(const Value& product) const { return decay_ * product - decay_; }

  void multiply(const Match& match, Value* products) const {
    const auto& [row, places] = match;
    if (row != nullptr) {
      for (const Place& place : places) products[place.at] *= factor(row, place);
    } else if (is_range(places)) {
      Value* const first = products + places.front().at;
      for (std::size_t k = 0; k < places.size(); ++k) first[k] *= plain_factor();
    } else {
      for (const Place& place : places) products[place.at] *= plain_factor();
    }
  }

  // All of these compute the same bits.

  void take_range(const Match& match, std::uint32_t first) {
    const auto& [row, places] = match;
    const std::uint32_t at = first + places.front().at;
    start_range({at, at + static_cast<std::uint32_t>(places.size())});
    Value* const values = values_.data();
    if (row == nullptr) {
      std::fill_n(values, size_, difference(plain_factor()));
    } else {
      for (std::size_t k = 0; k < size_; ++k) values[k] = difference(factor(row, places[k]));
    }
  }

  void take_group(Positions group) {
    start_range(group);
    Value* const values = values_.data();
    std::fill_n(values, size_, Value(1));
    for (const Match& match : matches_) multiply(match, values);
    for (std::size_t k = 0; k < size_; ++k) values[k] = difference(values[k]);
  }

  void take_places(const Match& match, std::uint32_t first) {
    const auto& [row, places] = match;
    are_listed_ = true;
    size_ = places.size();
    for (std::size_t k = 0; k < size_; ++k) {
      values_[k] = difference(row != nullptr ? factor(row, places[k]) : plain_factor());
      positions_[k] = first + places[k].at;
    }
  }

  /// In ascending order.
  void take_touched(Positions group) {
    for (const Match& match : matches_) {
      multiply(match, products_.data());
      for (const Place& place : match.second) {
        touched_[place.at / 64] |= std::uint64_t{1} << (place.at % 64);
      }
    }
    are_listed_ = true;
    for (std::uint32_t word = 0; word <= (group.size() - 1) / 64; ++word) {
      for (std::uint64_t bits = std::exchange(touched_[word], 0); bits != 0; bits &= bits - 1) {
        const std::uint32_t at = 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits));
        positions_[size_] = group.begin + at;
        values_[size_++] = difference(std::exchange(products_[at], Value(1)));
      }
    }
  }

  void start_range(Positions range) {
    are_listed_ = false;
    range_ = range;
    size_ = range.size();
  }
  Differences<Value> differences() const {
    if (are_listed_) return {{}, values_.data(), {positions_.data(), size_}};
    return {{&range_, 1}, values_.data()};
  }

  Value decay_;
  Shared branches_;
  const ProductionIndex* index_ = nullptr;
  std::vector<Match> matches_;
  std::vector<Value> products_;         ///< per place in a group: 1 between uses
  std::vector<std::uint64_t> touched_;  ///< a bit per place in a group: 0 between uses

  // The differences of the current vertex: a range, or a list of positions.
  std::size_t size_ = 0;
  bool are_listed_ = false;
  Positions range_{};
  std::vector<std::uint32_t> positions_;
  std::vector<Value> values_;
};

}  // namespace espalier
