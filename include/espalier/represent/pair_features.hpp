#pragma once

#include <span>
#include <vector>

#include "espalier/data/example.hpp"
#include "espalier/data/word_vectors.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// How much two texts have in common, each from 0 to 1 (vectors: -1 to 1), as a sparse vector whose
/// features are, for the words of a and b but punctuation:
///   words        distinct words in both of those in either (Jaccard)
///   words_a, words_b       the fraction of the distinct words of a, and of b, that are in both
///   content, content_a, content_b  the same for content words
///   bigrams, bigrams_a, bigrams_b  the same for pairs of adjacent words
///   length_ratio the shorter length by the longer
/// and with word vectors
///   mean_vector  the cosine of the means of the vectors of the content words
///   aligned_a, aligned_b   the mean, over content words, of the largest cosine with one of the
///   other side
/// Words are lemmas (forms where there are none) in lower case. What is undefined, as of a text
/// without words, is 0. O(|a| |b|) with vectors, otherwise O(n log n).
FeatureVector pair_features(std::span<const Word> a, std::span<const Word> b,
                            const WordVectors* vectors = nullptr);

/// The vector of a word: of "lemma::letter", or its lemma or form; empty if it has none.
std::span<const float> vector_of(const Word& word, const WordVectors& vectors);
/// What vector_of() looks up.
std::string vector_key(const Word& word);
/// The cosine of the vectors of two words; 0 if one has none.
double vector_similarity(const Word& a, const Word& b, const WordVectors& vectors);

}  // namespace espalier
