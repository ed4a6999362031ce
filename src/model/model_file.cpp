// A model file: a line that identifies it, the format version, the size and checksum of the rest,
// and the model as model_archive.cpp writes it.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>

#include "base/archive.hpp"
#include "espalier/io/sink.hpp"
#include "model/model_archive.hpp"

namespace espalier {

namespace {

constexpr std::string_view magic = "espalier model\n";
constexpr std::uint32_t format_version = 8;
constexpr std::uint32_t oldest_version = 5;
constexpr const char* no_model = "this is no model: train one with `espalier train`";

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(path + ": " + message);
}

/// Plain or compressed.
class ModelInput {
 public:
  explicit ModelInput(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (!file_) espalier::fail(path, "cannot open the file: " + std::string(std::strerror(errno)));
  }
  /// Up to `size` bytes.
  std::string read(std::size_t size) {
    std::string out;
    std::array<char, 1 << 16> buffer;
    while (out.size() < size) {
      const auto wanted = static_cast<unsigned>(std::min(buffer.size(), size - out.size()));
      const int got = gzread(file_.get(), buffer.data(), wanted);
      if (got < 0) fail();
      if (got == 0) {
        if (error() == Z_BUF_ERROR) espalier::fail(path_, "the file is cut off");
        break;
      }
      out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  int error() const {
    int code = Z_OK;
    gzerror(file_.get(), &code);
    return code;
  }
  [[noreturn]] void fail() const {
    if (error() == Z_MEM_ERROR) throw std::bad_alloc();
    espalier::fail(path_, error() == Z_ERRNO
                              ? "cannot read the file: " + std::string(std::strerror(errno))
                              : "the file is damaged");
  }

  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

void check_version(std::uint32_t version) {
  if (version >= oldest_version && version <= format_version) return;
  if (version == 0) throw Error("the model is damaged: there is no format 0");
  const std::string known = "the model has format " + std::to_string(version);
  if (version < format_version) {
    throw Error(known + ", which this program no longer reads: train it again");
  }
  throw Error(known + "; this program knows up to " + std::to_string(format_version) +
              ": use a newer version");
}

}  // namespace

std::string model_bytes(const Model& model) {
  const std::string payload = archived(model);
  ArchiveWriter header;
  header(format_version, static_cast<std::uint64_t>(payload.size()), checksum(payload));
  return std::string(magic) + header.bytes() + payload;
}

Model model_from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw Error(no_model);
  bytes.remove_prefix(magic.size());
  std::uint32_t version = 0;
  std::uint64_t size = 0;
  std::uint32_t sum = 0;
  constexpr std::size_t header_size = sizeof version + sizeof size + sizeof sum;
  if (bytes.size() < header_size) throw Error("the model is cut off");
  ArchiveReader header({bytes.data(), header_size});
  header(version, size, sum);
  check_version(version);
  bytes.remove_prefix(header_size);
  if (bytes.size() < size) throw Error("the model is cut off");
  if (bytes.size() > size) {
    throw Error("the model is damaged: it is followed by something else");
  }
  if (checksum(bytes) != sum) throw Error("the model is damaged: its checksum is wrong");
  try {
    return model_from_archive(bytes, version);
  } catch (const Error& error) {
    throw Error(std::string("the model is damaged: ") + error.what());
  }
}

void save_model(const Model& model, const std::string& path) {
  Sink sink(path);
  sink.write(model_bytes(model));
  sink.commit();
}

bool is_model_file(const std::string& path) {
  if (path == "-") return false;
  try {
    return ModelInput(path).read(magic.size()) == magic;
  } catch (const Error&) {
    return false;  // reading it will report why
  }
}

Model load_model(const std::string& path) {
  ModelInput input(path);
  std::string bytes = input.read(magic.size());
  if (bytes != magic) fail(path, no_model);
  bytes += input.read(std::string::npos);
  try {
    Model model = model_from_bytes(bytes);
    model.word_files.folder = std::filesystem::path(path).parent_path().string();
    return model;
  } catch (const Error& error) {
    fail(path, error.what());
  }
}

}  // namespace espalier
