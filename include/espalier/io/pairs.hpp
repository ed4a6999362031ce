#pragma once

#include <memory>
#include <string>

#include "espalier/data/word_vectors.hpp"
#include "espalier/io/format.hpp"
#include "espalier/represent/relations.hpp"

namespace espalier {

/// How two files become pairs.
struct PairOptions {
  /// Which words are related: "form", "lemma", or "vectors:0.8", a cosine of at least 0.8. Empty:
  /// nothing is marked.
  std::string related = {};
  RelatedMarks marks = {};
  std::string vectors = {};  ///< file of word vectors, for `related` and `features`
  bool features = false;     ///< pair_features() as the vector "features"
  std::string group = {};    ///< a text of the examples of a or b, which pairs get as their own

  static void describe(auto& self, auto&& field) {
    field("related", self.related,
          "mark what is above related words with REL-: those with the same form or lemma, or "
          "vectors:0.8 for word vectors with at least this cosine");
    RelatedMarks::describe(self.marks, field);
    field("vectors", self.vectors, "file of word vectors, for related words and features");
    field("features", self.features,
          "a vector 'features' of each pair: overlap of words and bigrams, ratio of lengths, and "
          "with word vectors their similarity");
    field("group", self.group,
          "text or comment key of the members that becomes a text of the pair, such as the "
          "question that answers belong to");
  }
};

/// "form", "lemma" or "vectors:0.8", which needs vectors of all words. Punctuation is never
/// related. Throws Error for others.
WordMatch word_match(const std::string& related, std::shared_ptr<const WordVectors> vectors);

/// Marks the trees that both members have under the same name.
void mark_pair(Example& a, Example& b, const WordMatch& match, const RelatedMarks& which = {});

/// Reads pairs: the i-th example of one file with the i-th of the other. Sentences (CoNLL-U) are
/// marked as sentences, other trees as mark_related() of trees. The labels of pairs are the lines
/// of the file `labels` or, if that is empty, the labels of the examples of a, else of b. With word
/// vectors both files are read twice. next() throws InputError if one file ends before another, if
/// an example has no such group or a line no label.
std::unique_ptr<ExampleReader> open_pairs(const std::string& a, const std::string& b,
                                          const std::string& labels, const ReadOptions& read = {},
                                          const PairOptions& options = {});

}  // namespace espalier
