#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "espalier/io/limited_builder.hpp"

namespace espalier {

/// The secondary structure of an RNA: "((..))" with the bases "GCAAGC". A pair of bases is an inner
/// node, named by its bases, and an unpaired base a leaf; a root "RNA" holds them together. Without
/// the bases, nodes are named "pair" and leaves "base".
class DotBracketParser {
 public:
  explicit DotBracketParser(const ReadLimits& limits) : builder_(limits) {}

  /// `sequence` is empty, or as long as the structure. Linear but for the kinds of brackets.
  void parse(const Text& structure, const Text& sequence, Tree& tree);

 private:
  void find_pairs(const Text& structure, char open, char close);
  void keep_nested(const Text& structure);

  LimitedBuilder builder_;
  std::vector<std::uint32_t> partner_;    ///< per base: that it is paired with; itself if unpaired
  std::vector<std::uint32_t> found_;      ///< the same, for one kind of brackets
  std::vector<std::uint32_t> enclosing_;  ///< per base: the innermost pair around it
  std::vector<std::uint32_t> open_;
};

}  // namespace espalier
