#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace espalier::test {

/// All of a file, unpacked if it is gzip.
inline std::string read_gzip(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string out;
  char buffer[1 << 16];
  int read = 0;
  while ((read = gzread(file, buffer, sizeof buffer)) > 0) {
    out.append(buffer, static_cast<std::size_t>(read));
  }
  if (gzclose(file) != Z_OK || read < 0) throw std::runtime_error("cannot read " + path);
  return out;
}

/// The content of a file within a .tar.gz. Of the format only what is needed: blocks of 512 bytes,
/// a header with name and octal size, then the content.
inline std::string file_in_archive(const std::string& archive, std::string_view name) {
  constexpr std::size_t block = 512;
  const std::string tar = read_gzip(archive);
  for (std::size_t at = 0; at + block <= tar.size() && tar[at] != '\0';) {
    std::string_view found(tar.data() + at, 100);
    found = found.substr(0, found.find('\0'));
    if (found.starts_with("./")) found.remove_prefix(2);
    const std::size_t size = std::strtoull(tar.substr(at + 124, 12).c_str(), nullptr, 8);
    if (found == name) return tar.substr(at + block, size);
    at += block + (size + block - 1) / block * block;
  }
  throw std::runtime_error(archive + " holds no " + std::string(name));
}

}  // namespace espalier::test
