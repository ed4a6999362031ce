#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/represent/represent.hpp"

namespace espalier {

/// A word with arguments, as annotated in the columns after the tenth (the layout of Universal
/// PropBank): the first of these columns has its sense ("come.03"), and the k-th column after that
/// has the roles of the arguments of the k-th predicate of the sentence.
struct Predicate {
  std::uint32_t word = 0;  ///< its index
  std::string sense;
  /// The column of its roles, in Word::columns.
  std::size_t column = 0;

  /// The role of a word: "" if it has none, and for the predicate itself ("V").
  std::string_view role(const Word& other) const;
};

/// The predicates of a sentence, in order. Throws Error if there are more predicates than role
/// columns.
std::vector<Predicate> predicates_of(const Sentence& sentence);

/// Candidate heads of arguments of a predicate, in order: its ancestors, and the dependents of the
/// predicate and of its ancestors (after Xue & Palmer 2004). Linear in the sentence.
std::vector<std::uint32_t> argument_candidates(const Sentence& sentence, std::uint32_t predicate);

/// Marks a candidate argument: -FE on the candidate and its descendants except the branch with the
/// predicate; -LU on the predicate and on the relations above it up to the lowest common ancestor
/// of the two. The tree shows these and the words between the candidate and that ancestor. Linear
/// in the sentence.
Marks mark_argument(const Sentence& sentence, std::uint32_t predicate, std::uint32_t candidate);

}  // namespace espalier
