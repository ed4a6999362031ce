#include "espalier/io/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "base/utf8.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/ascii.hpp"
#include "io/pipe.hpp"

namespace espalier {

namespace {

#ifdef ESPALIER_SMALL_BLOCKS  // so that the fuzzer's small inputs cross the end of a block too
constexpr std::size_t source_block = 64;
#else
constexpr std::size_t source_block = std::size_t{1} << 18;
#endif
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Advances a location past `bytes`.
void advance(std::string_view bytes, std::uint64_t& line, std::uint64_t& column) {
  const std::size_t newline = bytes.rfind('\n');
  if (newline == std::string_view::npos) {
    column += bytes.size();
  } else {
    line += static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
    column = bytes.size() - newline;
  }
}

}  // namespace

Text Text::part(std::size_t begin, std::size_t length) const {
  Text out = *this;
  out.bytes_ = bytes_.substr(begin, length);
  return out;
}

Text Text::trimmed() const {
  const std::size_t begin = bytes_.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return part(bytes_.size());
  return part(begin, bytes_.find_last_not_of(blanks) - begin + 1);
}

Text Text::replaced(std::string_view bytes) const {
  Text out = *this;
  out.bytes_ = bytes;
  out.origin_ = bytes.data();
  advance({origin_, static_cast<std::size_t>(bytes_.data() - origin_)}, out.line_, out.column_);
  return out;
}

void Text::fail(std::size_t at, std::string_view message) const {
  Location location{std::string(file_), line_, column_};
  const char* const place = bytes_.data() + at;
  advance({origin_, static_cast<std::size_t>(place - origin_)}, location.line, location.column);
  const std::string_view rest = bytes_.substr(at);
  throw InputError(std::move(location), message, rest.substr(0, rest.find('\n')));
}

struct Source::File {
  gzFile handle = nullptr;     ///< of a regular file
  std::unique_ptr<Pipe> pipe;  ///< of others
  std::string memory;          ///< without either of these
  std::size_t at = 0;          ///< in memory

  ~File() {
    if (handle != nullptr) gzclose(handle);
  }

  /// Reads up to `bytes` bytes; 0 at the end.
  std::size_t read(char* out, std::size_t bytes, const std::string& name) {
    if (pipe) return pipe->read(out, bytes, name);
    if (handle == nullptr) {
      const std::size_t copied = memory.copy(out, bytes, at);
      at += copied;
      return copied;
    }
    const int got = gzread(handle, out, static_cast<unsigned>(bytes));
    int code = Z_OK;
    std::string_view reason = gzerror(handle, &code);
    // At the end of a truncated file, zlib reports Z_BUF_ERROR.
    if (got >= 0 && code != Z_BUF_ERROR) return static_cast<std::size_t>(got);
    if (code == Z_ERRNO) throw Error("cannot read " + name + ": " + std::strerror(errno));
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    const bool cut = code == Z_BUF_ERROR;
    // zlib prefixes the message with its own name for the file.
    if (const auto colon = reason.find(": "); colon != reason.npos) reason.remove_prefix(colon + 2);
    throw Error(name + ": " +
                (cut ? "the gzip data ends too soon: the file is truncated"
                     : "the gzip data is damaged: " + std::string(reason)));
  }
};

Source::Source(std::unique_ptr<File> file, std::string name, const ReadLimits& limits,
               InvalidUtf8 invalid_utf8, Content content)
    : file_(std::move(file)),
      name_(std::move(name)),
      content_(content),
      limits_(limits),
      invalid_utf8_(invalid_utf8) {}

Source Source::in_memory(std::string text, std::string name, const ReadLimits& limits,
                         InvalidUtf8 invalid_utf8) {
  auto file = std::make_unique<File>();
  file->memory = std::move(text);
  Source out(std::move(file), std::move(name), limits, invalid_utf8, Content::text);
  out.skip_mark();
  return out;
}

Source::Source(std::string path, const ReadLimits& limits, InvalidUtf8 invalid_utf8,
               Content content)
    : Source(std::make_unique<File>(), std::move(path), limits, invalid_utf8, content) {
  int descriptor = -1;
  if (name_ == "-") {
    name_ = "<stdin>";
    descriptor = dup(STDIN_FILENO);
  } else {
    descriptor = open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (descriptor < 0) throw Error("cannot read " + name_ + ": " + std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw Error("cannot read " + name_ +
                ": it is a directory; --format directory reads the files in it");
  }
  if (!S_ISREG(status.st_mode)) {
    file_->pipe = std::make_unique<Pipe>(descriptor);
    skip_mark();
    return;
  }
  file_->handle = gzdopen(descriptor, "rb");
  if (file_->handle == nullptr) {
    ::close(descriptor);
    throw std::bad_alloc();
  }
  gzbuffer(file_->handle, source_block);
  skip_mark();
}

bool Source::has_line() {
  while (std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) == nullptr) {
    if (file_->pipe && !file_->pipe->ready()) return false;
    if (!fill()) return true;
  }
  return true;
}

void Source::skip_mark() {
  if (peek(byte_order_mark.size()).starts_with(byte_order_mark)) begin_ += byte_order_mark.size();
}

Source::~Source() = default;
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;

/// Reads another block into the buffer; false at the end of the input.
bool Source::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  check_size(end_ - std::min(end_, source_block));  // the lookahead may be longer than an example
  if (buffer_.size() < end_ + source_block) {
    // Doubled, but not beyond what an example may have: the limit is there to save memory.
    const std::uint64_t doubled = std::min<std::uint64_t>(2 * buffer_.size(), limits_.example);
    buffer_.resize(std::max<std::size_t>(doubled, end_ + source_block));
  }
  const std::size_t bytes = file_->read(buffer_.data() + end_, source_block, name_);
  bytes_read_ += bytes;
  if (bytes_read_ > limits_.file) {
    throw Error(name_ + ": " + beyond_limit("a file", limits_.file, "bytes", "max-file"));
  }
  const void* const nul =
      content_ == Content::text ? std::memchr(buffer_.data() + end_, 0, bytes) : nullptr;
  if (nul != nullptr) {
    end_ = static_cast<std::size_t>(static_cast<const char*>(nul) - buffer_.data());
    fail_at_end("a NUL byte: this is not a text file");
  }
  if (invalid_utf8_ == InvalidUtf8::keep) {
    end_ += bytes;
    return bytes > 0;
  }
  raw_.append(buffer_.data() + end_, bytes);
  const bool any = !raw_.empty();
  add_utf8(bytes == 0);
  return any;
}

