#include <gtest/gtest.h>

#include "io/html_parser.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;
using test::read_as;

TEST(HtmlReader, ReadsBrokenPagesAsBrowsersDo) {
  const struct {
    const char* why;
    const char* content;
    const char* tree;
  } cases[] = {
      {"nothing but text", "hello", "(html(head)(body))"},
      {"paragraphs without ends", "<p>one<p>two<br>three", "(html(head)(body(p)(p(br))))"},
      {"lists without ends", "<ul><li>a<li>b</ul>", "(html(head)(body(ul(li)(li))))"},
      {"tags that cross", "<b>1<i>2</b>3</i>", "(html(head)(body(b(i))(i)))"},
      {"a table without its body", "<table><tr><td>x</table>",
       "(html(head)(body(table(tbody(tr(td))))))"},
      {"an end without a start", "</div><p>x</span>", "(html(head)(body(p)))"},
      {"comments, scripts, document type",
       "<!DOCTYPE html><!-- <p> --><script>if (a<b) '<p>'</script><P CLASS=x>",
       "(html(head(script))(body(p)))"},
      {"an element of no standard", "<My-Tag>x</my-tag>", "(html(head)(body(my-tag)))"},
      {"pictures in a page", "<svg><path/><path/></svg>", "(html(head)(body(svg(path)(path))))"},
      {"bytes of another encoding", "<p>caf\xE9<b>x", "(html(head)(body(p(b))))"},
      {"a tag that the file ends in", "<div><p class=", "(html(head)(body(div)))"},
  };
  for (const auto& [why, content, tree] : cases) {
    EXPECT_EQ(parsed_one("html", content), ExampleOf().tree("tree", tree)) << why;
  }
}

TEST(HtmlReader, KeepsTextAttributesAndClassesIfAsked) {
  ReadOptions options;
  options.mapping = {.text = true, .classes = true, .attributes = true};
  EXPECT_EQ(
      read_as("html", "<div class='big red'>a &amp; b<br>c<script>x()</script></div>", options)[0]
          .trees[0]
          .value,
      test::tree("(html(head)(body(div.big(@class(big red))(a & b)(br)(c)(script))))"));
}

TEST(HtmlReader, RejectsPagesThatWouldTakeTheParserTooLong) {
  const auto failure = test::failure_of([] { parsed("html", test::repeated("<div>", 1'000'000)); });
  EXPECT_TRUE(test::contains(failure.message, "elements nested more than 5000 deep"));
  EXPECT_EQ(failure.place(), "1:25001");
  std::string attributes = "<p";
  for (int i = 0; i < 10'001; ++i) attributes += " a" + std::to_string(i) + "=''";
  EXPECT_TRUE(test::fails_with(":1:1: an element of more than 10000 attributes",
                               [&] { parsed("html", attributes + ">"); }));
}

TEST(HtmlReader, ReadsManyElementsWithoutEndTags) {
  const Example example = parsed_one("html", test::repeated("<p>x<li>", 100'000));
  EXPECT_EQ(example.trees[0].value.size(), 200'003U);
  EXPECT_EQ(
      parsed_one("html", "<svg>" + test::repeated("<path d='1'/>", 10'000)).trees[0].value.size(),
      10'004U);
}

TEST(HtmlReader, LimitsTheMemoryForParsing) {
  const std::string page = test::repeated("<p>x", 10'000);
  EXPECT_NO_THROW(HtmlPage(page, 100'000'000));
  EXPECT_TRUE(test::fails_with("the page needs more than 1000000 bytes to parse",
                               [&] { HtmlPage(page, 1'000'000); }));
  ReadOptions options;
  options.limits.nodes = 1'000;
  EXPECT_TRUE(test::fails_with("a tree of more than 1000 nodes; the option max-nodes",
                               [&] { read_as("html", page, options); }));
}

}  // namespace
}  // namespace espalier
