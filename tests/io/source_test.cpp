#include "espalier/io/source.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

using test::contains;
using test::gzipped;
using test::TempDir;

std::vector<std::string> lines_of(const std::string& path) {
  Source source(path);
  std::vector<std::string> out;
  for (Text line; source.next_line(line);) out.emplace_back(line.bytes());
  return out;
}

using Lines = std::vector<std::string>;

TEST(Source, SplitsLinesAtBothLineEndings) {
  const struct {
    std::string content;
    Lines lines;
  } cases[] = {
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\nb", {"a", "b"}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"a\rb\n", {"a\rb"}},
      {"\n\na\n\n", {"", "", "a", ""}},
      {"a\r", {"a"}},
      {"\xEF\xBB\xBF"
       "a\n",
       {"a"}},
      {"\xEF\xBB\xBF", {}},
      {"a\n\xEF\xBB\xBF"
       "b\n",
       {"a",
        "\xEF\xBB\xBF"
        "b"}},
      {"\xEF\xBB", {"\xEF\xBB"}},
  };
  const TempDir folder;
  for (const auto& [content, lines] : cases) {
    EXPECT_EQ(lines_of(folder.file("plain", content)), lines) << content;
    EXPECT_EQ(lines_of(folder.file("packed", gzipped(content))), lines) << content;
  }
}

