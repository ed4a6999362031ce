#include "io/zip.hpp"

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

TEST(ZipWriter, WritesAValidArchive) {
  const test::TempDir folder;
  {
    Sink sink(folder.path("a.zip"));
    ZipWriter zip(sink);
    zip.add("a", "xyz");
    zip.add("bc", "");
    zip.finish();
    sink.commit();
  }
  const std::string bytes = test::read_file(folder.path("a.zip"));
  const std::string first("PK\x03\x04", 4), entry("PK\x01\x02", 4), end("PK\x05\x06", 4);
  EXPECT_EQ(bytes.substr(0, 4), first);
  // The checksum of "xyz" by the polynomial of the format.
  EXPECT_EQ(bytes.substr(14, 4), "g\xba\x8e\xeb");
  EXPECT_EQ(bytes.substr(30 + 1 + 20, 3), "xyz");
  std::size_t entries = 0;
  for (std::size_t at = bytes.find(entry); at != std::string::npos;
       at = bytes.find(entry, at + 1)) {
    ++entries;
  }
  EXPECT_EQ(entries, 2);
  EXPECT_EQ(bytes.size() - bytes.rfind(end), 22);
}

}  // namespace
}  // namespace espalier
