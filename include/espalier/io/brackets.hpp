#pragma once

#include <string>
#include <string_view>

#include "espalier/forest/tree.hpp"
#include "espalier/io/limited_builder.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// The bracket notation, which most formats use: "(S (NP dog) (VP (V barks)))". A word that is not
/// the first one in its bracket is a leaf, so "(NP dog)" is "(NP(dog))". A bracket that begins with
/// another bracket has an empty label. docs/formats.md describes how labels are escaped.

/// Characters with a special meaning, which are escaped in labels. Formats that delimit fields with
/// vertical bars use the second set.
inline constexpr std::string_view bracket_special = "() ";
inline constexpr std::string_view bracket_special_bars = "() |";

/// Parses trees. One parser can be reused for many trees.
class BracketParser {
 public:
  BracketParser(std::string_view special, const ReadLimits& limits);

  /// Parses `text`, which must hold exactly one tree apart from surrounding blanks, into `tree`. A
  /// blank text is the empty tree. Throws InputError. Linear in the text.
  void parse(const Text& text, Tree& tree);

 private:
  std::string_view read_label(std::string_view bytes, std::size_t& at);

  std::string_view special_;
  LimitedBuilder builder_;
  std::string scratch_;
};

enum class BracketStyle {
  compact,  ///< (S(NP(dog))(VP(V(barks))))
  spaced,   ///< (S (NP (dog))(VP (V (barks))))
  words,    ///< (S (NP dog) (VP (V barks)))
};

/// Appends the tree in bracket notation to `out`; nothing for the empty tree. Throws Error if a
/// label contains a tab, a line break or a NUL byte. Linear in the tree.
void append_brackets(std::string& out, const Tree& tree, BracketStyle style,
                     std::string_view special = bracket_special);

}  // namespace espalier
