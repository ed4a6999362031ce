#include "espalier/forest/label_table.hpp"

#include "base/hash.hpp"

namespace espalier {

bool LabelTable::is(LabelId id, std::string_view text) const {
  const std::uint64_t begin = ends_[id];
  return ends_[id + 1] - begin == text.size() &&
         hash::equal(text_.data() + begin, text.data(), text.size());
}

LabelId LabelTable::intern(std::string_view text) {
  return index_.find_or_add(
      hash::bytes(text), [&](LabelId id) { return is(id, text); },
      [&] {
        text_.resize(ends_.back());  // drops what a failed push_back below left behind
        text_.append(text);
        ends_.push_back(text_.size());
        return static_cast<LabelId>(size() - 1);
      });
}

LabelId LabelTable::find(std::string_view text) const {
  return index_.find(hash::bytes(text), [&](LabelId id) { return is(id, text); });
}

}  // namespace espalier
