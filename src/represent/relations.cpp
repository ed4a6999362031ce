#include "espalier/represent/relations.hpp"

#include "represent/lower_case.hpp"
#include "represent/punctuation.hpp"

namespace espalier {

namespace {

std::string lower_case(std::string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

const std::string& lemma_of(const Word& word) { return word.lemma == "_" ? word.form : word.lemma; }

/// Marks the words in `matches` and their ancestors with REL-.
Marks marks_of(const Sentence& sentence, const std::vector<std::uint8_t>& matches) {
  Marks marks;
  marks.relation.assign(matches.size(), 0);
  marks.pos.assign(matches.size(), 0);
  const Dependents dependents(sentence);
  for (std::uint32_t i = 0; i < matches.size(); ++i) {
    if (matches[i] == 0) continue;
    marks.pos[i] = related_mark;
    // The ancestors of a marked word are marked already.
    for (std::uint32_t at = i; at != Dependents::no_head && marks.relation[at] == 0;
         at = dependents.head(at)) {
      marks.relation[at] = related_mark;
    }
  }
  return marks;
}

}  // namespace

WordMatch same_form() {
  return [](const Word& a, const Word& b) {
    return !is_punctuation(a) && !is_punctuation(b) && lower_case(a.form) == lower_case(b.form);
  };
}

WordMatch same_lemma() {
  return [](const Word& a, const Word& b) {
    return !is_punctuation(a) && !is_punctuation(b) &&
           lower_case(lemma_of(a)) == lower_case(lemma_of(b));
  };
}

WordMatch similar(std::function<double(const Word&, const Word&)> similarity, double threshold) {
  return [similarity = std::move(similarity), threshold](const Word& a, const Word& b) {
    return similarity(a, b) >= threshold;
  };
}

std::pair<Marks, Marks> mark_related(const Sentence& a, const Sentence& b, const WordMatch& match) {
  std::vector<std::uint8_t> in_a(a.words.size(), 0);
  std::vector<std::uint8_t> in_b(b.words.size(), 0);
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    for (std::size_t j = 0; j < in_b.size(); ++j) {
      // Both are marked already: the result would change nothing.
      if (in_a[i] != 0 && in_b[j] != 0) continue;
      if (match(a.words[i], b.words[j])) in_a[i] = in_b[j] = 1;
    }
  }
  return {marks_of(a, in_a), marks_of(b, in_b)};
}

}  // namespace espalier
