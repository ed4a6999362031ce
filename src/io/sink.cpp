#include "espalier/io/sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <new>
#include <utility>

#include "espalier/base/error.hpp"
#include "io/output_file.hpp"

namespace espalier {

namespace {

constexpr std::size_t block = std::size_t{1} << 18;

}  // namespace

struct Sink::File {
  std::string name;                    ///< for messages
  std::unique_ptr<OutputFile> output;  ///< null for streams, which are written directly
  int stream = -1;
  gzFile compressor = nullptr;  ///< owns a duplicate of the descriptor
  std::string buffer;

  ~File() {
    if (compressor != nullptr) gzclose(compressor);
    if (stream >= 0) ::close(stream);
  }

  int descriptor() const { return output ? output->descriptor() : stream; }

  void flush() {
    const char* at = buffer.data();
    std::size_t left = buffer.size();
    while (left > 0) {
      const ssize_t done = compressor != nullptr
                               ? gzwrite(compressor, at, static_cast<unsigned>(left))
                               : ::write(descriptor(), at, left);
      if (done <= 0) {
        if (errno == EINTR && compressor == nullptr) continue;
        fail_to_write(name, errno);
      }
      at += done;
      left -= static_cast<std::size_t>(done);
    }
    buffer.clear();
  }
};

Sink::Sink(const std::string& path) : file_(std::make_unique<File>()) {
  File& file = *file_;
  file.name = path;
  if (path.empty()) throw Error("cannot write a file without a name");
  struct stat status {};
  if (path == "-") {
    file.name = "<stdout>";
    file.stream = dup(STDOUT_FILENO);
  } else if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    file.stream = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    file.output = std::make_unique<OutputFile>(path);
  }
  if (file.descriptor() < 0) fail_to_write(file.name, errno);
  if (path.ends_with(".gz")) {
    const int copy = dup(file.descriptor());
    if (copy < 0) fail_to_write(file.name, errno);
    file.compressor = gzdopen(copy, "wb");
    if (file.compressor == nullptr) {
      ::close(copy);
      throw std::bad_alloc();
    }
  }
  file.buffer.reserve(block);
}

Sink::~Sink() = default;
Sink::Sink(Sink&&) noexcept = default;
Sink& Sink::operator=(Sink&&) noexcept = default;

const std::string& Sink::name() const { return file_->name; }

void Sink::write(std::string_view bytes) {
  std::string& buffer = file_->buffer;
  while (bytes.size() > block - buffer.size()) {
    const std::size_t fits = block - buffer.size();
    buffer.append(bytes.substr(0, fits));
    bytes.remove_prefix(fits);
    file_->flush();
  }
  buffer.append(bytes);
}

void Sink::flush() { file_->flush(); }

void Sink::commit() {
  File& file = *file_;
  file.flush();
  if (file.compressor != nullptr) {
    const int code = gzclose(std::exchange(file.compressor, nullptr));
    if (code != Z_OK) fail_to_write(file.name, code == Z_ERRNO ? errno : EIO);
  }
  if (file.output) {
    file.output->commit();
  } else if (::close(std::exchange(file.stream, -1)) != 0) {
    fail_to_write(file.name, errno);
  }
}

}  // namespace espalier
