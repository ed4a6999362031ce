#pragma once

#include <functional>
#include <utility>

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

/// Marks the words of two sentences (question and answer, text and hypothesis) that match a word of
/// the other one (after Severyn & Moschitti 2012): REL- on the relation and part of speech of such
/// a word, and on the relations above it up to the root. All words are shown. O(|a| |b|) calls.
std::pair<Marks, Marks> mark_related(const Sentence& a, const Sentence& b, const WordMatch& match);

}  // namespace espalier
