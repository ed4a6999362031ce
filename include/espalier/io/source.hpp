#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/io/read_options.hpp"

namespace espalier {

/// A piece of an input that knows where it stands, so that an error can say so.
class Text {
 public:
  Text() = default;
  /// `bytes` begins at that line and column of `file`. Neither string is copied.
  Text(std::string_view bytes, std::string_view file, std::uint64_t line, std::uint64_t column = 1)
      : bytes_(bytes), origin_(bytes.data()), file_(file), line_(line), column_(column) {}

  std::string_view bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  char operator[](std::size_t i) const { return bytes_[i]; }

  /// Like std::string_view::substr; the part knows its place too.
  Text part(std::size_t begin, std::size_t length = std::string_view::npos) const;
  /// The text without blanks, tabs and line ends around it.
  Text trimmed() const;

  /// Other bytes, which are not copied, that begin in the same place.
  Text replaced(std::string_view bytes) const;

  /// Throws InputError for the place `at` bytes from the beginning, quoting what stands there.
  [[noreturn]] void fail(std::size_t at, std::string_view message) const;

 private:
  std::string_view bytes_;
  const char* origin_ = nullptr;  ///< the byte that stands at line_ and column_
  std::string_view file_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
};

/// A text file read piece by piece, never whole: plain or gzip, by content; "-" is standard input.
/// Every fault of the input (missing, unreadable, damaged or cut off gzip, a NUL byte in a text) is
/// an Error.
class Source {
 public:
  /// What may stand in the input.
  enum class Content { text, bytes };

  /// Input beyond `limits` is an Error; so are bytes that are not UTF-8, if they are refused.
  explicit Source(std::string path, const ReadLimits& limits = {},
                  InvalidUtf8 invalid_utf8 = InvalidUtf8::keep, Content content = Content::text);
  /// A text that is in memory already; errors call it `name`.
  static Source in_memory(std::string text, std::string name, const ReadLimits& limits = {},
                          InvalidUtf8 invalid_utf8 = InvalidUtf8::keep);
  ~Source();
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;

  /// The path, or "<stdin>".
  const std::string& name() const { return name_; }

  /// The first bytes that have not been consumed: at least `wanted` of them unless the input ends
  /// sooner. Valid until the next call that is not const.
  std::string_view peek(std::size_t wanted = 1);
  /// Steps over bytes that peek() has shown.
  void consume(std::size_t bytes);
  /// The next line without its end ("\n" or "\r\n"); false at the end of the input. Valid until the
  /// next call that is not const.
  bool next_line(Text& line);
  /// Moves bytes that peek() has shown to the end of `out`, which holds an example.
  void take(std::size_t bytes, std::string& out);
  /// Moves all that is left to the end of `out`.
  void take_all(std::string& out);

  /// Where the next byte stands.
  std::uint64_t line() const { return line_; }
  std::uint64_t column() const { return column_; }

 private:
  struct File;
  Source(std::unique_ptr<File> file, std::string name, const ReadLimits& limits,
         InvalidUtf8 invalid_utf8, Content content);
  void skip_mark();
  bool fill();
  void add_utf8(bool last);
  void check_size(std::size_t bytes) const;
  [[noreturn]] void fail_at_end(std::string_view message) const;

  std::unique_ptr<File> file_;
  std::string name_;
  Content content_;
  ReadLimits limits_;
  InvalidUtf8 invalid_utf8_ = InvalidUtf8::keep;
  std::uint64_t bytes_read_ = 0;
  std::string raw_;  ///< read, but not yet known to be UTF-8
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of what has not been consumed, in buffer_
  std::size_t end_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
};

}  // namespace espalier
