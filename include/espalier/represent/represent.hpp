#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/parameter.hpp"
#include "espalier/forest/tree.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// Tree representations of dependency parses (Croce, Moschitti & Basili 2011; cgrct, clct: Annesi,
/// Croce & Basili 2014), and chunks. docs/sentences.md shows them.
enum class SentenceForm {
  grct,     ///< relations as inner nodes; each word, below its part of speech, in sentence order
  lct,      ///< words as nodes; their dependents, part of speech and relation are children
  loct,     ///< words as nodes and nothing else
  cgrct,    ///< grct whose relation labels include head and modifier
  clct,     ///< lct with such relations as nodes; the word is the last leaf
  shallow,  ///< sentence, chunks, parts of speech, words: the parts of speech decide, not the heads
};

constexpr std::array<const char*, 6> names_of(SentenceForm) {
  return {"grct", "lct", "loct", "cgrct", "clct", "shallow"};
}

/// How words appear in labels.
struct WordOptions {
  bool forms = false;        ///< word forms instead of lemmas
  bool coarse = false;       ///< universal part-of-speech tags (UPOS) instead of XPOS
  bool lower_case = true;    ///< words in lower case
  bool punctuation = false;  ///< keep it; otherwise punctuation without dependents is dropped

  static void describe(auto& self, auto&& field) {
    field("forms", self.forms, "word forms instead of lemmas");
    field("coarse", self.coarse, "universal parts of speech (UPOS) instead of XPOS");
    field("lower_case", self.lower_case, "words in lower case");
    field("punctuation", self.punctuation, "keep punctuation");
  }
  friend bool operator==(const WordOptions&, const WordOptions&) = default;
};

/// Bits of the marks of a node.
enum Mark : std::uint8_t {
  argument_mark = 1,   ///< "-FE" after the label: part of a candidate argument
  predicate_mark = 2,  ///< "-LU" after the label: the predicate or a node above it
  related_mark = 4,    ///< "REL-" before the label: matches a word of the other sentence
};

/// Which words of a sentence a tree shows, and the marks on their nodes (sets of Mark). Each list
/// is empty (all words, no marks) or has one entry per word. The root of the tree is the topmost
/// word shown. A lexical node with a mark loses its word vector. In loct, which has no other nodes,
/// it has the marks of the relation; the chunks of shallow trees have those of the relations of
/// related words.
struct Marks {
  std::vector<std::uint8_t> shown;      ///< not 0: shown if its head is shown
  std::vector<std::uint8_t> relation;   ///< marks on the nodes of the relation
  std::vector<std::uint8_t> pos;        ///< marks on the node of the part of speech
  std::vector<std::uint8_t> word = {};  ///< marks on the lexical node, except of loct
  std::uint8_t sentence = 0;            ///< marks on the root of a shallow tree
};

/// A tree whose nodes are aligned with words.
struct SentenceTree {
  Tree tree;
  std::vector<std::uint32_t> words;  ///< per node: the index of its word
};

/// 1 for each word that the options keep, 0 for the others: all, or all but punctuation without
/// dependents other than punctuation. The root is always kept.
std::vector<std::uint8_t> words_shown(const Sentence& sentence, const WordOptions& options);

/// The sentence as a tree. Labels are typed as in KeLP's files: "SYNT##nsubj", "POS##NN",
/// "LEX##film::n", "COMP##nsubj<feature::v,film::n>". Dependents are in sentence order. Throws
/// Error if the heads do not form a tree. Linear in the sentence.
SentenceTree represent(const Sentence& sentence, SentenceForm form, const WordOptions& options = {},
                       const Marks& marks = {});

/// The inverse of represent(), for trees without marks: words with their heads and, as far as the
/// representation contains them, relations and parts of speech (as XPOS). The text of a word
/// becomes its lemma and form.
///
/// The order of words is that of `words` (SentenceTree::words) if given. Otherwise it is that of
/// the tree, which is correct for grct and cgrct unless dependencies cross; other representations
/// do not say where a word is among its dependents, and it is put before them. Throws Error for
/// other trees.
Sentence sentence_of(const Tree& tree, SentenceForm form,
                     const std::vector<std::uint32_t>& words = {});

}  // namespace espalier
