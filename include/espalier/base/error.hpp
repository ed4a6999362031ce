#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace espalier {

/// Base of everything this library throws on purpose. what() is one line, fit for a user's eyes.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A place in an input. Lines and columns count from 1; columns count bytes.
struct Location {
  std::string file;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// Something in an input is wrong. what() reads "file:line:column: message, near 'text'".
class InputError : public Error {
 public:
  /// `near` is the offending text; it is shortened and made printable.
  InputError(Location location, std::string_view message, std::string_view near = {});

  const Location& location() const { return location_; }

 private:
  Location location_;
};

/// `text` in single quotes: at most 40 bytes of it, control characters as \xNN. For messages.
std::string in_quotes(std::string_view text);

/// The candidate that differs least from `word` by insertions, deletions and replacements, if it is
/// near enough to be a likely slip of the keyboard; else empty. For "did you mean" messages.
template <class Range>
std::string nearest(std::string_view word, const Range& candidates);

/// Edit distance between two short words (Levenshtein). O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::string nearest(std::string_view word, const Range& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace espalier
