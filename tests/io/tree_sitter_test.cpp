#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;
using test::read_as;

constexpr const char* sample = R"((translation_unit [0, 0] - [2, 0]
  (function_definition [0, 0] - [0, 20]
    type: (primitive_type [0, 0] - [0, 3])
    declarator: (function_declarator [0, 4] - [0, 10]
      declarator: (identifier [0, 4] - [0, 8]))
    body: (compound_statement [0, 11] - [0, 20]
      (MISSING ";" [0, 19] - [0, 19]))))
)";

TEST(TreeSitterReader, DropsPositionsAndFields) {
  EXPECT_EQ(parsed_one("tree-sitter", sample),
            ExampleOf().tree("tree",
                             "(translation_unit(function_definition(primitive_type)"
                             "(function_declarator(identifier))"
                             "(compound_statement(MISSING(\";\")))))"));
}

TEST(TreeSitterReader, KeepsFieldsIfAsked) {
  ReadOptions options;
  options.mapping.fields = true;
  EXPECT_EQ(
      read_as("tree-sitter", "(a [0, 0] - [1, 0]\n  x: (b [0, 0] - [0, 1])\n  (c))", options)[0]
          .trees[0]
          .value,
      test::tree("(a(x:b)(c))"));
}

TEST(TreeSitterReader, ReadsSeveralFilesWithTheLinesAboutThem) {
  const std::string content = std::string(sample) +
                              "a.c\t   0.07 ms\t(MISSING \";\" [0, 19] - [0, 19])\n" + sample +
                              "(module [0, 0] - [0, 0])\n";
  EXPECT_EQ(parsed("tree-sitter", content).size(), 3U);
  EXPECT_EQ(parsed("", content).size(), 3U);
}

TEST(TreeSitterReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("tree-sitter",
                      {
                          {"(a [0, 0] - [1, 0]\n  (b)", "1:1", "missing 1 closing bracket"},
                          {"(a [0, 0] - [1, 0]) (b)", "1:21", "unexpected text after the tree"},
                          {"(a [0, 0] - [1, 0]\n (MISSING \";))", "2:11", "is missing its quote"},
                      });
}

}  // namespace
}  // namespace espalier
