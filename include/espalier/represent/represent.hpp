#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/forest/tree.hpp"
#include "espalier/represent/sentence.hpp"

namespace espalier {

/// How a sentence with dependencies becomes a tree (Croce, Moschitti & Basili 2011; the last two:
/// Annesi, Croce & Basili 2014). docs/sentences.md draws them.
enum class SentenceForm {
  grct,   ///< relations as nodes; the word, below its part of speech, at its place among them
  lct,    ///< words as nodes, over their dependents, their part of speech and their relation
  loct,   ///< words as nodes and nothing else
  cgrct,  ///< grct whose relations name their head and modifier
  clct,   ///< lct with such relations as nodes; the word is the last leaf
};

/// The name that forms have in files and on the command line.
std::string_view to_string(SentenceForm form);
/// Throws Error with the nearest known name.
SentenceForm sentence_form_named(std::string_view name);

/// What the nodes of a tree show of the words.
struct WordOptions {
  bool forms = false;        ///< words as they stand in the text, not their lemmas
  bool coarse = false;       ///< universal parts of speech (UPOS), not those of the language (XPOS)
  bool lower_case = true;    ///< of words
  bool punctuation = false;  ///< kept; else marks that nothing depends on are dropped
  friend bool operator==(const WordOptions&, const WordOptions&) = default;
};

/// Marks of a node, which may have several.
enum Mark : std::uint8_t {
  argument_mark = 1,   ///< "-FE" after the label: part of a candidate argument
  predicate_mark = 2,  ///< "-LU" after the label: the predicate, or above it
  related_mark = 4,    ///< "REL-" before the label: matches a word of the other sentence
};

/// Which words of a sentence a tree shows, and the marks on their nodes; sets of Mark. Each is
/// empty (all words, no marks) or has one entry per word. The tree begins at the topmost word that
/// is shown. Lexical nodes are never marked, so that they keep their vectors, but in loct, which
/// has no others.
struct Marks {
  std::vector<std::uint8_t> shown;     ///< not 0: shown, if its head is too
  std::vector<std::uint8_t> relation;  ///< on the nodes of its relation
  std::vector<std::uint8_t> pos;       ///< on the node of its part of speech
};

/// A tree that knows its words.
struct SentenceTree {
  Tree tree;
  std::vector<std::uint32_t> words;  ///< per node: the index of the word that it belongs to
};

/// Which words options leave: all, or all but punctuation that nothing else depends on. 0 or 1 per
/// word. The root always stays.
std::vector<std::uint8_t> words_shown(const Sentence& sentence, const WordOptions& options);

/// The sentence as a tree. Labels are typed as in KeLP's files: "SYNT##nsubj", "POS##NN",
/// "LEX##film::n", "COMP##nsubj<feature::v,film::n>". Dependents come in the order of the sentence.
/// Throws Error if its heads make no tree. Linear in the sentence.
SentenceTree represent(const Sentence& sentence, SentenceForm form, const WordOptions& options = {},
                       const Marks& marks = {});

/// The sentence that a tree without marks shows: its words with their heads, and as far as the form
/// tells them, relations and parts of speech (as XPOS). The text of a word is its lemma and form.
///
/// The order of words is that of `words`, if given (SentenceTree::words). Else it is that of the
/// tree: right in grct and cgrct unless dependencies cross; other forms do not say where a word
/// stands among its dependents, and it is put before them. Throws Error if it is no such tree.
Sentence sentence_of(const Tree& tree, SentenceForm form,
                     const std::vector<std::uint32_t>& words = {});

}  // namespace espalier
