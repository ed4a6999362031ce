#pragma once

#include <string>
#include <vector>

#include "espalier/data/example.hpp"
#include "espalier/represent/represent.hpp"

namespace espalier {

/// Which candidate arguments of a sentence become examples.
enum class Candidates {
  sentences,  ///< none: one example for each sentence
  arguments,  ///< one for each predicate and candidate argument, of the class argument or none
  roles,      ///< the same, with the role as its class, or none
};
constexpr std::array<const char*, 3> names_of(Candidates) { return {"none", "arguments", "roles"}; }

/// How sentences become examples.
struct SentenceOptions {
  /// One tree each, named after the representation.
  std::vector<SentenceForm> represent = {SentenceForm::grct};
  WordOptions words;
  Candidates candidates = Candidates::sentences;
  std::string label_from;   ///< metadata key whose value is the class; empty: no class
  std::string label_until;  ///< the class ends before this text; empty: the whole value

  static void describe(auto& self, auto&& field) {
    field("represent", self.represent,
          "tree representations of a sentence, one tree for each of those listed");
    WordOptions::describe(self.words, field);
    field("label_from", self.label_from,
          "comment key that holds the class: genre, sent_id, 'newdoc id'");
    field("label_until", self.label_until, "the class ends before this text",
          {.needs = "label_from"});
    field("candidates", self.candidates,
          "one example per predicate and candidate argument, labelled argument or none, or by its "
          "role");
  }
};

/// The examples of one sentence. Their trees come from represent(); their texts are "sent_id",
/// "doc_id" (the value of "newdoc id"), and "text" or, for candidate arguments, "predicate" and
/// "candidate". Throws Error if the heads or the role columns are invalid. Linear in the sentence,
/// times the number of candidates for arguments.
std::vector<Example> examples_of(const Sentence& sentence, const SentenceOptions& options);

}  // namespace espalier