/// Appends raw_ to the buffer as valid UTF-8. A character split by the end of a block waits for the
/// next block.
void Source::add_utf8(bool last) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::size_t at = 0;
  const auto append = [&](std::string_view bytes) {
    if (buffer_.size() < end_ + bytes.size()) buffer_.resize(2 * (end_ + bytes.size()));
    std::ranges::copy(bytes, buffer_.data() + end_);
    end_ += bytes.size();
  };
  while (at < raw_.size()) {
    const std::string_view rest = std::string_view(raw_).substr(at);
    const std::size_t valid = valid_utf8(rest);
    append(rest.substr(0, valid));
    at += valid;
    const auto status = decode_utf8(rest.substr(valid)).status;
    if (valid == rest.size() || (!last && status == Utf8Character::Status::truncated)) break;
    if (invalid_utf8_ == InvalidUtf8::refuse) fail_at_end("a byte that is not UTF-8");
    append(replacement);
    ++at;
  }
  raw_.erase(0, at);
}

/// Throws InputError for the location after the last byte in the buffer.
void Source::fail_at_end(std::string_view message) const {
  Location location{name_, line_, column_};
  advance({buffer_.data() + begin_, end_ - begin_}, location.line, location.column);
  throw InputError(std::move(location), message);
}

void Source::check_size(std::size_t bytes) const {
  if (bytes <= limits_.example) return;
  throw InputError({name_, line_, column_},
                   beyond_limit("an example", limits_.example, "bytes", "max-example"));
}

void Source::take(std::size_t bytes, std::string& out) {
  check_size(out.size() + bytes);
  out.append(buffer_.data() + begin_, bytes);
  consume(bytes);
}

void Source::take_all(std::string& out) {
  for (std::string_view bytes; !(bytes = peek()).empty();) take(bytes.size(), out);
}

std::string_view Source::peek(std::size_t wanted) {
  while (end_ - begin_ < wanted && fill()) {
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

void Source::consume(std::size_t bytes) {
  advance({buffer_.data() + begin_, bytes}, line_, column_);
  begin_ += bytes;
}

bool Source::next_line(Text& line) {
  std::size_t searched = 0;
  std::size_t length = 0;
  for (;;) {
    const char* const from = buffer_.data() + begin_;
    const std::size_t there = end_ - begin_;
    if (const void* newline = std::memchr(from + searched, '\n', there - searched)) {
      length = static_cast<std::size_t>(static_cast<const char*>(newline) - from);
      break;
    }
    searched = there;
    if (!fill()) {
      if (there == 0) return false;
      length = there;
      break;
    }
  }
  check_size(length);
  const char* const from = buffer_.data() + begin_;
  const bool ended = begin_ + length < end_;
  const bool carriage_return = length > 0 && from[length - 1] == '\r';
  line = Text({from, length - (carriage_return ? 1 : 0)}, name_, line_, column_);
  begin_ += length + (ended ? 1 : 0);
  ++line_;
  column_ = 1;
  return true;
}

}  // namespace espalier
