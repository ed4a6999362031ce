#include "fragments/fragment_set.hpp"

namespace espalier {

FragmentSet::Entry FragmentSet::find(std::uint64_t hash, std::uint32_t size) const {
  if (columns_ > 0) {
    if (size > max_size_) return {};
    const std::uint64_t grows = size < max_size_ ? ~std::uint64_t{0} : 0;
    return {static_cast<std::uint32_t>(hash & (columns_ - 1)), hash >> 63 != 0, grows};
  }
  const auto found = entries_.find(hash);
  return found == entries_.end() ? Entry{} : found->second;
}

void FragmentSet::add(std::span<const FragmentPrefix> prefixes, std::uint32_t column) {
  for (const FragmentPrefix& prefix : prefixes) {
    Entry& entry = entries_[prefix.hash];
    if (prefix.node == none) {
      entry.column = column;
    } else {
      entry.grows |= std::uint64_t{1} << prefix.node % 64;
    }
  }
}

}  // namespace espalier
