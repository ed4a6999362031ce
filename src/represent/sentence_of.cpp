#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "espalier/base/error.hpp"
#include "espalier/represent/represent.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

namespace {

/// The type of the topmost node of a word.
std::string_view top_type(SentenceForm form) {
  switch (form) {
    case SentenceForm::grct:
      return relation_type;
    case SentenceForm::cgrct:
    case SentenceForm::clct:
      return composed_type;
    case SentenceForm::lct:
    case SentenceForm::loct:
    case SentenceForm::shallow:
      break;
  }
  return lexical_type;
}

/// "film" for "film::n". The letter is one character, possibly a colon.
std::string_view without_letter(std::string_view text) {
  const std::size_t letter = text.empty() ? 0 : character_start(text, text.size() - 1);
  if (letter < 2 || text.substr(letter - 2, 2) != "::") {
    throw Error(fmt::format("{} is not a word: expected word::letter", in_quotes(text)));
  }
  return text.substr(0, letter - 2);
}

/// Reads a tree in preorder and collects its words.
class Words {
 public:
  Words(SentenceForm form, const Tree& tree) : form_(form), tree_(tree) {}

  /// `places` as in sentence_of().
  Sentence read(const std::vector<std::uint32_t>& places) {
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      while (!open_.empty() && open_.back().children == 0) open_.pop_back();
      const std::size_t word = add(node);
      if (!places.empty()) found_[word].place = places[node];
      if (!open_.empty()) --open_.back().children;
      open_.push_back({word, tree_.children(node)});
    }
    return in_order();
  }

 private:
  static constexpr std::size_t no_word = static_cast<std::size_t>(-1);
  struct Found {
    Word word;
    std::size_t head;
    std::size_t place;
  };
  struct Open {
    std::size_t word;
    std::uint32_t children;  ///< not read yet
  };

  /// Adds the content of the node to its word and returns that word.
  std::size_t add(std::size_t node) {
    const std::string_view label = tree_.label(node);
    std::size_t word = open_.empty() ? no_word : open_.back().word;
    if (label.starts_with(top_type(form_))) {
      found_.push_back({{}, word, node});
      word = found_.size() - 1;
    }
    if (word == no_word || !set(found_[word], node)) {
      throw Error(fmt::format("{} is not a node of a {}", in_quotes(label), name_of(form_)));
    }
    return word;
  }

  /// False if the type of the node is unknown.
  bool set(Found& found, std::size_t node) const {
    const std::string_view label = tree_.label(node);
    const auto rest = [&](std::string_view type) { return label.substr(type.size()); };
    if (label.starts_with(relation_type)) {
      found.word.deprel = rest(relation_type);
    } else if (label.starts_with(composed_type)) {
      found.word.deprel = rest(composed_type).substr(0, rest(composed_type).find('<'));
    } else if (label.starts_with(pos_type)) {
      found.word.xpos = rest(pos_type);
    } else if (label.starts_with(lexical_type)) {
      found.word.form = without_letter(rest(lexical_type));
      found.word.lemma = found.word.form;
      // In these forms the lexical node is in sentence order among the dependents.
      if (form_ == SentenceForm::grct || form_ == SentenceForm::cgrct) found.place = node;
    } else {
      return false;
    }
    return true;
  }

  Sentence in_order() {
    std::vector<std::uint32_t> order(found_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return found_[i].place; });
    std::vector<std::uint32_t> ids(found_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) ids[order[i]] = i + 1;
    Sentence out;
    for (const std::uint32_t i : order) {
      Found& found = found_[i];
      if (found.word.form.empty() && found.word.lemma == "_") {
        throw Error(fmt::format("word {} has no {} node", ids[i], lexical_type));
      }
      found.word.head = found.head == no_word ? 0 : ids[found.head];
      out.words.push_back(std::move(found.word));
    }
    return out;
  }

  SentenceForm form_;
  const Tree& tree_;
  std::vector<Found> found_;
  std::vector<Open> open_;
};

}  // namespace

Sentence sentence_of(const Tree& tree, SentenceForm form, const std::vector<std::uint32_t>& words) {
  if (form == SentenceForm::shallow) throw Error("a shallow tree has no heads and relations");
  return Words(form, tree).read(words);
}

}  // namespace espalier
