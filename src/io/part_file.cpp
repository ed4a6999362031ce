#include "espalier/io/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/archive.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

constexpr std::string_view magic = "espalier part 1\n";

/// Precedes the bytes of a piece.
struct PieceHeader {
  std::uint64_t number;
  std::uint64_t size;
  std::uint64_t sum;  ///< of number, size and bytes
};

std::uint64_t checksum(const PieceHeader& header, std::string_view bytes) {
  auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(&header), offsetof(PieceHeader, sum));
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

struct PartFile::File {
  std::string path;
  int descriptor = -1;
  std::uint64_t begin = 0;  ///< of the first piece
  std::uint64_t end = 0;    ///< of the last complete piece
  bool is_new = false;
  std::mutex mutex;  ///< guards append()

  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }

  [[noreturn]] void fail(int reason) const {
    throw Error("cannot write " + path + ": " + std::strerror(reason));
  }

  std::uint64_t size() const {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) fail(errno);
    return static_cast<std::uint64_t>(status.st_size);
  }

  /// False if the file is too short.
  bool read(std::uint64_t at, char* to, std::size_t bytes) const {
    while (bytes > 0) {
      const ssize_t got = pread(descriptor, to, bytes, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error("cannot read " + path + ": " + std::strerror(errno));
      if (got == 0) return false;
      at += static_cast<std::uint64_t>(got);
      to += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }

  void write(std::uint64_t at, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail(errno);
      at += static_cast<std::uint64_t>(done);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }

  void add(std::uint64_t number, std::string_view bytes) {
    PieceHeader header{number, bytes.size(), 0};
    header.sum = checksum(header, bytes);
    write(end, {reinterpret_cast<const char*>(&header), sizeof header});
    write(end + sizeof header, bytes);
    end += sizeof header + bytes.size();
  }
};

PartFile::PartFile(const std::string& path, std::string_view request)
    : file_(std::make_unique<File>()) {
  File& file = *file_;
  file.path = path;
  file.descriptor = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (file.descriptor < 0) file.fail(errno);
  if (flock(file.descriptor, LOCK_EX | LOCK_NB) != 0) {
    throw Error(path + ": another process is working on it");
  }
  ArchiveWriter title;
  title(std::string(request));
  const std::string wanted = std::string(magic) + title.bytes();
  file.begin = file.end = wanted.size();
  std::string found(wanted.size(), '\0');
  // A file truncated within its title counts as empty.
  const std::uint64_t size = file.size();
  found.resize(std::min<std::uint64_t>(size, found.size()));
  file.read(0, found.data(), found.size());
  if (!wanted.starts_with(found)) {
    throw Error(path +
                " is of another computation: other data, another kernel, option or version. Go on "
                "with that one, or delete the file");
  }
  file.is_new = found.size() < wanted.size();
  if (file.is_new) file.write(0, wanted);
}

PartFile::~PartFile() = default;

bool PartFile::is_new() const { return file_->is_new; }

void PartFile::replay(
    const std::function<void(std::uint64_t number, std::string_view bytes)>& use) {
  File& file = *file_;
  const std::uint64_t size = file.size();
  std::string bytes;
  PieceHeader header{};
  while (file.read(file.end, reinterpret_cast<char*>(&header), sizeof header)) {
    const std::uint64_t at = file.end + sizeof header;
    if (header.size > size - at) break;
    bytes.resize(header.size);
    if (!file.read(at, bytes.data(), bytes.size()) || header.sum != checksum(header, bytes)) break;
    use(header.number, bytes);
    file.end = at + bytes.size();
  }
  // Removes a truncated piece before new ones are appended.
  if (ftruncate(file.descriptor, static_cast<off_t>(file.end)) != 0) file.fail(errno);
}

void PartFile::append(std::uint64_t number, std::string_view bytes) {
  const std::lock_guard lock(file_->mutex);
  file_->add(number, bytes);
}

void PartFile::replace(std::uint64_t number, std::string_view bytes) {
  File& file = *file_;
  const std::lock_guard lock(file.mutex);
  File next;
  next.path = file.path + ".new";
  next.descriptor = open(next.path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0666);
  if (next.descriptor < 0) next.fail(errno);
  // Before the new file is in place, so that no other process can take it.
  if (flock(next.descriptor, LOCK_EX | LOCK_NB) != 0) {
    throw Error(next.path + ": another process is working on it");
  }
  std::string title(file.begin, '\0');
  file.read(0, title.data(), title.size());
  next.write(0, title);
  next.end = next.begin = title.size();
  next.add(number, bytes);
  if (rename(next.path.c_str(), file.path.c_str()) != 0) next.fail(errno);
  std::swap(file.descriptor, next.descriptor);
  file.end = next.end;
}

void PartFile::remove() {
  unlink((file_->path + ".new").c_str());  // of a replacement that was interrupted, if any
  if (unlink(file_->path.c_str()) != 0) file_->fail(errno);
}

}  // namespace espalier
