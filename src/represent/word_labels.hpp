#pragma once

#include <string>
#include <string_view>

#include "espalier/represent/represent.hpp"

namespace espalier {

/// The types of labels in KeLP's files.
inline constexpr std::string_view relation_type = "SYNT##";
inline constexpr std::string_view pos_type = "POS##";
inline constexpr std::string_view lexical_type = "LEX##";
inline constexpr std::string_view composed_type = "COMP##";

/// Before the text of a label whose node is related to the other member of a pair.
inline constexpr std::string_view related_prefix = "REL-";

/// The letter after "::": the first letter of the part of speech in lower case.
std::string word_letter(const Word& word, const WordOptions& options);

/// Builds the labels of the nodes of a sentence. A returned view is valid until the next call.
class WordLabels {
 public:
  WordLabels(const Sentence& sentence, const WordOptions& options, const Marks& marks)
      : sentence_(sentence), options_(options), marks_(marks) {}

  /// "SYNT##nsubj".
  std::string_view relation(std::uint32_t word);
  /// "COMP##nsubj<feature::v,film::n>"; the head of the root is "*::*".
  std::string_view composed(std::uint32_t word);
  /// "POS##NN".
  std::string_view pos(std::uint32_t word);
  /// "LEX##film::n", with the marks of words.
  std::string_view lexical(std::uint32_t word);
  /// The same with the marks of the relation, for trees without relation nodes.
  std::string_view marked_lexical(std::uint32_t word);

 private:
  /// Calls print() between the marks before and after the label.
  template <class Print>
  void append_marked(const std::vector<std::uint8_t>& marks, std::uint32_t word, Print&& print);
  void append_word(std::uint32_t word);

  const Sentence& sentence_;
  const WordOptions& options_;
  const Marks& marks_;
  std::string text_;
};

}  // namespace espalier
