#include "espalier/represent/relations.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "represent/lower_case.hpp"
#include "represent/punctuation.hpp"
#include "represent/tree_words.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

namespace {

std::string lower_case(std::string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

const std::string& lemma_of(const Word& word) { return word.lemma == "_" ? word.form : word.lemma; }

/// The number of levels marked.
std::uint32_t levels_of(const RelatedMarks& which) {
  return which.levels == 0 ? std::numeric_limits<std::uint32_t>::max() : which.levels;
}

/// Marks the words in `matches` and what is above them.
Marks marks_of(const Sentence& sentence, const std::vector<std::uint8_t>& matches,
               const RelatedMarks& which) {
  constexpr std::uint32_t relation_level = 2;  // the part of speech is the first
  Marks marks;
  marks.relation.assign(matches.size(), 0);
  marks.pos.assign(matches.size(), 0);
  marks.word.assign(matches.size(), 0);
  const Dependents dependents(sentence);
  for (std::uint32_t i = 0; i < matches.size(); ++i) {
    if (matches[i] == 0) continue;
    marks.pos[i] = related_mark;
    if (which.mark_words) marks.word[i] = related_mark;
    if (levels_of(which) > relation_level) marks.sentence = related_mark;
    std::uint32_t level = relation_level;
    for (std::uint32_t at = i; at != Dependents::no_head && level <= levels_of(which);
         at = dependents.head(at), ++level) {
      // Without a limit, the ancestors of a marked word are marked already.
      if (which.levels == 0 && marks.relation[at] != 0) break;
      marks.relation[at] = related_mark;
    }
  }
  return marks;
}

using Flags = std::vector<std::uint8_t>;

/// For each word whether it matches one of the other side.
std::pair<Flags, Flags> matches_of(std::span<const Word* const> a, std::span<const Word* const> b,
                                   const WordMatch& match, const RelatedMarks& which) {
  const auto may_match = [&](std::span<const Word* const> words) {
    Flags out;
    for (const Word* word : words) out.push_back(!which.content_words || is_content_word(*word));
    return out;
  };
  const Flags from_a = may_match(a);
  const Flags from_b = may_match(b);
  Flags in_a(a.size(), 0);
  Flags in_b(b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size() && from_a[i] != 0; ++j) {
      // Where both are marked already the result would change nothing.
      if (from_b[j] == 0 || (in_a[i] != 0 && in_b[j] != 0)) continue;
      if (match(*a[i], *b[j])) in_a[i] = in_b[j] = 1;
    }
  }
  return {std::move(in_a), std::move(in_b)};
}

std::vector<const Word*> pointers(const Sentence& sentence) {
  std::vector<const Word*> out;
  for (const Word& word : sentence.words) out.push_back(&word);
  return out;
}

std::vector<const Word*> pointers(const std::vector<TreeWord>& words) {
  std::vector<const Word*> out;
  out.reserve(words.size());
  for (const TreeWord& each : words) out.push_back(&each.word);
  return out;
}

}  // namespace

bool is_punctuation_mark(const Word& word) {
  const auto is_text = [](unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  return is_punctuation(word) || std::ranges::none_of(word.form, is_text);
}

bool is_content_word(const Word& word) {
  constexpr std::array content = {"n", "v", "j", "r"};
  const std::string lemma = lower_case(lemma_of(word));
  return std::ranges::find(content, word_letter(word, {})) != content.end() && lemma != "be" &&
         lemma != "have" && !is_punctuation_mark(word);
}

WordMatch same_form() {
  return [](const Word& a, const Word& b) {
    return !is_punctuation_mark(a) && !is_punctuation_mark(b) &&
           lower_case(a.form) == lower_case(b.form);
  };
}

WordMatch same_lemma() {
  return [](const Word& a, const Word& b) {
    return !is_punctuation_mark(a) && !is_punctuation_mark(b) &&
           lower_case(lemma_of(a)) == lower_case(lemma_of(b));
  };
}

WordMatch similar(std::function<double(const Word&, const Word&)> similarity, double threshold) {
  return [similarity = std::move(similarity), threshold](const Word& a, const Word& b) {
    return similarity(a, b) >= threshold;
  };
}

std::pair<Marks, Marks> mark_related(const Sentence& a, const Sentence& b, const WordMatch& match,
                                     const RelatedMarks& which) {
  const auto [in_a, in_b] = matches_of(pointers(a), pointers(b), match, which);
  return {marks_of(a, in_a, which), marks_of(b, in_b, which)};
}

std::pair<Tree, Tree> mark_related(const Tree& a, const Tree& b, const WordMatch& match,
                                   const RelatedMarks& which) {
  const std::vector<TreeWord> words_a = words_of(a);
  const std::vector<TreeWord> words_b = words_of(b);
  const auto [in_a, in_b] = matches_of(pointers(words_a), pointers(words_b), match, which);
  return {mark_words(a, words_a, in_a, which.mark_words, levels_of(which)),
          mark_words(b, words_b, in_b, which.mark_words, levels_of(which))};
}

}  // namespace espalier
