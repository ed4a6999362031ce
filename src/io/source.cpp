#include "espalier/io/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

constexpr std::size_t block = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Moves a place over bytes that were read.
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
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = bytes_.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return part(bytes_.size());
  return part(begin, bytes_.find_last_not_of(blanks) - begin + 1);
}

void Text::fail(std::size_t at, std::string_view message) const {
  Location location{std::string(file_), line_, column_};
  const char* const place = bytes_.data() + at;
  advance({origin_, static_cast<std::size_t>(place - origin_)}, location.line, location.column);
  const std::string_view rest = bytes_.substr(at);
  throw InputError(std::move(location), message, rest.substr(0, rest.find('\n')));
}

struct Source::File {
  gzFile handle = nullptr;
  ~File() {
    if (handle != nullptr) gzclose(handle);
  }
};

Source::Source(std::string path, Content content)
    : file_(std::make_unique<File>()), name_(std::move(path)), content_(content) {
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
    throw Error("cannot read " + name_ + ": it is a directory");
  }
  file_->handle = gzdopen(descriptor, "rb");
  if (file_->handle == nullptr) {
    ::close(descriptor);
    throw Error("cannot read " + name_ + ": out of memory");
  }
  gzbuffer(file_->handle, block);
  if (peek(byte_order_mark.size()).starts_with(byte_order_mark)) begin_ += byte_order_mark.size();
}

Source::~Source() = default;
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;

/// Reads one more block behind what is there; false at the end of the input.
bool Source::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < end_ + block) buffer_.resize(std::max(2 * buffer_.size(), end_ + block));
  const int got = gzread(file_->handle, buffer_.data() + end_, static_cast<unsigned>(block));
  int code = Z_OK;
  std::string_view reason = gzerror(file_->handle, &code);
  // After the last byte of a file cut off in the middle, zlib reports Z_BUF_ERROR.
  if (got < 0 || code == Z_BUF_ERROR) {
    if (code == Z_ERRNO) throw Error("cannot read " + name_ + ": " + std::strerror(errno));
    const bool cut = code == Z_BUF_ERROR;
    // zlib puts its own name for the file in front.
    if (const auto colon = reason.find(": "); colon != reason.npos) reason.remove_prefix(colon + 2);
    throw Error(name_ + ": " +
                (cut ? "the gzip data ends too soon: the file is truncated"
                     : "the gzip data is damaged: " + std::string(reason)));
  }
  const auto bytes = static_cast<std::size_t>(got);
  const void* const nul =
      content_ == Content::text ? std::memchr(buffer_.data() + end_, 0, bytes) : nullptr;
  if (nul != nullptr) {
    Location location{name_, line_, column_};
    const auto before = static_cast<const char*>(nul) - buffer_.data();
    advance({buffer_.data(), static_cast<std::size_t>(before)}, location.line, location.column);
    throw InputError(std::move(location), "a NUL byte: this is not a text file");
  }
  end_ += bytes;
  return bytes > 0;
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
