#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/id_index.hpp"

namespace espalier {

using LabelId = std::uint32_t;

/// Interns strings: assigns ids 0, 1, 2, .. in order of first appearance.
/// Const members may be called from many threads concurrently.
class LabelTable {
 public:
  LabelTable() : ends_(1, 0) {}

  /// The id of `text`, which is added if it is new. Amortised O(|text|).
  LabelId intern(std::string_view text);
  /// The id of `text`, or `none`.
  LabelId find(std::string_view text) const;
  /// Valid until the next intern().
  std::string_view text(LabelId id) const {
    return std::string_view(text_).substr(ends_[id], ends_[id + 1] - ends_[id]);
  }
  std::size_t size() const { return ends_.size() - 1; }
  /// Whether all ids have the same strings.
  friend bool operator==(const LabelTable& a, const LabelTable& b) {
    return a.ends_ == b.ends_ && a.text_ == b.text_;
  }

 private:
  bool is(LabelId id, std::string_view text) const;

  std::string text_;                 ///< all strings, concatenated
  std::vector<std::uint64_t> ends_;  ///< string i is text_[ends_[i], ends_[i + 1])
  IdIndex index_;
};

}  // namespace espalier
