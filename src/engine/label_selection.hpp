#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/forest/label_table.hpp"

namespace espalier {

/// The labels that a kernel is restricted to by select(), as ids of a label table: all labels if it
/// is not restricted. Labels that the table received later are not selected: nothing that was there
/// before has them.
class LabelSelection {
 public:
  LabelSelection() = default;
  LabelSelection(const LabelTable& table, const std::vector<std::string>& labels)
      : all_(labels.empty()) {
    if (all_) return;
    selected_.assign(table.size(), 0);
    for (const std::string& label : labels) {
      const LabelId id = table.find(label);
      if (id != none) selected_[id] = 1;
    }
  }

  bool has(LabelId label) const {
    return all_ || (label < selected_.size() && selected_[label] != 0);
  }

 private:
  bool all_ = true;
  std::vector<std::uint8_t> selected_;  ///< per label
};

}  // namespace espalier
