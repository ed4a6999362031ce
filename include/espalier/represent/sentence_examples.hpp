#pragma once

#include <string>
#include <vector>

#include "espalier/data/example.hpp"
#include "espalier/represent/represent.hpp"

namespace espalier {

/// Which examples a sentence yields.
enum class SentenceTask {
  sentences,  ///< one example: the sentence
  arguments,  ///< one per predicate and candidate argument; the class is "argument" or "none"
  roles,      ///< the same; the class is the role or "none"
};

/// How sentences become examples.
struct SentenceOptions {
  std::vector<SentenceForm> forms = {SentenceForm::grct};  ///< a tree for each, with its name
  WordOptions words;
  SentenceTask task = SentenceTask::sentences;
  std::string label_from;   ///< metadata key whose value is the class; empty: no class
  std::string label_until;  ///< the class ends before this text; empty: the whole value
};

/// The examples of one sentence. Their trees come from represent(); their texts are "sent_id",
/// "doc_id" (the value of "newdoc id"), and "text" or, for candidate arguments, "predicate" and
/// "candidate". Throws Error if the heads or the role columns are invalid. Linear in the sentence,
/// times the number of candidates for arguments.
std::vector<Example> examples_of(const Sentence& sentence, const SentenceOptions& options);

}  // namespace espalier
