#include "io/pipe.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

constexpr std::size_t pipe_block = std::size_t{1} << 16;
constexpr std::string_view gzip_mark = "\x1F\x8B";

}  // namespace

Pipe::~Pipe() {
  if (gzip_) inflateEnd(&stream_);
  ::close(descriptor_);
}

bool Pipe::ready() const {
  if (at_ < input_.size()) return true;
  pollfd state{descriptor_, POLLIN, 0};
  return poll(&state, 1, 0) != 0;
}

/// Appends what arrives to input_; false at the end.
bool Pipe::receive(const std::string& name) {
  input_.erase(0, at_);
  at_ = 0;
  const std::size_t before = input_.size();
  input_.resize(before + pipe_block);
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, input_.data() + before, pipe_block);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw Error("cannot read " + name + ": " + std::strerror(errno));
  input_.resize(before + static_cast<std::size_t>(got));
  return got > 0;
}

void Pipe::begin(const std::string& name) {
  begun_ = true;
  while (input_.size() < gzip_mark.size() && receive(name)) {
  }
  if (!input_.starts_with(gzip_mark)) return;
  constexpr int gzip_only = 15 + 16;
  if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  gzip_ = inside_ = true;
}

std::size_t Pipe::inflate_to(char* out, std::size_t bytes, const std::string& name) {
  while (true) {
    if (at_ == input_.size() && !receive(name)) {
      if (inside_) throw Error(name + ": the gzip data ends too soon: the file is truncated");
      return 0;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + at_);
    stream_.avail_in = static_cast<unsigned>(input_.size() - at_);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<unsigned>(bytes);
    if (!inside_) inflateReset(&stream_);  // another member follows
    inside_ = true;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    at_ = input_.size() - stream_.avail_in;
    if (code == Z_STREAM_END) {
      inside_ = false;
    } else if (code == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      throw Error(name + ": the gzip data is damaged: " +
                  (stream_.msg != nullptr ? stream_.msg : "unknown"));
    }
    if (stream_.avail_out < bytes) return bytes - stream_.avail_out;
  }
}

std::size_t Pipe::read(char* out, std::size_t bytes, const std::string& name) {
  if (!begun_) begin(name);
  if (gzip_) return inflate_to(out, bytes, name);
  if (at_ == input_.size() && !receive(name)) return 0;
  const std::size_t copied = input_.copy(out, bytes, at_);
  at_ += copied;
  return copied;
}

}  // namespace espalier
