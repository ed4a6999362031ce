#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;
using test::read_as;

Tree with_values(const char* content) {
  ReadOptions options;
  options.mapping.text = true;
  return read_as("json", content, options)[0].trees[0].value;
}

TEST(JsonReader, MapsValuesToKinds) {
  EXPECT_EQ(
      parsed_one("json", R"({"a": [1, true, null, "x"], "b": {}})"),
      ExampleOf().tree("tree", "(object(a(array(number)(boolean)(null)(string)))(b(object)))"));
  EXPECT_EQ(parsed_one("json", "[]"), ExampleOf().tree("tree", "(array)"));
  EXPECT_EQ(parsed_one("json", " 17 \n"), ExampleOf().tree("tree", "(number)"));
}

TEST(JsonReader, KeepsValuesIfAsked) {
  EXPECT_EQ(with_values(R"({"a":[-1.5e+3,false,"two  words\n"]})"),
            test::tree("(object(a(array(-1.5e+3)(false)(two words))))"));
  EXPECT_EQ(with_values(R"(["\u0041\u00e9\ud83d\ude00\ud83d\"\\\/"])").label(1),
            "Aé\xF0\x9F\x98\x80\xEF\xBF\xBD\"\\/");
  EXPECT_EQ(with_values("[1e400]").label(1), "1e400");
}

TEST(JsonReader, ReadsASequenceOfValues) {
  EXPECT_EQ(parsed("json", "{\"a\":1}\n{\"a\":2}\n").size(), 2U);
  EXPECT_EQ(parsed("json", "1\n\"}\"\n[\n]\n{}{}").size(), 5U);
}

TEST(JsonReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("json", {
                                  {"[1,]", "1:4", "expected a value"},
                                  {"[1 2]", "1:4", "expected ',' or ']'"},
                                  {"{\"a\":1,}", "1:8", "expected a key in quotes"},
                                  {"{\"a\" 1}", "1:6", "expected ':'"},
                                  {"{a:1}", "1:2", "expected a key in quotes"},
                                  {"[1}", "1:3", "expected ',' or ']'"},
                                  {"[\n1,\n", "3:1", "expected a value"},
                                  {"[01]", "1:2", "expected a value"},
                                  {"[1.]", "1:2", "expected a value"},
                                  {"[+1]", "1:2", "expected a value"},
                                  {"[1-2]", "1:2", "expected a value"},
                                  {"[nan]", "1:2", "expected a value"},
                                  {"[\"a]", "1:2", "is missing its quote"},
                                  {"[\"\\x\"]", "1:3", "an unknown escape"},
                                  {"[\"\\u00g0\"]", "1:5", "expected four hex digits"},
                                  {"1 2\n", "1:3", "unexpected text after the value"},
                                  {"]", "1:1", "expected a value"},
                              });
}

}  // namespace
}  // namespace espalier
