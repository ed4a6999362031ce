#include "espalier/represent/arguments.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

bool is_given(std::string_view field) { return !field.empty() && field != "_"; }

/// The word and its ancestors, up to `top` or to the root.
std::vector<std::uint32_t> way_up(const Dependents& dependents, std::uint32_t word,
                                  std::uint32_t top = Dependents::no_head) {
  std::vector<std::uint32_t> out = {word};
  while (out.back() != top && dependents.head(out.back()) != Dependents::no_head) {
    out.push_back(dependents.head(out.back()));
  }
  return out;
}

}  // namespace

std::string_view Predicate::role(const Word& other) const {
  const std::string_view role = other.columns[column];
  return is_given(role) && role != "V" ? role : std::string_view();
}

std::vector<Predicate> predicates_of(const Sentence& sentence) {
  std::vector<Predicate> out;
  for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
    const auto& columns = sentence.words[i].columns;
    if (columns.empty() || !is_given(columns[0])) continue;
    const std::size_t column = out.size() + 1;
    if (column >= columns.size()) {
      throw Error(fmt::format("predicate {} of the sentence, {}, has no column of roles", column,
                              in_quotes(columns[0])));
    }
    out.push_back({i, columns[0], column});
  }
  return out;
}

std::vector<std::uint32_t> argument_candidates(const Sentence& sentence, std::uint32_t predicate) {
  const Dependents dependents(sentence);
  std::vector<std::uint8_t> chosen(dependents.size(), 0);
  for (const std::uint32_t word : way_up(dependents, predicate)) {
    chosen[word] = 1;
    for (const auto* below = dependents.begin(word); below != dependents.end(word); ++below) {
      chosen[*below] = 1;
    }
  }
  chosen[predicate] = 0;
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] != 0) out.push_back(i);
  }
  return out;
}

Marks mark_argument(const Sentence& sentence, std::uint32_t predicate, std::uint32_t candidate) {
  const Dependents dependents(sentence);
  Marks marks;
  marks.shown.assign(dependents.size(), 0);
  marks.relation.assign(dependents.size(), 0);
  marks.pos.assign(dependents.size(), 0);
  std::vector<std::uint8_t> above_predicate(dependents.size(), 0);
  for (const std::uint32_t word : way_up(dependents, predicate)) above_predicate[word] = 1;
  std::uint32_t top = candidate;
  while (above_predicate[top] == 0) top = dependents.head(top);

  std::vector<std::uint32_t> argument = {candidate};
  for (std::size_t i = 0; i < argument.size(); ++i) {
    for (const auto* below = dependents.begin(argument[i]); below != dependents.end(argument[i]);
         ++below) {
      if (above_predicate[*below] == 0) argument.push_back(*below);
    }
  }
  for (const std::uint32_t word : argument) {
    marks.shown[word] = 1;
    marks.relation[word] = argument_mark;
    marks.pos[word] = argument_mark;
  }
  for (const std::uint32_t word : way_up(dependents, candidate, top)) marks.shown[word] = 1;
  for (const std::uint32_t word : way_up(dependents, predicate, top)) {
    marks.shown[word] = 1;
    marks.relation[word] |= predicate_mark;
  }
  marks.pos[predicate] |= predicate_mark;
  return marks;
}

}  // namespace espalier
