#include "represent/shallow.hpp"

#include <algorithm>
#include <array>

#include "espalier/represent/shallow_tree.hpp"
#include "represent/tree_words.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

namespace {

/// Penn Treebank tags of the universal ones.
constexpr std::pair<std::string_view, std::string_view> penn_tags[] = {
    {"ADJ", "JJ"},   {"ADP", "IN"},  {"ADV", "RB"},  {"AUX", "VB"},   {"DET", "DT"},
    {"NOUN", "NN"},  {"NUM", "CD"},  {"PART", "TO"}, {"PRON", "PRP"}, {"PROPN", "NNP"},
    {"SCONJ", "IN"}, {"VERB", "VB"}, {"X", "FW"},
};

std::string_view penn_tag(const Word& word, const WordOptions& options) {
  if (word.xpos != "_" && !(options.coarse && word.upos != "_")) return word.xpos;
  for (const auto& [universal, penn] : penn_tags) {
    if (word.upos == universal) return penn;
  }
  return word.upos;
}

template <std::size_t n>
bool is_one_of(std::string_view tag, const std::array<std::string_view, n>& tags) {
  return std::ranges::find(tags, tag) != tags.end();
}

bool is_noun(std::string_view tag) {
  constexpr std::array<std::string_view, 7> others = {"PRP", "WP", "EX", "CD", "FW", "$", "#"};
  return tag.starts_with("NN") || is_one_of(tag, others);
}
/// Tags that begin a noun phrase.
bool is_determiner(std::string_view tag) {
  constexpr std::array<std::string_view, 6> tags = {"DT", "PDT", "WDT", "PRP$", "WP$", "POS"};
  return is_one_of(tag, tags);
}
bool is_adjective(std::string_view tag) { return tag.starts_with("JJ"); }
bool is_verb(std::string_view tag) { return tag.starts_with("VB") || tag == "MD"; }
bool is_adverb(std::string_view tag) { return tag.starts_with("RB") || tag == "WRB"; }

/// Chunks by parts of speech, from left to right, as the rules for base phrases have them.
class Chunker {
 public:
  explicit Chunker(std::vector<std::string_view> tags) : tags_(std::move(tags)) {}

  struct Chunk {
    std::string_view name;  ///< empty: a word that is in no chunk
    std::size_t end;
  };
  Chunk chunk_at(std::size_t at) const {
    const std::string_view tag = tags_[at];
    if (is_noun(tag) || is_determiner(tag) || is_adjective(tag)) return noun_phrase(at);
    if (is_verb(tag) || tag == "RP" || (tag == "TO" && is_verb(tag_at(at + 1)))) {
      return {"VP", verb_phrase_end(at)};
    }
    if (tag == "IN" || tag == "TO") return {"PP", run_end(at, [](auto t) { return t == "IN"; })};
    if (is_adverb(tag)) return {"ADVP", run_end(at, is_adverb)};
    return {"", at + 1};
  }

 private:
  std::string_view tag_at(std::size_t at) const { return at < tags_.size() ? tags_[at] : ""; }

  template <class Test>
  std::size_t run_end(std::size_t at, Test&& test) const {
    do ++at;
    while (at < tags_.size() && test(tags_[at]));
    return at;
  }

  /// Ends before a determiner that follows anything but one.
  Chunk noun_phrase(std::size_t at) const {
    bool only_adjectives = true;
    std::size_t end = at;
    for (; end < tags_.size(); ++end) {
      const std::string_view tag = tags_[end];
      const bool pronoun = tag == "PRP" || tag == "WP" || tag == "EX";
      if (!is_noun(tag) && !is_determiner(tag) && !is_adjective(tag)) break;
      if (end > at && (is_determiner(tag) || pronoun) && !is_determiner(tags_[end - 1])) break;
      if (end > at && (tags_[end - 1] == "PRP" || tags_[end - 1] == "WP")) break;
      only_adjectives = only_adjectives && is_adjective(tag);
    }
    return {only_adjectives ? "ADJP" : "NP", end};
  }

  /// Verbs, particles, "to", and the adverbs between them.
  std::size_t verb_phrase_end(std::size_t at) const {
    std::size_t end = at + 1;
    for (std::size_t i = end; i < tags_.size(); ++i) {
      const std::string_view tag = tags_[i];
      if (is_verb(tag) || tag == "RP" || (tag == "TO" && is_verb(tag_at(i + 1)))) {
        end = i + 1;
      } else if (!is_adverb(tag)) {
        break;
      }
    }
    return end;
  }

  std::vector<std::string_view> tags_;
};

}  // namespace

SentenceTree chunks_of(const Sentence& sentence, const WordOptions& options, const Marks& marks) {
  const std::vector<std::uint8_t> kept = words_shown(sentence, options);
  std::vector<std::uint32_t> words;
  std::vector<std::string_view> tags;
  for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
    if (kept[i] == 0 || (!marks.shown.empty() && marks.shown[i] == 0)) continue;
    words.push_back(i);
    tags.push_back(penn_tag(sentence.words[i], options));
  }
  SentenceTree out;
  TreeBuilder builder;
  builder.start(out.tree);
  if (words.empty()) return out;
  const auto open = [&](std::string_view label, std::uint32_t word) {
    builder.open(label);
    out.words.push_back(word);
  };
  const auto phrase = [&](std::string_view name, bool related) {
    return std::string(relation_type) + std::string(related ? related_prefix : "") +
           std::string(name);
  };
  WordLabels labels(sentence, options, marks);
  open(phrase("S", (marks.sentence & related_mark) != 0), words[0]);
  const Chunker chunker(std::move(tags));
  for (std::size_t at = 0; at < words.size();) {
    const auto [name, end] = chunker.chunk_at(at);
    const bool related =
        std::any_of(words.begin() + static_cast<std::ptrdiff_t>(at),
                    words.begin() + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t word) {
                      return !marks.pos.empty() && marks.pos[word] != 0 &&
                             (marks.relation[word] & related_mark) != 0;
                    });
    if (!name.empty()) open(phrase(name, related), words[at]);
    for (; at < end; ++at) {
      open(labels.pos(words[at]), words[at]);
      open(labels.lexical(words[at]), words[at]);
      builder.close();
      builder.close();
    }
    if (!name.empty()) builder.close();
  }
  builder.close();
  return out;
}

Tree shallow_tree(const Tree& tree) {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  if (tree.empty()) return out;
  const std::vector<std::uint32_t> parents = parents_of(tree);
  builder.open(tree.label(0));
  std::uint32_t chunk = 0;  // the node of the open chunk; 0: none is open
  for (std::uint32_t leaf = 1; leaf < tree.size(); ++leaf) {
    if (tree.children(leaf) > 0) continue;
    // The part of speech is the node above; a leaf with siblings is one itself.
    const bool has_pos = tree.children(parents[leaf]) == 1 && parents[leaf] != 0;
    const std::uint32_t phrase = has_pos ? parents[parents[leaf]] : parents[leaf];
    if (phrase != chunk) {
      if (chunk != 0) builder.close();
      if (phrase != 0) builder.open(tree.label(phrase));
      chunk = phrase;
    }
    if (has_pos) builder.open(tree.label(parents[leaf]));
    builder.leaf(tree.label(leaf));
    if (has_pos) builder.close();
  }
  return out;
}

}  // namespace espalier