TEST(Source, ReadsFromMemory) {
  const std::string text = "\xEF\xBB\xBF" + std::string(600'000, 'a') + "\nb\n";
  Source source = Source::in_memory(text, "here");
  Text line;
  ASSERT_TRUE(source.next_line(line));
  EXPECT_EQ(line.size(), 600'000U);
  ASSERT_TRUE(source.next_line(line));
  EXPECT_TRUE(test::fails_with("here:2:1: odd", [&] { line.fail(0, "odd"); }));
  EXPECT_FALSE(source.next_line(line));
  EXPECT_TRUE(test::fails_with("NUL", [] { Source::in_memory(std::string("a\0b", 3), "here"); }));
}

TEST(Source, ReadsMoreThanOneBlockAndLinesLongerThanABlock) {
  Lines lines;
  std::string content;
  for (std::size_t i = 0; i < 50; ++i) {
    lines.push_back(std::string(i * 1'000, static_cast<char>('a' + i % 26)));
    content += lines.back() + (i % 2 == 0 ? "\n" : "\r\n");
  }
  lines.push_back(std::string(1'500'000, 'x'));
  content += lines.back() + "\nlast";
  lines.push_back("last");
  const TempDir folder;
  EXPECT_EQ(lines_of(folder.file("plain", content)), lines);
  EXPECT_EQ(lines_of(folder.file("packed.gz", gzipped(content))), lines);
}

TEST(Source, ReadsSeveralGzipMembersAsOneText) {
  const TempDir folder;
  EXPECT_EQ(lines_of(folder.file("x", gzipped("a\nb") + gzipped("c\nd\n"))),
            (Lines{"a", "bc", "d"}));
}

TEST(Source, PeeksAndConsumes) {
  const TempDir folder;
  Source source(folder.file("x", "ab\ncde\n" + std::string(600'000, 'x')));
  EXPECT_EQ(source.name(), folder.path("x"));
  EXPECT_TRUE(source.peek().starts_with("ab\ncde\n"));
  EXPECT_EQ(source.peek(500'000).substr(0, 2), "ab");
  EXPECT_GE(source.peek(500'000).size(), 500'000U);
  EXPECT_EQ(source.peek(10'000'000).size(), 600'007U);
  source.consume(4);
  EXPECT_EQ(source.line(), 2U);
  EXPECT_EQ(source.column(), 2U);
  EXPECT_TRUE(source.peek().starts_with("de\n"));
  source.consume(1);
  EXPECT_EQ(source.column(), 3U);
  source.consume(600'002);
  EXPECT_TRUE(source.peek().empty());
  EXPECT_EQ(source.line(), 3U);
}

TEST(Source, MayBeMovedWhileReading) {
  const TempDir folder;
  Source first(folder.file("x", "a\nb\n"));
  Text line;
  ASSERT_TRUE(first.next_line(line));
  Source second = std::move(first);
  ASSERT_TRUE(second.next_line(line));
  EXPECT_EQ(line.bytes(), "b");
  EXPECT_EQ(test::failure_of([&] { line.fail(0, "x"); }).place(), "2:1");
}

TEST(SourceFaults, NameTheFileAndTheReason) {
  const TempDir folder;
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += std::to_string(i * i % 9973) + "\n";
  const std::string packed = gzipped(content);
  std::string damaged = packed;
  damaged[damaged.size() / 2] ^= 0x55;
  std::string wrong_sum = packed;
  wrong_sum[wrong_sum.size() - 6] ^= 0x55;
  const struct {
    std::string path;
    const char* message;
  } cases[] = {
      {folder.path("missing"), "No such file"},
      {folder.path("missing/file"), "No such file"},
      {folder.path(), "it is a directory"},
      {folder.file("cut", packed.substr(0, packed.size() / 2)), "truncated"},
      {folder.file("cut by one", packed.substr(0, packed.size() - 1)), "truncated"},
      {folder.file("only the beginning", packed.substr(0, 5)), "truncated"},
      {folder.file("damaged", damaged), "damaged"},
      {folder.file("wrong sum", wrong_sum), "damaged"},
  };
  for (const auto& [path, message] : cases) {
    const test::Failure failure = test::failure_of([&] { lines_of(path); });
    EXPECT_TRUE(contains(failure.message, path));
    EXPECT_TRUE(contains(failure.message, message));
    EXPECT_EQ(failure.message.find('\n'), std::string::npos);
  }
}

TEST(SourceFaults, LocateANulByte) {
  const std::string nul(1, '\0');
  const struct {
    std::string content;
    const char* place;
  } cases[] = {
      {nul, "1:1"},
      {"a\nbc" + nul + "d\n", "2:3"},
      {std::string(300'000, 'x') + "\n" + std::string(300'000, 'y') + nul, "2:300001"},
      {std::string(700'000, '\n') + "ab" + nul, "700001:3"},
  };
  const TempDir folder;
  for (const auto& [content, place] : cases) {
    for (const std::string& bytes : {content, gzipped(content)}) {
      const std::string path = folder.file("x", bytes);
      const test::Failure failure = test::failure_of([&] { lines_of(path); });
      EXPECT_EQ(failure.place(), place);
      EXPECT_TRUE(contains(failure.message, path + ":" + place + ": a NUL byte"));
    }
  }
}

TEST(Text, PartsKeepTheirLocation) {
  const std::string content = "ab\n  cd\nef ";
  const Text text(content, "file", 10, 3);
  const auto place = [](const Text& part, std::size_t at) {
    return test::failure_of([&] { part.fail(at, "bad"); }).place();
  };
  EXPECT_EQ(place(text, 0), "10:3");
  EXPECT_EQ(place(text, 1), "10:4");
  EXPECT_EQ(place(text, 3), "11:1");
  EXPECT_EQ(place(text.part(3), 0), "11:1");
  EXPECT_EQ(text.part(3, 4).bytes(), "  cd");
  EXPECT_EQ(text.part(3, 4).trimmed().bytes(), "cd");
  EXPECT_EQ(place(text.part(3, 4).trimmed(), 1), "11:4");
  EXPECT_EQ(place(text.part(8).part(1), 0), "12:2");
  EXPECT_EQ(place(text, content.size()), "12:4");
  EXPECT_TRUE(text.part(3, 2).trimmed().empty());
  EXPECT_EQ(place(text.part(3, 2).trimmed(), 0), "11:3");
}

TEST(Text, FailuresQuoteTheRestOfTheLine) {
  const std::string content = "ab\ncd\n";
  EXPECT_TRUE(
      test::fails_with("f:1:2: bad, near 'b'", [&] { Text(content, "f", 1).fail(1, "bad"); }));
}

}  // namespace
}  // namespace espalier
