#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

namespace {

/// The target of a symbolic link: it is replaced, not the link. A file that is not there yet is
/// none.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         std::free);
  if (!real && errno != ENOENT) fail_to_write(path, errno);
  return real ? real.get() : path;
}

/// Renaming over a file does not require permission to write that file, so check it here.
void check_permission(const std::string& path) {
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) {
    fail_to_write(path, errno);
  }
}

bool is_about_room(int reason) { return reason == ENOSPC || reason == EFBIG || reason == EDQUOT; }

}  // namespace

void fail_to_write(const std::string& name, int reason) {
  throw Error("cannot write " + name + ": " + std::strerror(reason));
}

OutputFile::OutputFile(const std::string& path) : name_(path) {
  check_permission(path);
  path_ = behind_links(path);
  open_temporary();
}

OutputFile::OutputFile(const std::string& path, const std::string& kept)
    : name_(path), temporary_(kept), kept_(true) {
  check_permission(path);
  path_ = behind_links(path);
  descriptor_ = open(kept.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_write(kept, errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!kept_ && !temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::open_temporary() {
  const std::size_t slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  descriptor_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail(errno);
  std::string temporary = free_name();
  descriptor_ = open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  temporary_ = std::move(temporary);
}

/// A name in the same folder that is unique to this process and file.
std::string OutputFile::free_name() const {
  std::string out = path_ + "." + std::to_string(getpid()) + "." + std::to_string(descriptor_) +
                    "." + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".part";
  unlink(out.c_str());  // left by a killed process with the same id
  return out;
}

void OutputFile::fail(int reason) const {
  if (reserved_ == 0 || !is_about_room(reason)) fail_to_write(name_, reason);
  struct statvfs disk {};
  std::string free;
  if (reason == ENOSPC && fstatvfs(descriptor_, &disk) == 0) {
    free = fmt::format(", {} are free", grouped(disk.f_bavail * disk.f_frsize));
  }
  throw Error(fmt::format("cannot write {}: {}: it takes {} bytes{}", name_, std::strerror(reason),
                          grouped(reserved_), free));
}

void OutputFile::reserve(std::uint64_t bytes) {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail(errno);
  reserved_ = bytes;
  const auto size = static_cast<off_t>(bytes);
  int result = status.st_size > size ? ftruncate(descriptor_, size) : 0;
  if (result != 0) fail(errno);
  do {
    result = fallocate(descriptor_, 0, 0, size);
  } while (result != 0 && errno == EINTR);
  // Where space cannot be reserved, a full disk is noticed later.
  if (result != 0 && !is_about_room(errno)) result = ftruncate(descriptor_, size);
  if (result == 0) return;
  const int reason = errno;
  if (kept_ && status.st_size == 0) remove();
  fail(reason);
}

void OutputFile::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = pwrite(descriptor_, at, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    at += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::read_at(std::uint64_t offset, void* bytes, std::size_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t done = pread(descriptor_, at, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      throw Error(fmt::format("cannot read back what was written to {}: {}", name_,
                              done < 0 ? std::strerror(errno) : "it was truncated"));
    }
    at += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::commit() {
  if (fsync(descriptor_) != 0) fail(errno);
  if (temporary_.empty()) {
    // An unnamed file cannot atomically replace another one: give it a name first.
    const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor_);
    std::string named = free_name();
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, named.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      fail(errno);
    }
    temporary_ = std::move(named);  // cannot fail: the file would stay
  }
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
  ::close(std::exchange(descriptor_, -1));  // in place and on the disk, whatever this returns
}

void OutputFile::remove() {
  if (!temporary_.empty() && unlink(temporary_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace espalier
