#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "espalier/io/limited_builder.hpp"

namespace espalier {

/// RNA secondary structure: "((..))" with the bases "GCAAGC". A base pair is an inner node,
/// labelled with its bases, an unpaired base a leaf; the root is "RNA". Without bases, the labels
/// are "pair" and "base".
class DotBracketParser {
 public:
  explicit DotBracketParser(const ReadLimits& limits) : builder_(limits) {}

  /// `sequence` is empty or as long as the structure. Linear, times the kinds of brackets.
  void parse(const Text& structure, const Text& sequence, Tree& tree);

 private:
  void find_pairs(const Text& structure, char open, char close);
  void keep_nested(const Text& structure);

  LimitedBuilder builder_;
  std::vector<std::uint32_t> partner_;    ///< per base: its partner; itself if unpaired
  std::vector<std::uint32_t> found_;      ///< the same, for one kind of brackets
  std::vector<std::uint32_t> enclosing_;  ///< per base: the innermost pair around it
  std::vector<std::uint32_t> open_;
};

}  // namespace espalier
