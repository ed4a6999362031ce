#pragma once

#include <functional>
#include <string>

#include "espalier/data/word_vectors.hpp"

namespace espalier {

struct WordVectorOptions {
  bool mean = false;  ///< whether the mean of all vectors of the file is wanted
  /// Called with one line about each thing that is odd. It may be empty.
  std::function<void(const std::string&)> warn = {};
};

/// Looks for the vectors of `words` in a file: text as word2vec, GloVe and fastText write it, with
/// or without a header, binary word2vec, or a word space of KeLP; plain or gzip; told by content.
/// Only what is looked for is kept.
///
/// A word is written as trees have it, "film::n" or "film". The first of these that the file has
/// counts: the word as it is, without its part of speech, the same in lower case. Of a word that
/// the file has twice the first vector counts, with a warning. A header that names another number
/// of words than there are is a warning; a vector of another dimension, or with a number that is
/// not finite, an InputError.
WordVectors read_word_vectors(const std::string& path, const LabelTable& words,
                              const WordVectorOptions& options = {});

/// The word without its part of speech: "film" of "film::n".
std::string_view without_part_of_speech(std::string_view word);

}  // namespace espalier
