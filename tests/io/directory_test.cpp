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

std::vector<std::string> files_of(const std::string& path, bool follow_links,
                                  std::vector<std::string>* warnings = nullptr) {
  ReadOptions options;
  options.format = "directory:penn";
  options.follow_links = follow_links;
  options.warn = [&](const std::string& message) {
    if (warnings != nullptr) warnings->push_back(message);
  };
  std::vector<std::string> out;
  for (const Example& example : test::examples_in(path, options)) {
    out.push_back(example.texts[0].value);
  }
  return out;
}

TEST(DirectoryReader, FollowsLinksOutOfTheFolderOnlyIfAsked) {
  namespace fs = std::filesystem;
  const TempDir folder;
  fs::create_directories(folder.path("in/b"));
  fs::create_directories(folder.path("out"));
  folder.file("in/a", "(S x)");
  folder.file("out/secret", "(S x)");
  fs::create_symlink("a", folder.path("in/inside"));
  fs::create_symlink("../out/secret", folder.path("in/outside"));
  fs::create_directory_symlink("../out", folder.path("in/folder"));
  fs::create_symlink("nowhere", folder.path("in/broken"));
  std::vector<std::string> warnings;
  EXPECT_EQ(files_of(folder.path("in"), false, &warnings),
            (std::vector<std::string>{"a", "inside"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(test::contains(warnings[0], "skipped 3 links out of the folder"));
  EXPECT_EQ(files_of(folder.path("in"), true),
            (std::vector<std::string>{"a", "folder/secret", "inside", "outside"}));
}

TEST(DirectoryReader, NamesALinkThatLeadsBack) {
  namespace fs = std::filesystem;
  const TempDir folder;
  fs::create_directories(folder.path("d/a"));
  fs::create_directories(folder.path("d/b"));
  folder.file("d/x", "(S x)");
  fs::create_directory_symlink("../b", folder.path("d/a/to_b"));
  EXPECT_EQ(files_of(folder.path("d"), true), std::vector<std::string>{"x"});
  fs::create_directory_symlink("../a", folder.path("d/b/to_a"));
  EXPECT_EQ(files_of(folder.path("d"), false), std::vector<std::string>{"x"});
  EXPECT_TRUE(
      fails_with(": a link to a folder that it is in", [&] { files_of(folder.path("d"), true); }));
  fs::remove(folder.path("d/b/to_a"));
  fs::create_directory_symlink("..", folder.path("d/up"));
  EXPECT_TRUE(fails_with("d/up: a link to a folder that it is in",
                         [&] { files_of(folder.path("d"), true); }));
  fs::remove(folder.path("d/up"));
  fs::create_symlink("loop", folder.path("d/loop"));
  EXPECT_TRUE(fails_with("d/loop: a link to itself", [&] { files_of(folder.path("d"), false); }));
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
