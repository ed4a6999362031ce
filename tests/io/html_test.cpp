#include <gtest/gtest.h>

#include "espalier/base/random.hpp"
#include "io/html_depth.hpp"
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

/// Each of these, repeated, is nested ever deeper by the parser: what looks like an end tag is
/// none, or has no effect there.
TEST(HtmlReader, RejectsDeepPagesWhateverTheyLookLike) {
  const char* const pages[] = {
      "<b>x</x<b>",  // found by the fuzzer
      "<b></x>",
      "<object><marquee></object></marquee>",
      "<div><title></div></title>",
      "<div><textarea></div></textarea>",
      "<div><script><!--<script></script></div>--></script>",
      "<div><!</div>",
      "<div><?</div>",
      "<div></ </div>",
      "<textarea><!--</textarea><b></x>",
      "<!-- --!><b></x><!-- -->",
      "<div a= \"></div>\">",
      "<p a=b=\"><b><p a=\">",
      "<div><select></div></select>",
      "<form><div></form>",
      "<body><div></body>",
      "<div><table><td></div>",
      "<span><div></span>",
      "<rt>",
      "<div><b></div>x",
      "<div><svg><![CDATA[ > </div>]]></svg>",
      "<div><![CDATA[><title>]]></div></title>",
      "<div><svg><title><style></title></div></style></title></svg>",
      "<div><svg><title><!</title></div>",
      "<svg><ruby></svg>",
  };
  for (const std::string page : pages) {
    EXPECT_TRUE(test::fails_with("nested more than 5000 deep", [&] {
      parsed("html", test::repeated(page, 6'000));
    })) << page;
  }
  const struct {
    const char* begin;
    const char* rest;
  } in_svg[] = {{"<svg>", "<b/>"},          {"<svg><foreignObject>", "<x/>"},
                {"<svg><title>", "<x/>"},   {"<svg><b></b>", "<x/>"},
                {"<svg>", "<style>"},       {"<svg>", "<a>"},
                {"<li><svg></li>", "<x/>"}, {"<svg></x>", "<style>"},
                {"<svg>", "<x a=b/>"},      {"<a><svg></a>", "<x/>"}};
  for (const auto& [begin, rest] : in_svg) {
    EXPECT_TRUE(test::fails_with("nested more than 5000 deep",
                                 [&] { parsed("html", begin + test::repeated(rest, 6'000)); }))
        << begin << rest;
  }
}

TEST(HtmlReader, ReadsBrokenPagesThatAreNotDeep) {
  for (const char* const page :
       {"<font><div></font></div>", "<p><i>x</p></i>", "<div><span></div>",
        "<script>'<style>'</script><div></div>", "<ul><li>x<li>y</ul>", "<table><tr><td>x</table>",
        "<svg><g><path/></g></svg><div></div>", "<a><svg><a><path/></a></svg></a>"}) {
    EXPECT_NO_THROW(parsed("html", test::repeated(page, 6'000))) << page;
  }
}

std::size_t height(const Tree& tree) {
  std::vector<std::size_t> done;  // heights of subtrees whose parent comes before
  for (std::size_t node = tree.size(); node-- > 0;) {
    std::size_t most = 0;
    for (std::uint32_t k = tree.children(node); k > 0; --k) {
      most = std::max(most, done.back());
      done.pop_back();
    }
    done.push_back(most + 1);
  }
  return done.back();
}

/// Random pages, parts of them repeated, are never much deeper than HtmlDepth says.
TEST(HtmlDepth, BoundsTheDepthOfRandomPages) {
  const char* const parts[] = {"<b>",
                               "</b>",
                               "<div>",
                               "</div>",
                               "<span>",
                               "</span>",
                               "<p>",
                               "</p>",
                               "<table>",
                               "</table>",
                               "<td>",
                               "</td>",
                               "<li>",
                               "</li>",
                               "<ul>",
                               "</ul>",
                               "<svg>",
                               "</svg>",
                               "<title>",
                               "</title>",
                               "<style>",
                               "</style>",
                               "<x/>",
                               "<x>",
                               "</x>",
                               "<select>",
                               "</select>",
                               "<object>",
                               "</object>",
                               "<form>",
                               "</form>",
                               "<a>",
                               "</a>",
                               "<math>",
                               "</math>",
                               "<mi>",
                               "</mi>",
                               "<desc>",
                               "</desc>",
                               "<!--",
                               "-->",
                               "<!",
                               ">",
                               "<![CDATA[",
                               "]]>",
                               "<script>",
                               "</script>",
                               "t",
                               "</body>",
                               "<template>",
                               "</template>",
                               "<foreignObject>",
                               "</foreignObject>",
                               "<i a=\"",
                               "\"",
                               "<button>",
                               "</button>",
                               "<ruby>",
                               "<rt>",
                               "<option>",
                               "<h1>",
                               "</h1>",
                               "<nobr>"};
  Random random(1);
  for (int page = 0; page < 1'000; ++page) {
    std::string once, begin;
    for (std::uint64_t k = random.below(4); k > 0; --k)
      begin += parts[random.below(std::size(parts))];
    for (std::uint64_t k = 1 + random.below(6); k > 0; --k) {
      once += parts[random.below(std::size(parts))];
    }
    const std::string text = begin + test::repeated(once, 60);
    std::size_t bound = 0;
    for (HtmlDepth tags(text); tags.next();) bound = std::max(bound, tags.depth());
    const Example example = parsed_one("html", text);
    ASSERT_LE(height(example.trees[0].value), 8 * bound + 20) << begin << " and 60 times " << once;
  }
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
