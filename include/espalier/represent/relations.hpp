#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "espalier/forest/tree.hpp"
#include "espalier/represent/represent.hpp"

namespace espalier {

/// Whether two words of a pair of sentences are related.
using WordMatch = std::function<bool(const Word&, const Word&)>;

/// Words with the same form or the same lemma (the form if there is no lemma), ignoring case.
/// Punctuation is never related.
WordMatch same_form();
WordMatch same_lemma();
/// Words whose similarity, for instance that of their vectors, is at least `threshold`.
WordMatch similar(std::function<double(const Word&, const Word&)> similarity, double threshold);

/// Nouns, verbs, adjectives and adverbs, by the letter of their part of speech (n, v, j, r), except
/// "be" and "have".
bool is_content_word(const Word& word);
/// Whether a word is a punctuation mark: by part of speech, relation, or as it has no letter or
/// digit.
bool is_punctuation_mark(const Word& word);

/// Which nodes a related word marks.
struct RelatedMarks {
  bool content_words = false;  ///< only content words are related: see is_content_word()
  bool mark_words = false;     ///< also the lexical node itself
  std::uint32_t levels = 0;    ///< nodes above the lexical node; 0: up to the root

  static void describe(auto& self, auto&& field) {
    field("content_words", self.content_words,
          "only nouns, verbs, adjectives and adverbs are related, but not be and have",
          {.needs = "related"});
    field("mark_words", self.mark_words,
          "mark the words too; their marked forms have no word vectors", {.needs = "related"});
    field("levels", self.levels, "levels marked above a related word; 0: up to the root",
          {.range = {0, 1'000'000}, .needs = "related"});
  }
  friend bool operator==(const RelatedMarks&, const RelatedMarks&) = default;
};

/// Marks the words of two sentences (question and answer, text and hypothesis) that match a word of
/// the other one (after Severyn & Moschitti 2012): REL- on the part of speech and relation of such
/// a word, and on the relations above it. All words are shown. O(|a| |b|) calls.
std::pair<Marks, Marks> mark_related(const Sentence& a, const Sentence& b, const WordMatch& match,
                                     const RelatedMarks& which = {});

/// A word of a tree and its node.
struct TreeWord {
  std::uint32_t node;
  Word word;
};

/// The words of any tree, in preorder: its nodes "LEX##film::n" if there are any, otherwise its
/// leaves. The part of speech of a word (as XPOS) is what follows "::", otherwise the label of the
/// node above, if the word is its only child. Linear in the tree.
std::vector<TreeWord> words_of(const Tree& tree);

/// Marks two trees of any kind: REL- on the nodes above a word that matches a word of the other
/// tree, after the type of a label ("SYNT##REL-obj"). O(|a| |b|) calls for a, b words.
std::pair<Tree, Tree> mark_related(const Tree& a, const Tree& b, const WordMatch& match,
                                   const RelatedMarks& which = {});

}  // namespace espalier
