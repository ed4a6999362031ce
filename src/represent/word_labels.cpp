#include "represent/word_labels.hpp"

#include "base/utf8.hpp"
#include "represent/lower_case.hpp"

namespace espalier {

namespace {

/// The letters of universal part-of-speech tags: the first letters of the Penn Treebank tags, so
/// that "film::n" is the same word with either tag set.
struct UniversalLetter {
  std::string_view pos;
  std::string_view letter;
};
constexpr UniversalLetter universal_letters[] = {
    {"ADJ", "j"},   {"ADP", "i"},   {"ADV", "r"}, {"AUX", "v"},  {"CCONJ", "c"}, {"DET", "d"},
    {"INTJ", "u"},  {"NOUN", "n"},  {"NUM", "c"}, {"PART", "t"}, {"PRON", "p"},  {"PROPN", "n"},
    {"PUNCT", "."}, {"SCONJ", "i"}, {"SYM", "s"}, {"VERB", "v"}, {"X", "f"},
};

bool is_coarse(const Word& word, const WordOptions& options) {
  return word.upos != "_" && (options.coarse || word.xpos == "_");
}

const std::string& pos_of(const Word& word, const WordOptions& options) {
  return is_coarse(word, options) ? word.upos : word.xpos;
}

/// Appends the letter after "::". For tags that are not universal, it is their first character in
/// lower case.
void append_letter(std::string& out, const Word& word, const WordOptions& options) {
  const std::string& pos = pos_of(word, options);
  if (is_coarse(word, options)) {
    for (const auto& [name, letter] : universal_letters) {
      if (pos == name) {
        out += letter;
        return;
      }
    }
  }
  append_lower_case(out, std::string_view(pos).substr(0, decode_utf8(pos).length));
}

/// Falls back to the form if there is no lemma.
const std::string& text_of(const Word& word, const WordOptions& options) {
  return options.forms || word.lemma == "_" ? word.form : word.lemma;
}

}  // namespace

std::string word_letter(const Word& word, const WordOptions& options) {
  std::string out;
  append_letter(out, word, options);
  return out;
}

void WordLabels::append_word(std::uint32_t word) {
  const Word& from = sentence_.words[word];
  const std::string& text = text_of(from, options_);
  if (options_.lower_case) {
    append_lower_case(text_, text);
  } else {
    text_ += text;
  }
  text_ += "::";
  append_letter(text_, from, options_);
}

template <class Print>
void WordLabels::append_marked(const std::vector<std::uint8_t>& marks, std::uint32_t word,
                               Print&& print) {
  const std::uint8_t mark = marks.empty() ? 0 : marks[word];
  if ((mark & related_mark) != 0) text_ += related_prefix;
  print();
  if ((mark & argument_mark) != 0) text_ += "-FE";
  if ((mark & predicate_mark) != 0) text_ += "-LU";
}

std::string_view WordLabels::relation(std::uint32_t word) {
  text_ = relation_type;
  append_marked(marks_.relation, word, [&] { text_ += sentence_.words[word].deprel; });
  return text_;
}

std::string_view WordLabels::composed(std::uint32_t word) {
  text_ = composed_type;
  append_marked(marks_.relation, word, [&] { text_ += sentence_.words[word].deprel; });
  text_ += '<';
  if (const std::uint32_t head = sentence_.words[word].head; head == 0) {
    text_ += "*::*";
  } else {
    append_word(head - 1);
  }
  text_ += ',';
  append_word(word);
  text_ += '>';
  return text_;
}

std::string_view WordLabels::pos(std::uint32_t word) {
  text_ = pos_type;
  append_marked(marks_.pos, word, [&] { text_ += pos_of(sentence_.words[word], options_); });
  return text_;
}

std::string_view WordLabels::lexical(std::uint32_t word) {
  text_ = lexical_type;
  append_marked(marks_.word, word, [&] { append_word(word); });
  return text_;
}

std::string_view WordLabels::marked_lexical(std::uint32_t word) {
  text_ = lexical_type;
  append_marked(marks_.relation, word, [&] { append_word(word); });
  return text_;
}

}  // namespace espalier
