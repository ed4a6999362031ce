#include "espalier/io/sink.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "espalier/io/source.hpp"
#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::contains;
using test::read_file;
using test::TempDir;

using Names = std::vector<std::string>;

void write(const std::string& path, std::string_view bytes) {
  Sink sink(path);
  sink.write(bytes);
  sink.commit();
}

std::string unpacked(const std::string& path) {
  return std::string(Source(path).peek(std::size_t{1} << 30));
}

unsigned permissions(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
}

TEST(Sink, CreatesTheFileOnCommit) {
  const TempDir folder;
  write(folder.path("x"), "words\n");
  EXPECT_EQ(folder.names(), Names{"x"});
  EXPECT_EQ(read_file(folder.path("x")), "words\n");
  write(folder.path("empty"), "");
  EXPECT_EQ(read_file(folder.path("empty")), "");
}

TEST(Sink, LeavesNoFileWithoutCommit) {
  const TempDir folder;
  for (const char* name : {"x", "x.gz"}) {
    Sink sink(folder.path(name));
    EXPECT_EQ(sink.name(), folder.path(name));
    sink.write(std::string(1'000'000, 'x'));
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Sink, KeepsAnExistingFileUntilCommit) {
  const TempDir folder;
  const std::string path = folder.file("x", "old");
  {
    Sink dropped(path);
    dropped.write(std::string(1'000'000, 'y'));
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  Sink sink(path);
  sink.write("new");
  EXPECT_EQ(read_file(path), "old");
  sink.commit();
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(folder.names(), Names{"x"});
}

TEST(Sink, WritesPiecesOfAllSizesInOrder) {
  const TempDir folder;
  for (const char* name : {"x", "x.gz"}) {
    std::string all;
    Sink sink(folder.path(name));
    for (const std::size_t size : {0UL, 1UL, 5UL, 262'144UL, 262'143UL, 700'000UL, 3UL}) {
      const std::string piece(size, static_cast<char>('a' + all.size() % 26));
      sink.write(piece);
      all += piece;
    }
    sink.commit();
    EXPECT_TRUE(unpacked(folder.path(name)) == all);
  }
}

TEST(Sink, CompressesBySuffix) {
  const TempDir folder;
  const std::string text(100'000, 'x');
  write(folder.path("x.gz"), text);
  EXPECT_TRUE(read_file(folder.path("x.gz")).starts_with("\x1f\x8b"));
  EXPECT_LT(read_file(folder.path("x.gz")).size(), 1'000U);
  EXPECT_EQ(unpacked(folder.path("x.gz")), text);
  write(folder.path("gz"), text);
  EXPECT_EQ(read_file(folder.path("gz")), text);
}

TEST(Sink, CreatesFilesWithDefaultPermissions) {
  const TempDir folder;
  const mode_t before = umask(027);
  write(folder.path("x"), "x");
  umask(0);
  write(folder.path("y"), "y");
  umask(before);
  EXPECT_EQ(permissions(folder.path("x")), 0640U);
  EXPECT_EQ(permissions(folder.path("y")), 0666U);
}

TEST(Sink, MayBeMoved) {
  const TempDir folder;
  Sink first(folder.path("x"));
  first.write("a");
  Sink second = std::move(first);
  second.write("b");
  second.commit();
  EXPECT_EQ(read_file(folder.path("x")), "ab");

  Sink dropped(folder.path("y"));
  dropped = Sink(folder.path("z"));
  dropped.commit();
  EXPECT_EQ(folder.names(), (Names{"x", "z"}));
}

TEST(SinkFaults, NameThePathAndTheReason) {
  const TempDir folder;
  folder.file("file", "x");
  const struct {
    std::string path;
    const char* reason;
  } cases[] = {
      {folder.path("missing/x"), "No such file or directory"},
      {folder.path("missing/x.gz"), "No such file or directory"},
      {folder.path("file/x"), "Not a directory"},
      {folder.path(), "Is a directory"},
      {"/dev/full", "No space left on device"},
  };
  for (const auto& [path, reason] : cases) {
    const test::Failure failure = test::failure_of([&] { write(path, "x"); });
    EXPECT_TRUE(contains(failure.message, "cannot write " + path));
    EXPECT_TRUE(contains(failure.message, reason));
  }
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(SinkFaults, IncludeAnEmptyName) {
  EXPECT_TRUE(test::fails_with("without a name", [] { write("", "x"); }));
}

TEST(SinkFaults, IncludeAFullDevicePlainOrCompressed) {
  const std::string noise = [] {
    std::string out;
    for (unsigned i = 0; i < 1'000'000; ++i) out += static_cast<char>((i * i * 2654435761U) >> 24);
    return out;
  }();
  EXPECT_TRUE(test::fails_with("No space left on device", [&] { write("/dev/full", noise); }));
  const TempDir folder;
  const std::string link = folder.path("full.gz");
  ASSERT_EQ(symlink("/dev/full", link.c_str()), 0);
  EXPECT_TRUE(test::fails_with("No space left on device", [&] { write(link, noise); }));
  EXPECT_TRUE(test::fails_with("No space left on device", [&] { write(link, "little"); }));
}

TEST(SinkFaults, IncludeAReadOnlyFolder) {
  const TempDir folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  // Root may write everywhere: be somebody else for a moment.
  const uid_t user = geteuid();
  if (user == 0 && seteuid(65534) != 0) GTEST_SKIP() << "root may write everywhere";
  const test::Failure failure = test::failure_of([&] { write(folder.path("x"), "x"); });
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_TRUE(contains(failure.message, folder.path("x") + ": Permission denied"));
}

TEST(Sink, WritesPipesAndDevicesDirectly) {
  write("/dev/null", "x");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  write("/dev/fd/" + std::to_string(ends[1]), "through the pipe");
  close(ends[1]);
  char buffer[100];
  const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
  close(ends[0]);
  ASSERT_GT(got, 0);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(got)), "through the pipe");
}

TEST(Sink, DoesNotReplaceAReadOnlyFile) {
  const TempDir folder;
  const std::string path = folder.file("x", "old");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  // Root may write everywhere: be somebody else for a moment.
  const uid_t user = geteuid();
  if (user == 0 && seteuid(65534) != 0) GTEST_SKIP() << "root may write everywhere";
  const test::Failure failure = test::failure_of([&] { Sink sink(path); });
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_TRUE(contains(failure.message, path + ": Permission denied"));
  EXPECT_EQ(read_file(path), "old");
}

}  // namespace
}  // namespace espalier
