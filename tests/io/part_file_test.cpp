#include "espalier/io/part_file.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::contains;
using Pieces = std::vector<std::pair<std::uint64_t, std::string>>;

const Pieces three = {{7, "first"}, {3, std::string("\0\n", 2)}, {8, std::string(5000, 'x')}};

Pieces replayed(PartFile& file) {
  Pieces out;
  file.replay([&](std::uint64_t number, std::string_view bytes) {
    out.emplace_back(number, std::string(bytes));
  });
  return out;
}

/// A file with these pieces.
std::string written(const test::TempDir& folder, const Pieces& pieces) {
  const std::string path = folder.path("x.part");
  PartFile file(path, "request");
  EXPECT_TRUE(file.is_new() && replayed(file).empty());
  for (const auto& [number, bytes] : pieces) file.append(number, bytes);
  return path;
}

TEST(PartFiles, ReplaceAllPiecesByOne) {
  const test::TempDir folder;
  const std::string path = written(folder, three);
  {
    PartFile file(path, "request");
    replayed(file);
    file.replace(1, "state");
    file.replace(2, "later state");
    EXPECT_TRUE(contains(test::failure_of([&] { PartFile second(path, "request"); }).message,
                         "another process"));
  }
  PartFile file(path, "request");
  EXPECT_EQ(replayed(file), (Pieces{{2, "later state"}}));
  file.append(3, "more");
  file.remove();
  EXPECT_TRUE(folder.names().empty());
}

TEST(PartFiles, ReplayAppendedPieces) {
  const test::TempDir folder;
  const std::string path = written(folder, three);
  PartFile file(path, "request");
  EXPECT_FALSE(file.is_new());
  EXPECT_EQ(replayed(file), three);
  file.remove();
  EXPECT_TRUE(folder.names().empty());
}

TEST(PartFiles, ContinueAfterTheLastCompletePiece) {
  const test::TempDir folder;
  const std::string whole = test::read_file(written(folder, three));
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 100) {
    const std::string path = folder.file("x.part", whole.substr(0, size));
    std::size_t kept = 0;
    {
      PartFile file(path, "request");
      kept = replayed(file).size();
      for (std::size_t i = kept; i < three.size(); ++i)
        file.append(three[i].first, three[i].second);
    }
    EXPECT_LT(kept, three.size());
    EXPECT_TRUE(test::read_file(path) == whole) << size;
  }
}

TEST(PartFiles, EndBeforeADamagedPiece) {
  const test::TempDir folder;
  const std::string one = test::read_file(written(folder, {three[0]}));
  std::filesystem::remove(folder.path("x.part"));
  std::string damaged = test::read_file(written(folder, three));
  for (const std::size_t at : {one.size(), one.size() + 9, one.size() + 20, one.size() + 25}) {
    std::string bytes = damaged;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    PartFile file(folder.file("x.part", bytes), "request");
    EXPECT_EQ(replayed(file), Pieces{three[0]}) << at;
  }
}

TEST(PartFiles, OfAnotherRequestAreNotTouched) {
  const test::TempDir folder;
  const std::string path = written(folder, three);
  const std::string bytes = test::read_file(path);
  for (const char* const request : {"another", "", "request and more"}) {
    const test::Failure failure = test::failure_of([&] { PartFile(path, request); });
    EXPECT_TRUE(contains(failure.message, path + " is of another computation"));
  }
  EXPECT_TRUE(test::read_file(path) == bytes);
  const std::string other = folder.file("y.part", "some text");
  EXPECT_TRUE(contains(test::failure_of([&] { PartFile(other, "request"); }).message, "another"));
  EXPECT_EQ(test::read_file(other), "some text");
}

TEST(PartFiles, AreLockedByOneProcess) {
  const test::TempDir folder;
  const PartFile file(folder.path("x.part"), "request");
  const auto again = [&] { PartFile(folder.path("x.part"), "request"); };
  EXPECT_TRUE(contains(test::failure_of(again).message, "another process is working on it"));
}

TEST(PartFiles, ReportWriteErrors) {
  const test::TempDir folder;
  const auto open = [&] { PartFile(folder.path("missing/x.part"), "request"); };
  EXPECT_TRUE(contains(test::failure_of(open).message, "No such file or directory"));
}

}  // namespace
}  // namespace espalier
