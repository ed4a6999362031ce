#pragma once

#include "espalier/data/example.hpp"
#include "espalier/io/source.hpp"

/// Common to formats that delimit fields with bars, as in "|BT| .. |ET|".
namespace espalier {

/// The position of the next unescaped blank or bar from `begin` on.
std::size_t find_word_end(const Text& text, std::size_t begin);

/// Parses "feature:value feature:value ..", split at each word's last colon.
FeatureVector parse_sparse(const Text& text, const ReadLimits& limits);

/// Parses numbers separated by blanks, commas or semicolons.
FeatureVector parse_dense(const Text& text, const ReadLimits& limits);

/// Appends the values in the notation of parse_sparse or parse_dense.
void append_vector(std::string& out, const FeatureVector& vector);

/// Appends a word with blanks and bars escaped. Throws Error on line breaks.
void append_word(std::string& out, std::string_view word);

}  // namespace espalier
