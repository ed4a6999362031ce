#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::fails_with;
using test::TempDir;

std::vector<Example> folder_of(const TempDir& folder, const char* format = "directory") {
  ReadOptions options;
  options.format = format;
  return test::examples_in(folder.path(), options);
}

TEST(DirectoryReader, TakesClassesFromFoldersAndFormatsFromFiles) {
  const TempDir folder;
  std::filesystem::create_directories(folder.path("b/deeper"));
  std::filesystem::create_directories(folder.path("a"));
  std::filesystem::create_directories(folder.path(".git"));
  folder.file(".git/config", "no tree");
  folder.file("b/.hidden", "no tree");
  folder.file("b/deeper/page.html", "<p>x");
  folder.file("a/two.penn", "(S a)\n(T b)\n");
  folder.file("top.json", "[]");
  const std::vector<Example> expected = {
      ExampleOf().label("a").text("file", "a/two.penn").tree("tree", "(S(a))"),
      ExampleOf().label("a").text("file", "a/two.penn").tree("tree", "(T(b))"),
      ExampleOf()
          .label("b")
          .text("file", "b/deeper/page.html")
          .tree("tree", "(html(head)(body(p)))"),
      ExampleOf().text("file", "top.json").tree("tree", "(array)")};
  EXPECT_EQ(folder_of(folder), expected);
}

TEST(DirectoryReader, ReadsAllFilesAsTheNamedFormat) {
  const TempDir folder;
  folder.file("a.txt", "<p>x");
  EXPECT_EQ(folder_of(folder, "directory:html")[0].trees[0].value.size(), 4U);
  EXPECT_TRUE(fails_with("no format 'htm'", [&] { folder_of(folder, "directory:htm"); }));
}

TEST(DirectoryReader, NamesTheFileInErrors) {
  const TempDir folder;
  EXPECT_TRUE(fails_with("there are no files in this folder", [&] { folder_of(folder); }));
  folder.file("a.json", "[1,\n}");
  EXPECT_TRUE(fails_with("a.json:2:1: expected a value", [&] { folder_of(folder); }));
  ReadOptions options;
  options.format = "directory";
  EXPECT_TRUE(
      fails_with("it is not a directory", [&] { open_reader(folder.path("a.json"), options); }));
  EXPECT_TRUE(
      fails_with("--format directory reads the files in it", [&] { open_reader(folder.path()); }));
}

}  // namespace
}  // namespace espalier
