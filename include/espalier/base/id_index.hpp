#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// The id that means "none"; no table assigns it.
inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// Hash index from content, which the owner stores, to 32-bit ids. Linear probing; a slot holds the
/// upper half of the hash and the id, so that most mismatches are detected without accessing the
/// content, and growing never accesses it.
class IdIndex {
 public:
  /// The id whose hash is `hash` and for which `equal(id)` holds; if there is none, the id that
  /// `make()` returns, which is then added. If `make` throws, nothing changes.
  template <class Equal, class Make>
  std::uint32_t find_or_add(std::uint64_t hash, Equal&& equal, Make&& make) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = home(tag);
    for (; slots_[at].id != none; at = (at + 1) & mask_) {
      if (slots_[at].tag == tag && equal(slots_[at].id)) return slots_[at].id;
    }
    const std::uint32_t id = make();
    slots_[at] = {tag, id};
    ++size_;
    return id;
  }

  /// The id whose hash is `hash` and for which `equal(id)` holds, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return none;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = home(tag); slots_[at].id != none; at = (at + 1) & mask_) {
      if (slots_[at].tag == tag && equal(slots_[at].id)) return slots_[at].id;
    }
    return none;
  }

  /// Prefetches the slot where a search for `hash` begins.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(static_cast<std::uint32_t>(hash >> 32))]);
  }

 private:
  struct Slot {
    std::uint32_t tag;
    std::uint32_t id;
  };

  std::size_t home(std::uint32_t tag) const { return tag >> shift_; }
  void grow();

  std::vector<Slot> slots_;  ///< a power of two, at most 2^32 of them
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  unsigned shift_ = 32;
};

}  // namespace espalier
