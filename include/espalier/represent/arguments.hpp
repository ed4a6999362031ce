#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/represent/represent.hpp"

namespace espalier {

/// A word that has arguments, as columns after the tenth say: the first of them has its sense
/// ("come.03"), and the k-th predicate of a sentence has the roles of its arguments in the k-th
/// column after that. So it is in Universal PropBank.
struct Predicate {
  std::uint32_t word = 0;  ///< its index
  std::string sense;
  /// The column of its roles, in Word::columns.
  std::size_t column = 0;

  /// The role that a word has: "" for none, also for the predicate itself ("V").
  std::string_view role(const Word& other) const;
};

/// The predicates of a sentence, in order. Throws Error if there are more than columns of roles.
std::vector<Predicate> predicates_of(const Sentence& sentence);

/// Words that may head an argument of a predicate, in order: those that depend on it or on a word
/// above it, and the words above it (after Xue & Palmer 2004). Linear in the sentence.
std::vector<std::uint32_t> argument_candidates(const Sentence& sentence, std::uint32_t predicate);

/// Marks a candidate argument: -FE on the candidate and all below it, without the branch that the
/// predicate is in; -LU on the predicate, and on the relations above it up to the word that is
/// above both. Shown are these and the words between the candidate and that word. Linear in the
/// sentence.
Marks mark_argument(const Sentence& sentence, std::uint32_t predicate, std::uint32_t candidate);

}  // namespace espalier
