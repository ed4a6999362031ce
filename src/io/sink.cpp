#include "espalier/io/sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

constexpr std::size_t block = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& name, int reason) {
  throw Error("cannot write " + name + ": " + std::strerror(reason));
}

}  // namespace

struct Sink::File {
  std::string name;       ///< for messages
  std::string path;       ///< where the file goes; empty when it is written directly
  std::string temporary;  ///< where it is until then
  int descriptor = -1;
  gzFile compressor = nullptr;  ///< owns a duplicate of the descriptor
  std::string buffer;

  ~File() {
    if (compressor != nullptr) gzclose(compressor);
    if (descriptor >= 0) ::close(descriptor);
    if (!temporary.empty()) unlink(temporary.c_str());
  }

  void open_temporary() {
    temporary = path + ".XXXXXX";
    descriptor = mkstemp(temporary.data());
    if (descriptor < 0) {
      const int reason = errno;
      temporary.clear();
      fail(name, reason);
    }
    // mkstemp makes the file private; the result gets the permissions any new file gets.
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0) fail(name, errno);
  }

  void flush() {
    const char* at = buffer.data();
    std::size_t left = buffer.size();
    while (left > 0) {
      const ssize_t done = compressor != nullptr
                               ? gzwrite(compressor, at, static_cast<unsigned>(left))
                               : ::write(descriptor, at, left);
      if (done <= 0) {
        if (errno == EINTR) continue;
        fail(name, errno);
      }
      at += done;
      left -= static_cast<std::size_t>(done);
    }
    buffer.clear();
  }
};

Sink::Sink(std::string path) : file_(std::make_unique<File>()) {
  File& file = *file_;
  file.name = path;
  if (path.empty()) throw Error("cannot write a file without a name");
  struct stat status {};
  if (path == "-") {
    file.name = "<stdout>";
    file.descriptor = dup(STDOUT_FILENO);
  } else if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    file.descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    file.path = path;
    file.open_temporary();
  }
  if (file.descriptor < 0) fail(file.name, errno);
  if (path.ends_with(".gz")) {
    const int copy = dup(file.descriptor);
    file.compressor = copy < 0 ? nullptr : gzdopen(copy, "wb");
    if (file.compressor == nullptr) fail(file.name, errno);
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

void Sink::commit() {
  File& file = *file_;
  file.flush();
  if (file.compressor != nullptr) {
    const int code = gzclose(std::exchange(file.compressor, nullptr));
    if (code != Z_OK) fail(file.name, code == Z_ERRNO ? errno : EIO);
  }
  if (!file.path.empty() && fsync(file.descriptor) != 0) fail(file.name, errno);
  if (::close(std::exchange(file.descriptor, -1)) != 0) fail(file.name, errno);
  if (!file.path.empty()) {
    if (rename(file.temporary.c_str(), file.path.c_str()) != 0) fail(file.name, errno);
    file.temporary.clear();
  }
}

}  // namespace espalier
