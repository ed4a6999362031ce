#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;

TEST(TermsReader, ReadsClassAndTerm) {
  const struct {
    const char* content;
    Example example;
  } cases[] = {
      {"f", ExampleOf().tree("tree", "(f)")},
      {"f(a g(b))", ExampleOf().tree("tree", "(f(a)(g(b)))")},
      {"f(a, g(b,c) , d)", ExampleOf().tree("tree", "(f(a)(g(b)(c))(d))")},
      {"3:f($)", ExampleOf().label("3").tree("tree", "(f($))")},
      {":f(a:b)", ExampleOf().tree("tree", "(f(a:b))")},
      {"f(a:b)", ExampleOf().tree("tree", "(f(a:b))")},
      {"A\t17\tf(a)", ExampleOf().label("A").text("id", "17").tree("tree", "(f(a))")},
      {"f()", ExampleOf().tree("tree", "(f)")},
  };
  for (const auto& [content, example] : cases) {
    EXPECT_EQ(parsed_one("terms", content), example) << content;
  }
}

TEST(TermsReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("terms", {
                                   {"1:f(a", "1:3", "missing 1 closing bracket"},
                                   {"f(a))", "1:5", "a ')' without its '('"},
                                   {"f(a)\ng(b) h", "2:6", "unexpected text after the tree"},
                               });
}

}  // namespace
}  // namespace espalier
