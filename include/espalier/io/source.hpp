#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/io/read_options.hpp"

namespace espalier {

/// A piece of an input together with its location, for error messages.
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

  /// Like std::string_view::substr, with the location adjusted.
  Text part(std::size_t begin, std::size_t length = std::string_view::npos) const;
  /// The text without surrounding blanks, tabs and line breaks.
  Text trimmed() const;

  /// Other bytes, not copied, at the same location.
  Text replaced(std::string_view bytes) const;

  /// Throws InputError for offset `at`, quoting the text found there.
  [[noreturn]] void fail(std::size_t at, std::string_view message) const;

 private:
  std::string_view bytes_;
  const char* origin_ = nullptr;  ///< the byte at line_ and column_
  std::string_view file_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
};

/// An input file, read in blocks: plain or gzip, detected by content; "-" is standard input. Every
/// problem (a missing or unreadable file, damaged or truncated gzip, a NUL byte in text) throws
/// Error.
class Source {
 public:
  /// Text must not contain NUL bytes.
  enum class Content { text, bytes };

  /// Input beyond `limits` throws Error, as does invalid UTF-8 unless it is kept or replaced.
  explicit Source(std::string path, const ReadLimits& limits = {},
                  InvalidUtf8 invalid_utf8 = InvalidUtf8::keep, Content content = Content::text);
  /// Reads from memory; error messages use `name` as the file name.
  static Source in_memory(std::string text, std::string name, const ReadLimits& limits = {},
                          InvalidUtf8 invalid_utf8 = InvalidUtf8::keep);
  ~Source();
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;

  /// The path, or "<stdin>".
  const std::string& name() const { return name_; }

  /// The bytes not yet consumed: at least `wanted` of them unless the input ends sooner. Valid
  /// until the next non-const call.
  std::string_view peek(std::size_t wanted = 1);
  /// Skips bytes that peek() returned.
  void consume(std::size_t bytes);
  /// The next line without its terminator ("\n" or "\r\n"); false at the end of the input. Valid
  /// until the next non-const call.
  bool next_line(Text& line);
  /// Whether next_line() would return without waiting for input.
  bool has_line();
  /// Consumes bytes that peek() returned and appends them to `out`, the text of an example.
  void take(std::size_t bytes, std::string& out);
  /// Consumes the rest of the input and appends it to `out`.
  void take_all(std::string& out);

  const ReadLimits& limits() const { return limits_; }
  /// Throws InputError if an example of `bytes` is beyond the limit.
  void check_size(std::size_t bytes) const;

  /// Location of the next byte.
  std::uint64_t line() const { return line_; }
  std::uint64_t column() const { return column_; }

 private:
  struct File;
  Source(std::unique_ptr<File> file, std::string name, const ReadLimits& limits,
         InvalidUtf8 invalid_utf8, Content content);
  void skip_mark();
  bool fill();
  void add_utf8(bool last);
  [[noreturn]] void fail_at_end(std::string_view message) const;

  std::unique_ptr<File> file_;
  std::string name_;
  Content content_;
  ReadLimits limits_;
  InvalidUtf8 invalid_utf8_ = InvalidUtf8::keep;
  std::uint64_t bytes_read_ = 0;
  std::string raw_;  ///< read, but not yet validated as UTF-8
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of the unconsumed bytes in buffer_
  std::size_t end_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
};

}  // namespace espalier
