#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/forest/label_table.hpp"

namespace espalier {

/// The vectors of the words that were looked for, and which of these have none.
struct WordVectors {
  std::uint64_t dimension = 0;
  LabelTable words;                ///< those that were looked for, as trees write them
  std::vector<std::uint32_t> row;  ///< per word: its vector's, or none
  std::vector<float> values;       ///< row by row
  std::vector<float> mean;         ///< of all vectors that there were to choose from

  /// Whether the word was looked for.
  bool knows(std::string_view word) const { return words.find(word) != none; }
  /// Empty if the word has no vector, or was never looked for.
  std::span<const float> find(std::string_view word) const {
    const LabelId id = words.find(word);
    if (id == none || row[id] == none) return {};
    return {values.data() + row[id] * dimension, static_cast<std::size_t>(dimension)};
  }
  std::size_t found() const { return dimension == 0 ? 0 : values.size() / dimension; }
};

}  // namespace espalier
