#include "espalier/represent/represent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "represent/punctuation.hpp"
#include "represent/shallow.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

namespace {

/// Builds the tree of a sentence with an explicit stack, because a sentence may be one long chain.
class Builder {
 public:
  Builder(const Sentence& sentence, SentenceForm form, const WordOptions& options,
          const Marks& marks, SentenceTree& out)
      : dependents_(sentence),
        labels_(sentence, options, marks),
        form_(form),
        shown_(words_shown(sentence, options)),
        out_(out) {
    for (std::size_t i = 0; i < marks.shown.size(); ++i) {
      if (marks.shown[i] == 0) shown_[i] = 0;
    }
    builder_.start(out.tree);
  }

  void build() {
    const auto order = dependents_.top_down();
    const auto first = std::ranges::find_if(order, [&](auto word) { return shown_[word] != 0; });
    if (first == order.end()) return;
    begin(*first);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const std::uint32_t* const end = dependents_.end(top.word);
      while (top.next != end && shown_[*top.next] == 0) ++top.next;
      const bool at_its_place = top.next == end || (in_place() && *top.next > top.word);
      if (at_its_place && !top.has_word) {
        top.has_word = true;
        add_word(top.word);
      } else if (top.next != end) {
        begin(*top.next++);
      } else {
        builder_.close();
        stack_.pop_back();
      }
    }
  }

 private:
  struct Frame {
    std::uint32_t word;
    bool has_word;              ///< whether its own nodes have been added
    const std::uint32_t* next;  ///< dependent
  };

  /// Whether a word comes in sentence order among its dependents, or after them.
  bool in_place() const { return form_ == SentenceForm::grct || form_ == SentenceForm::cgrct; }

  void begin(std::uint32_t word) {
    switch (form_) {
      case SentenceForm::grct:
        open(labels_.relation(word), word);
        break;
      case SentenceForm::lct:
        open(labels_.lexical(word), word);
        break;
      case SentenceForm::loct:
        open(labels_.marked_lexical(word), word);
        break;
      case SentenceForm::cgrct:
      case SentenceForm::clct:
        open(labels_.composed(word), word);
        break;
      case SentenceForm::shallow:
        break;  // not built here
    }
    stack_.push_back({word, false, dependents_.begin(word)});
  }

  /// Adds the nodes of the word itself, except the topmost one.
  void add_word(std::uint32_t word) {
    if (form_ == SentenceForm::loct) return;
    open(labels_.pos(word), word);
    if (in_place()) leaf(labels_.lexical(word), word);
    builder_.close();
    if (in_place()) return;
    leaf(labels_.relation(word), word);
    if (form_ == SentenceForm::clct) leaf(labels_.lexical(word), word);
  }

  void open(std::string_view label, std::uint32_t word) {
    builder_.open(label);
    out_.words.push_back(word);
  }
  void leaf(std::string_view label, std::uint32_t word) {
    open(label, word);
    builder_.close();
  }

  Dependents dependents_;
  WordLabels labels_;
  SentenceForm form_;
  std::vector<std::uint8_t> shown_;
  SentenceTree& out_;
  TreeBuilder builder_;
  std::vector<Frame> stack_;
};

}  // namespace

std::vector<std::uint8_t> words_shown(const Sentence& sentence, const WordOptions& options) {
  std::vector<std::uint8_t> shown(sentence.words.size(), 1);
  if (options.punctuation) return shown;
  const Dependents dependents(sentence);
  const std::vector<std::uint32_t> order = dependents.top_down();
  // Dependents first: punctuation can be dropped once all of its dependents are.
  for (std::size_t i = order.size(); i-- > 1;) {
    const std::uint32_t word = order[i];
    const bool needed = std::any_of(dependents.begin(word), dependents.end(word),
                                    [&](std::uint32_t below) { return shown[below] != 0; });
    if (!needed && is_punctuation(sentence.words[word])) shown[word] = 0;
  }
  return shown;
}

SentenceTree represent(const Sentence& sentence, SentenceForm form, const WordOptions& options,
                       const Marks& marks) {
  if (form == SentenceForm::shallow) return chunks_of(sentence, options, marks);
  SentenceTree out;
  Builder(sentence, form, options, marks, out).build();
  return out;
}

}  // namespace espalier
