#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace espalier {

/// Base class of the exceptions this library throws on purpose. what() is one line for the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory that there is not. what() says what for, in one line for the user.
class OutOfMemory : public std::bad_alloc {
 public:
  // NOLINTNEXTLINE(bugprone-throw-keyword-missing): a member, not an exception to throw
  explicit OutOfMemory(const std::string& what) : text_(what) {}
  const char* what() const noexcept override { return text_.what(); }

 private:
  std::runtime_error text_;  // unlike a string, copied without exceptions
};

/// A position in an input. Lines and columns are 1-based; columns count bytes.
struct Location {
  std::string file;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// An error in an input. what() reads "file:line:column: message, near 'text'".
class InputError : public Error {
 public:
  /// `near` is the offending text; it is shortened and made printable.
  InputError(Location location, std::string_view message, std::string_view near = {});

  const Location& location() const { return location_; }
  /// The same error with `more` at the end of its text.
  InputError followed_by(std::string_view more) const;

 private:
  Location location_;
};

/// An error about one example of a data set. what() reads "example 3 has ..".
class ExampleError : public Error {
 public:
  /// `example` is its index, from 0; `message` goes on after "example 1 ".
  ExampleError(std::size_t example, std::string message);

  std::size_t example() const { return example_; }
  const std::string& message() const { return message_; }

 private:
  std::size_t example_;
  std::string message_;
};

/// `text` with control characters, but for those in `keep`, as \xNN: a terminal must not obey what
/// data or names of files hold.
std::string printable(std::string_view text, std::string_view keep = {});

/// `text` in single quotes: at most 40 bytes of it, made printable. For messages.
std::string in_quotes(std::string_view text);

/// The candidate with the smallest edit distance from `word`, if it is small enough to be a likely
/// typing error; else empty. For "did you mean" messages.
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
