#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace espalier {

/// An output file that appears complete or not at all: it is written to a temporary file in the
/// same folder, and commit() renames it. A path ending in ".gz" is compressed; "-" is standard
/// output; devices and pipes are written directly. Failures (no space, no permission) throw Error.
class Sink {
 public:
  explicit Sink(const std::string& path);
  /// Without commit(), nothing is left behind.
  ~Sink();
  Sink(Sink&&) noexcept;
  Sink& operator=(Sink&&) noexcept;

  void write(std::string_view bytes);
  /// Passes on what was written; only commit() makes a file appear.
  void flush();
  /// Flushes the buffer and moves the file to its path.
  void commit();

  const std::string& name() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace espalier
