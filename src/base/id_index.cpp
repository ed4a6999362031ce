#include "espalier/base/id_index.hpp"

#include <bit>
#include <utility>

#include "espalier/base/error.hpp"

namespace espalier {

void IdIndex::grow() {
  const std::size_t slots = slots_.empty() ? 64 : 2 * slots_.size();
  // Home slots come from the 32 bits of the tag: a larger table would not spread them further.
  if (slots > (std::size_t{1} << 32)) throw Error("too many distinct items: more than 3 * 2^30");
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots, Slot{0, none}));
  mask_ = slots - 1;
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(slots));
  for (const Slot& slot : old) {
    if (slot.id == none) continue;
    std::size_t at = home(slot.tag);
    while (slots_[at].id != none) at = (at + 1) & mask_;
    slots_[at] = slot;
  }
}

}  // namespace espalier
