#include "espalier/io/sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

constexpr std::size_t block = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& name, int reason) {
  throw Error("cannot write " + name + ": " + std::strerror(reason));
}

/// The target of a symbolic link: it is replaced, not the link. A file that is not there yet is
/// none.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         std::free);
  if (!real && errno != ENOENT) fail(path, errno);
  return real ? real.get() : path;
}

}  // namespace

struct Sink::File {
  std::string name;       ///< for messages
  std::string path;       ///< the destination; empty if written directly
  std::string temporary;  ///< where the file is until commit()
  int descriptor = -1;
  gzFile compressor = nullptr;  ///< owns a duplicate of the descriptor
  std::string buffer;

  ~File() {
    if (compressor != nullptr) gzclose(compressor);
    if (descriptor >= 0) ::close(descriptor);
    if (!temporary.empty()) unlink(temporary.c_str());
  }

  /// Unnamed (O_TMPFILE) where supported, so that even a killed process leaves nothing behind.
  void open_temporary() {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    descriptor = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) return;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail(name, errno);
    temporary = free_name();
    descriptor = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      temporary.clear();
      fail(name, errno);
    }
  }

  /// A name in the same folder that is unique to this process and file.
  std::string free_name() const {
    std::string out = path + "." + std::to_string(getpid()) + "." + std::to_string(descriptor) +
                      "." + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".part";
    unlink(out.c_str());  // left by a killed process with the same id
    return out;
  }

  void put_in_place() {
    if (temporary.empty()) {
      // An unnamed file cannot atomically replace another one: give it a name first.
      const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
      std::string named = free_name();
      if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, named.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        fail(name, errno);
      }
      temporary = std::move(named);  // cannot fail: the file would stay
    }
    if (rename(temporary.c_str(), path.c_str()) != 0) fail(name, errno);
    temporary.clear();
  }

  void flush() {
    const char* at = buffer.data();
    std::size_t left = buffer.size();
    while (left > 0) {
      const ssize_t done = compressor != nullptr
                               ? gzwrite(compressor, at, static_cast<unsigned>(left))
                               : ::write(descriptor, at, left);
      if (done <= 0) {
        if (errno == EINTR && compressor == nullptr) continue;
        fail(name, errno);
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
    file.descriptor = dup(STDOUT_FILENO);
  } else if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    file.descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    // Renaming over a file does not require permission to write that file, so check it here.
    if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) {
      fail(file.name, errno);
    }
    file.path = behind_links(path);
    file.open_temporary();
  }
  if (file.descriptor < 0) fail(file.name, errno);
  if (path.ends_with(".gz")) {
    const int copy = dup(file.descriptor);
    if (copy < 0) fail(file.name, errno);
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
    if (code != Z_OK) fail(file.name, code == Z_ERRNO ? errno : EIO);
  }
  if (!file.path.empty()) {
    if (fsync(file.descriptor) != 0) fail(file.name, errno);
    file.put_in_place();
  }
  const bool closed = ::close(std::exchange(file.descriptor, -1)) == 0;
  // A file is in place and on the disk by now.
  if (!closed && file.path.empty()) fail(file.name, errno);
}

}  // namespace espalier
