#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace espalier {

/// A checkpoint file: the finished pieces of a long computation, each with its number and a
/// checksum. It survives a killed process; a truncated piece counts as unfinished. For the output
/// "G.npy" it is called "G.npy.part".
class PartFile {
 public:
  /// Opens or creates the file. `request` identifies the computation. Throws Error if the file
  /// belongs to another request, if another process is using it, or if it cannot be written.
  PartFile(const std::string& path, std::string_view request);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Calls use(number, bytes) for each finished piece, in the order of append(). Must be called
  /// before the first append(), which continues after the last finished piece.
  void replay(const std::function<void(std::uint64_t number, std::string_view bytes)>& use);

  /// Adds a piece. May be called from several threads.
  void append(std::uint64_t number, std::string_view bytes);

  /// Deletes the file once the output is complete.
  void remove();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace espalier
