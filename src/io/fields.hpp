#pragma once

#include "espalier/data/example.hpp"
#include "espalier/io/source.hpp"

/// What the formats that mark fields with bars, as in "|BT| .. |ET|", have in common.
namespace espalier {

/// Where the next blank or bar from `begin` on stands; escaped ones belong to a word.
std::size_t find_word_end(const Text& text, std::size_t begin);

/// Parses "feature:value feature:value ..", split at each word's last colon.
FeatureVector parse_sparse(const Text& text);

/// Parses numbers between blanks, commas or semicolons.
FeatureVector parse_dense(const Text& text);

/// Appends the values, as parse_sparse or parse_dense reads them.
void append_vector(std::string& out, const FeatureVector& vector);

/// Appends a word that blanks end; blanks and bars in it are escaped. Throws Error on line ends.
void append_word(std::string& out, std::string_view word);

}  // namespace espalier
