#pragma once

#include <zlib.h>

#include <string>

namespace espalier {

/// A pipe, terminal or device, plain or gzip: read() returns what has arrived instead of waiting
/// for more.
class Pipe {
 public:
  /// Owns the descriptor.
  explicit Pipe(int descriptor) : descriptor_(descriptor) {}
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Between 1 and `bytes` bytes; 0 at the end. Throws Error; `name` is that of the file.
  std::size_t read(char* out, std::size_t bytes, const std::string& name);
  /// Whether read() would not wait.
  bool ready() const;

 private:
  void begin(const std::string& name);
  bool receive(const std::string& name);
  std::size_t inflate_to(char* out, std::size_t bytes, const std::string& name);

  int descriptor_;
  bool begun_ = false;
  bool gzip_ = false;
  bool inside_ = false;  ///< of a gzip member
  z_stream stream_ = {};
  std::string input_;   ///< received, not yet returned
  std::size_t at_ = 0;  ///< in input_
};

}  // namespace espalier
