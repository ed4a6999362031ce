#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "espalier/io/sink.hpp"

namespace espalier {

/// Writes a zip archive of files that are stored as they are, with 64-bit sizes throughout.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink) : sink_(sink) {}
  void add(std::string_view name, std::string_view content);
  /// The table of contents. Nothing can be added after it.
  void finish();

 private:
  void write(std::string_view bytes);

  Sink& sink_;
  std::string contents_;  ///< the table so far
  std::uint64_t entries_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace espalier
