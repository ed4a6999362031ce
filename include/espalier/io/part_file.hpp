#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace espalier {

/// The finished pieces of a long computation, in a file that outlives a kill: one after the other,
/// each with its number and a checksum. A piece that was cut off counts as not finished. Beside its
/// output, "G.npy", it is called "G.npy.part".
class PartFile {
 public:
  /// Opens the file, or makes it. `request` tells this computation from others. Throws Error if the
  /// file is of another request, if another process works on it, or if it cannot be written.
  PartFile(const std::string& path, std::string_view request);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Calls use(number, bytes) for each piece that is finished, in the order of append(). Comes
  /// before the first append(), which goes on after the last of them.
  void replay(const std::function<void(std::uint64_t number, std::string_view bytes)>& use);

  /// Adds a piece. May be called from several threads.
  void append(std::uint64_t number, std::string_view bytes);

  /// Deletes the file: the output is in place.
  void remove();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace espalier
