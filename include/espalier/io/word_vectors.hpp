#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "espalier/data/word_vectors.hpp"

namespace espalier {

struct WordVectorOptions {
  bool mean = false;  ///< whether the mean of all vectors of the file is wanted
  /// Called with a one-line message about each irregularity. May be empty.
  std::function<void(const std::string&)> warn = {};
};

/// Looks up the vectors of `words` in a file: the text formats of word2vec, GloVe and fastText,
/// with or without a header, binary word2vec, or a word space of KeLP; plain or gzip. The format is
/// detected by content. Only the requested vectors are kept.
///
/// Words are spelled as in trees, "film::n" or "film". The first of these that the file contains is
/// used: the word itself, without its part of speech, the same in lower case. If a word occurs
/// twice, the first vector is used, with a warning. A header with a wrong number of words is a
/// warning; a vector of a different dimension, or with a number that is not finite, throws
/// InputError.
WordVectors read_word_vectors(const std::string& path, const LabelTable& words,
                              const WordVectorOptions& options = {});

/// A digest of the content of a file, plain or gzip: the same for both. Linear in its size.
std::uint64_t word_file_digest(const std::string& path);

/// The word without its part of speech: "film" of "film::n".
std::string_view without_part_of_speech(std::string_view word);

}  // namespace espalier
