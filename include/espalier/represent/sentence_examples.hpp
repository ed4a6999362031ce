#pragma once

#include <string>
#include <vector>

#include "espalier/data/example.hpp"
#include "espalier/represent/represent.hpp"

namespace espalier {

/// What the examples of a sentence are.
enum class SentenceTask {
  sentences,  ///< one example: the sentence
  arguments,  ///< one for each predicate and candidate argument, of the class argument or none
  roles,      ///< the same, of the class that the role is, or none
};

/// How sentences become examples.
struct SentenceOptions {
  std::vector<SentenceForm> forms = {SentenceForm::grct};  ///< one tree each, named after the form
  WordOptions words;
  SentenceTask task = SentenceTask::sentences;
  std::string label_from;   ///< the key of the metadata whose value is the class; empty: none
  std::string label_until;  ///< the class ends before the first of these; empty: all of it
};

/// The examples of one sentence. Their trees are those of represent(); their texts are "sent_id",
/// "doc_id" (the value of "newdoc id"), and "text" or, of candidate arguments, "predicate" and
/// "candidate". Throws Error if the heads or the columns of roles are wrong.
/// Cost: linear in the sentence; times the candidates for arguments.
std::vector<Example> examples_of(const Sentence& sentence, const SentenceOptions& options);

}  // namespace espalier
