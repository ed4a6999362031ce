#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "espalier/io/sink.hpp"

namespace espalier {

/// Writes a zip archive of uncompressed files, with 64-bit sizes throughout.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink) : sink_(sink) {}
  void add(std::string_view name, std::string_view content);
  /// Writes the central directory. Nothing can be added after it.
  void finish();

 private:
  void write(std::string_view bytes);

  Sink& sink_;
  std::string contents_;  ///< the central directory so far
  std::uint64_t entries_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace espalier
