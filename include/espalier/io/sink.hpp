#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace espalier {

/// An output file that appears whole or not at all: it is written beside its place under another
/// name and moved there by commit(). A path that ends in ".gz" is compressed; "-" is standard
/// output, and a device or pipe is written directly. Faults (no space, no permission) are an Error.
class Sink {
 public:
  explicit Sink(std::string path);
  /// Without commit(), nothing is left behind.
  ~Sink();
  Sink(Sink&&) noexcept;
  Sink& operator=(Sink&&) noexcept;

  void write(std::string_view bytes);
  /// Writes out what is buffered and puts the file in its place.
  void commit();

  const std::string& name() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace espalier
