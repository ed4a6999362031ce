#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::test {

inline void write_file(const std::string& path, std::string_view content) {
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!out.flush()) throw std::runtime_error("the test cannot write " + path);
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("the test cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own for one test, removed with all that is in it.
class TempDir {
 public:
  TempDir() : path_(testing::TempDir() + "/espalier.XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("the test cannot make " + path_);
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// Writes a file and returns its path.
  std::string file(std::string_view name, std::string_view content) const {
    write_file(path(name), content);
    return path(name);
  }

  /// The names of what is in the folder, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      out.push_back(entry.path().filename());
    }
    std::ranges::sort(out);
    return out;
  }

 private:
  std::string path_;
};

/// `content` as a gzip file holds it.
inline std::string gzipped(std::string_view content) {
  const TempDir folder;
  const std::string path = folder.path("x.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error("the test cannot write " + path);
  const int done = gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  if (gzclose(file) != Z_OK || done != static_cast<int>(content.size())) {
    throw std::runtime_error("the test cannot compress");
  }
  return read_file(path);
}

}  // namespace espalier::test
