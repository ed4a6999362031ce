#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/id_index.hpp"

namespace espalier {

/// An entry of a sparse vector.
template <class Number>
struct SparseEntry {
  std::uint32_t index;
  Number value;
};

/// Numbers the ids that occur, from 0 on, in the order of their first occurrence. Starting again
/// takes time only for the ids that occurred.
class Numbering {
 public:
  /// All ids are below `ids`.
  void start(std::size_t ids) {
    for (const std::uint32_t id : ids_) number_[id] = none;
    ids_.clear();
    number_.resize(ids, none);
  }
  std::uint32_t add(std::uint32_t id) {
    if (number_[id] == none) {
      number_[id] = static_cast<std::uint32_t>(ids_.size());
      ids_.push_back(id);
    }
    return number_[id];
  }
  /// None if the id did not occur.
  std::uint32_t of(std::uint32_t id) const { return id < number_.size() ? number_[id] : none; }
  /// By number.
  const std::vector<std::uint32_t>& ids() const { return ids_; }
  std::size_t size() const { return ids_.size(); }
  std::size_t bytes() const { return sizeof(std::uint32_t) * (number_.size() + ids_.size()); }

 private:
  std::vector<std::uint32_t> number_;  ///< per id, or none
  std::vector<std::uint32_t> ids_;
};

/// Lists of items, one after the other in one array.
template <class Item, class Offset = std::uint32_t>
class Lists {
 public:
  /// for_each(visit) must call visit(list, item) for all items, the same each time: it is called
  /// to count them and again to store them. The items of a list keep their order.
  template <class ForEach>
  void build(std::size_t lists, ForEach&& for_each) {
    begin_.assign(lists + 1, 0);
    Offset* const begin = begin_.data();
    for_each([=](std::size_t list, const Item&) { ++begin[list + 1]; });
    for (std::size_t k = 0; k < lists; ++k) begin[k + 1] += begin[k];
    items_.resize(begin[lists]);
    Item* const items = items_.data();
    for_each([=](std::size_t list, const Item& item) { items[begin[list]++] = item; });
    for (std::size_t k = lists; k > 0; --k) begin[k] = begin[k - 1];
    begin[0] = 0;
  }

  std::size_t size() const { return begin_.size() - 1; }
  std::span<const Item> of(std::size_t list) const { return of(list, list + 1); }
  /// The items of consecutive lists.
  std::span<const Item> of(std::size_t first, std::size_t last) const {
    return {items_.data() + begin_[first], items_.data() + begin_[last]};
  }
  std::size_t bytes() const {
    return sizeof(Item) * items_.size() + sizeof(Offset) * begin_.size();
  }

 private:
  std::vector<Offset> begin_ = {0};  ///< per list, and one more
  std::vector<Item> items_;
};

}  // namespace espalier
