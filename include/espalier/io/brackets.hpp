#pragma once

#include <string>
#include <string_view>

#include "espalier/forest/tree.hpp"
#include "espalier/io/limited_builder.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// Trees as brackets, the notation that most formats share: "(S (NP dog) (VP (V barks)))". A word
/// that is not the first in its bracket is a leaf, so "(NP dog)" is "(NP(dog))". A bracket that
/// begins with another one has an empty label. docs/formats.md says how labels are escaped.

/// The characters that have a meaning in brackets and are escaped in labels. Formats that mark
/// fields with bars use the second set.
inline constexpr std::string_view bracket_special = "() ";
inline constexpr std::string_view bracket_special_bars = "() |";

/// Parses trees; one parser serves many.
class BracketParser {
 public:
  BracketParser(std::string_view special, const ReadLimits& limits);

  /// Parses one tree, which must be all of `text` but for blanks around it, into `tree`. A blank
  /// text is the empty tree. Throws InputError. Linear in the text.
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

/// Appends the tree in brackets to `out`; nothing for the empty tree. Throws Error if a label holds
/// a tab, a line end or a NUL byte. Linear in the tree.
void append_brackets(std::string& out, const Tree& tree, BracketStyle style,
                     std::string_view special = bracket_special);

}  // namespace espalier
