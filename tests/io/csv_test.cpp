#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::read_as;

std::vector<Example> table(const char* columns, const char* content) {
  ReadOptions options;
  options.columns = columns;
  return read_as("", content, options);
}

TEST(CsvReader, SelectsColumnsByNameOrNumber) {
  const struct {
    const char* why;
    const char* columns;
    const char* content;
    Example example;
  } cases[] = {
      {"names", "class=kind,newick=tree", "id,kind,tree\n7,A,\"(a,b)r;\"\n",
       ExampleOf().label("A").text("id", "7").tree("tree", "(r(a)(b))")},
      {"numbers", "newick=2", "S1\t(a,b)r;\n",
       ExampleOf().text("column1", "S1").tree("tree", "(r(a)(b))")},
      {"bases and structure", "dot-bracket=s,sequence=q", "q,s\nGAC,(.)\n",
       ExampleOf().tree("tree", "(RNA(GC(A)))")},
      {"quotes within quotes, a line end in them", "class=c,tree=t",
       "c,t,note\n\"say \"\"A\"\"\",\"(S (NP))\",\"two\nlines\"\n",
       ExampleOf().label("say \"A\"").text("note", "two\nlines").tree("tree", "(S(NP))")},
      {"between tabs a quote is a quote", "class=c,terms=t", "c\tt\n\"A\tf(a)\n",
       ExampleOf().label("\"A").tree("tree", "(f(a))")},
      {"an empty class is none", "class=c,glycan=t", "c,t\n,Gal\n",
       ExampleOf().tree("tree", "(Gal)")},
  };
  for (const auto& [why, columns, content, example] : cases) {
    const auto examples = table(columns, content);
    ASSERT_EQ(examples.size(), 1U) << why;
    EXPECT_EQ(examples[0], example) << why;
  }
}

TEST(CsvReader, ReportsErrors) {
  const struct {
    const char* columns;
    const char* content;
    const char* message;
  } cases[] = {
      {"newick=x", "a,b\n", ":1:1: there is no column 'x'"},
      {"newick=3", "a,b\n", ":1:4: a row of 2 columns lacks column '3'"},
      {"newick=b", "a,b\n1,(x\n", ":2:3: the bracket that starts here is missing its ')'"},
      {"newick=b", "a,b\n1,\"(x\"\n", ":2:4: the bracket that starts here is missing its ')'"},
      {"newick=b", "a,b\n1,\"(x);\"y\n", ":2:9: expected ',' after a quoted field"},
      {"newick=b", "a,b\n1,\"(x);\n", ":2:3: the field that starts here is missing its quote"},
      {"tree=a,newick=b", "a,b\n", "names two trees"},
      {"class=a", "a,b\n", "names no tree"},
      {"newik=a", "a,b\n", "'newik=a' is none"},
      {"newick", "a,b\n", "'newick' is none"},
  };
  for (const auto& [columns, content, message] : cases) {
    EXPECT_TRUE(test::fails_with(message, [&] { table(columns, content); })) << columns;
  }
  EXPECT_TRUE(
      test::fails_with("csv needs the option columns", [] { read_as("csv", "a,b\n", {}); }));
}

TEST(CsvReader, NeedsNoClassColumnForPrediction) {
  const struct {
    const char* columns;
    const char* content;
  } cases[] = {{"class=kind,newick=tree", "tree,id\n\"(a,b)r;\",7\n"},
               {"class=kind,newick=tree", "tree,id\n\"(a,b)r;\",7,more\n"},
               {"class=4,newick=1", "\"(a,b)r;\",7\n"}};
  for (const auto& [columns, content] : cases) {
    ReadOptions options;
    options.columns = columns;
    EXPECT_TRUE(test::fails_with("column", [&] { read_as("", content, options); })) << content;
    options.needs_classes = false;
    const auto examples = read_as("", content, options);
    ASSERT_EQ(examples.size(), 1U) << content;
    EXPECT_TRUE(examples[0].labels.empty()) << content;
    EXPECT_EQ(examples[0].trees.size(), 1U) << content;
  }
}

}  // namespace
}  // namespace espalier
