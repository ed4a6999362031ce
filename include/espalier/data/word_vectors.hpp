#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/forest/label_table.hpp"

namespace espalier {

/// The vectors of the requested words; some of these may have none.
struct WordVectors {
  std::uint64_t dimension = 0;
  LabelTable words;                ///< the requested ones, spelled as in trees
  std::vector<std::uint32_t> row;  ///< per word: the row of its vector, or none
  std::vector<float> values;       ///< row by row
  std::vector<float> mean;         ///< of all vectors in the file

  /// Whether the word was requested.
  bool knows(std::string_view word) const { return words.find(word) != none; }
  /// Empty if the word has no vector or was not requested.
  std::span<const float> find(std::string_view word) const {
    const LabelId id = words.find(word);
    if (id == none || row[id] == none) return {};
    return {values.data() + row[id] * dimension, static_cast<std::size_t>(dimension)};
  }
  std::size_t found() const { return dimension == 0 ? 0 : values.size() / dimension; }
};

}  // namespace espalier
