#include "io/zip.hpp"

#include <zlib.h>

namespace espalier {

namespace {

void append(std::string& out, std::uint64_t value, int bytes) {
  for (int b = 0; b < bytes; ++b) out += static_cast<char>((value >> (8 * b)) & 0xFF);
}

constexpr int zip64_version = 45;
constexpr std::uint64_t in_extra_field = 0xFFFFFFFF;

/// The common part of a file's header and its directory entry: version, flags, method, 1980-01-01,
/// checksum, sizes (stored in the extra field), lengths of name and extra field.
std::string common_fields(std::uint64_t checksum, std::size_t name, std::size_t extra) {
  std::string out;
  append(out, zip64_version, 2);
  append(out, 0, 2);
  append(out, 0, 2);
  append(out, 0, 2);
  append(out, 0x21, 2);
  append(out, checksum, 4);
  append(out, in_extra_field, 4);
  append(out, in_extra_field, 4);
  append(out, name, 2);
  append(out, extra, 2);
  return out;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(std::string_view name, std::string_view content) {
  const std::uint64_t checksum =
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  const std::uint64_t offset = written_;
  std::string header = "PK\x03\x04" + common_fields(checksum, name.size(), 20);
  header += name;
  append(header, 1, 2);  // the extra field of 64-bit sizes
  append(header, 16, 2);
  append(header, content.size(), 8);
  append(header, content.size(), 8);
  write(header);
  write(content);

  contents_ += "PK\x01\x02";
  append(contents_, zip64_version, 2);
  contents_ += common_fields(checksum, name.size(), 28);
  append(contents_, 0, 2);  // no comment
  append(contents_, 0, 2);  // on the first disk
  append(contents_, 0, 2);  // no attributes
  append(contents_, 0, 4);
  append(contents_, in_extra_field, 4);  // the offset
  contents_ += name;
  append(contents_, 1, 2);
  append(contents_, 24, 2);
  append(contents_, content.size(), 8);
  append(contents_, content.size(), 8);
  append(contents_, offset, 8);
  ++entries_;
}

void ZipWriter::finish() {
  const std::uint64_t table = written_;
  write(contents_);
  const std::uint64_t end = written_;
  std::string out = "PK\x06\x06";  // ZIP64 end of central directory
  append(out, 44, 8);
  append(out, zip64_version, 2);
  append(out, zip64_version, 2);
  append(out, 0, 4);
  append(out, 0, 4);
  append(out, entries_, 8);
  append(out, entries_, 8);
  append(out, contents_.size(), 8);
  append(out, table, 8);
  out += "PK\x06\x07";  // its locator
  append(out, 0, 4);
  append(out, end, 8);
  append(out, 1, 4);
  out += "PK\x05\x06";  // end of central directory, which refers to the above
  append(out, 0, 2);
  append(out, 0, 2);
  append(out, 0xFFFF, 2);
  append(out, 0xFFFF, 2);
  append(out, 0xFFFFFFFF, 4);
  append(out, 0xFFFFFFFF, 4);
  append(out, 0, 2);
  write(out);
}

}  // namespace espalier
