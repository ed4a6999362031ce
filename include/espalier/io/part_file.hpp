#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "espalier/base/checkpoint.hpp"

namespace espalier {

/// A checkpoint in a file, with a checksum for each piece. It survives a killed process; a
/// truncated piece counts as unfinished. For the output "G.npy" it is called "G.npy.part".
class PartFile final : public Checkpoint {
 public:
  /// Opens or creates the file. `request` identifies the computation. Throws Error if the file
  /// belongs to another request, if another process is using it, or if it cannot be written.
  PartFile(const std::string& path, std::string_view request);
  ~PartFile() override;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Whether no earlier run has left anything.
  bool is_new() const;
  void replay(const std::function<void(std::uint64_t, std::string_view)>& use) override;
  void append(std::uint64_t number, std::string_view bytes) override;
  void replace(std::uint64_t number, std::string_view bytes) override;

  /// Deletes the file once the output is complete.
  void remove();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace espalier
