#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace espalier {

/// A regular file that appears at its path complete or not at all: commit() moves it there. Until
/// then it is unnamed where the file system supports that (O_TMPFILE), so that even a killed
/// process leaves nothing behind.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// A file with a name of its own until commit(): starts with what it has, and outlives the
  /// process.
  OutputFile(const std::string& path, const std::string& kept);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Gives the file this size, and reserves the space on the disk if the file system can.
  void reserve(std::uint64_t bytes);
  void write_at(std::uint64_t offset, const void* bytes, std::size_t size) const;
  void read_at(std::uint64_t offset, void* bytes, std::size_t size) const;
  void commit();
  /// Deletes a kept file.
  void remove();

 private:
  [[noreturn]] void fail(int reason) const;
  std::string free_name() const;
  void open_temporary();

  std::string name_;       ///< for messages
  std::string path_;       ///< the destination
  std::string temporary_;  ///< the name until commit(), if any
  bool kept_ = false;
  std::uint64_t reserved_ = 0;
  int descriptor_ = -1;
};

/// Throws the Error of a failed system call.
[[noreturn]] void fail_to_write(const std::string& name, int reason);

}  // namespace espalier
