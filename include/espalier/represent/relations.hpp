#pragma once

#include <functional>
#include <utility>

#include "espalier/represent/represent.hpp"

namespace espalier {

/// Whether two words of a pair of sentences are related.
using WordMatch = std::function<bool(const Word&, const Word&)>;

/// Words with the same form, or the same lemma (the form where there is none); capitals do not
/// matter, and punctuation is related to nothing.
WordMatch same_form();
WordMatch same_lemma();
/// Words whose similarity, of their vectors perhaps, is at least `threshold`.
WordMatch similar(std::function<double(const Word&, const Word&)> similarity, double threshold);

/// Marks the words of two sentences that match a word of the other one, question and answer or text
/// and hypothesis (after Severyn & Moschitti 2012): REL- on relation and part of speech of such a
/// word, and on the relations above it up to the root. All words are shown. O(|a| |b|) calls.
std::pair<Marks, Marks> mark_related(const Sentence& a, const Sentence& b, const WordMatch& match);

}  // namespace espalier
