// Trees of 2,000,000 nodes through files: nothing may recurse or be quadratic.
#include <gtest/gtest.h>

#include "support/files.hpp"

namespace espalier {
namespace {

constexpr std::size_t nodes = 2'000'000;

/// Reads a file into a forest and writes it out again.
void expect_same_through_a_forest(const std::string& content) {
  const test::TempDir folder;
  const Dataset data = read(folder.file("x.tsv", content));
  EXPECT_EQ(data.forests()[0].value.node_count(), nodes);
  write(data, folder.path("y.tsv"));
  EXPECT_TRUE(test::read_file(folder.path("y.tsv")) == content);
}

/// Reads a file and writes it out again. The other tests have the forest; this one is quicker.
void expect_same_through_an_example(const std::string& content) {
  const test::TempDir folder;
  const auto reader = open_reader(folder.file("x.penn", content));
  Example example;
  ASSERT_TRUE(reader->next(example));
  EXPECT_EQ(example.trees[0].value.size(), nodes);
  test::write_examples({example}, folder.path("y.penn"));
  EXPECT_TRUE(test::read_file(folder.path("y.penn")) == content);
}

TEST(LargeTrees, PathInTsv) {
  expect_same_through_a_forest("A\t" + test::repeated("(a", nodes) + test::repeated(")", nodes) +
                               "\n");
}

TEST(LargeTrees, StarInTsv) {
  expect_same_through_a_forest("A\t(r" + test::repeated("(x)", nodes - 1) + ")\n");
}

TEST(LargeTrees, PathInPenn) {
  expect_same_through_an_example("(a" + test::repeated(" (a", nodes - 2) + " a" +
                                 test::repeated(")", nodes - 1) + "\n");
}

TEST(LargeTrees, StarInPenn) {
  expect_same_through_an_example("(r" + test::repeated(" x", nodes - 1) + ")\n");
}

}  // namespace
}  // namespace espalier
