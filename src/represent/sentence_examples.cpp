#include "espalier/represent/sentence_examples.hpp"

#include <fmt/format.h>

#include "espalier/represent/arguments.hpp"

namespace espalier {

namespace {

void add_text(Example& example, const Sentence& sentence, const char* key, const char* name) {
  if (const std::string* const text = sentence.find(key)) example.texts.push_back({name, *text});
}

void add_trees(Example& example, const Sentence& sentence, const SentenceOptions& options,
               const Marks& marks) {
  for (const SentenceForm form : options.represent) {
    example.trees.push_back({name_of(form), represent(sentence, form, options.words, marks).tree});
  }
}

Example whole_sentence(const Sentence& sentence, const SentenceOptions& options) {
  Example out;
  if (const std::string* const value = sentence.find(options.label_from)) {
    const std::size_t end =
        options.label_until.empty() ? value->npos : value->find(options.label_until);
    out.labels.push_back({value->substr(0, end), {}});
  }
  add_text(out, sentence, "sent_id", "sent_id");
  add_text(out, sentence, "newdoc id", "doc_id");
  add_text(out, sentence, "text", "text");
  add_trees(out, sentence, options, {});
  return out;
}

Example candidate_argument(const Sentence& sentence, const SentenceOptions& options,
                           const Predicate& predicate, std::uint32_t candidate) {
  const Word& word = sentence.words[candidate];
  const std::string_view role = predicate.role(word);
  Example out;
  if (role.empty()) {
    out.labels.push_back({"none", {}});
  } else {
    out.labels.push_back(
        {options.candidates == Candidates::roles ? std::string(role) : "argument", {}});
  }
  add_text(out, sentence, "sent_id", "sent_id");
  add_text(out, sentence, "newdoc id", "doc_id");
  out.texts.push_back({"predicate", fmt::format("{} {}", predicate.word + 1, predicate.sense)});
  out.texts.push_back({"candidate", fmt::format("{} {}", candidate + 1, word.form)});
  add_trees(out, sentence, options, mark_argument(sentence, predicate.word, candidate));
  return out;
}

}  // namespace

std::vector<Example> examples_of(const Sentence& sentence, const SentenceOptions& options) {
  if (options.candidates == Candidates::sentences) return {whole_sentence(sentence, options)};
  const std::vector<std::uint8_t> shown = words_shown(sentence, options.words);
  std::vector<Example> out;
  for (const Predicate& predicate : predicates_of(sentence)) {
    for (const std::uint32_t candidate : argument_candidates(sentence, predicate.word)) {
      if (shown[candidate] == 0) continue;
      out.push_back(candidate_argument(sentence, options, predicate, candidate));
    }
  }
  return out;
}

}  // namespace espalier
