#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::parsed;
using test::parsed_one;
using test::read_as;

Tree mapped(const char* content, TreeMapping mapping) {
  ReadOptions options;
  options.mapping = mapping;
  return read_as("xml", content, options)[0].trees[0].value;
}

TEST(XmlReader, MapsElementsToNodes) {
  const struct {
    const char* why;
    const char* content;
    const char* tree;
  } cases[] = {
      {"nested and empty elements", "<a><b/><c x='1'>text</c ></a>", "(a(b)(c))"},
      {"declaration, comments, instructions",
       "<?xml version=\"1.0\"?>\n<!-- <no> -->\n<a><?php <x> ?><!-- - --><b/></a>\n<!-- -->",
       "(a(b))"},
      {"a document type is passed over",
       "<!DOCTYPE note SYSTEM \"note.dtd\" [<!ELEMENT a (b)> <!-- ]> -->]><a/>", "(a)"},
      {"CDATA", "<a><![CDATA[<b>]] ></b>]]></a>", "(a)"},
      {"namespaces are part of the name", "<x:a xmlns:x='u'><x:b/></x:a>", "(x:a(x:b))"},
      {"a '>' and a '<' in attributes", "<a x=\"1>2\" y='&lt;'/>", "(a)"},
  };
  for (const auto& [why, content, tree] : cases) {
    EXPECT_EQ(parsed_one("xml", content), ExampleOf().tree("tree", tree)) << why;
  }
}

TEST(XmlReader, KeepsTextAttributesAndClassesIfAsked) {
  const char* const content =
      "<p class=' big red' id=\"n&#49;\"> one\n two <b/>a&amp;<![CDATA[<b>]]><!-- x -->&#x41; </p>";
  EXPECT_EQ(mapped(content, {.text = true}), test::tree("(p(one two)(b)(a&<b>A))"));
  EXPECT_EQ(mapped(content, {.classes = true}), test::tree("(p.big(b))"));
  EXPECT_EQ(mapped(content, {.attributes = true}), test::tree("(p(@class)(@id)(b))"));
  EXPECT_EQ(mapped(content, {.text = true, .attributes = true}),
            test::tree("(p(@class(big red))(@id(n1))(one two)(b)(a&<b>A))"));
}

TEST(XmlReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors(
      "xml",
      {
          {"<a>\n<b></a>", "2:4", "the end tag of 'a' where 'b' is open"},
          {"<a>\n <b>", "2:2", "the element that begins here is never closed"},
          {"</a>", "1:1", "an end tag without its start tag"},
          {"<a/><b/>", "1:5", "a second root element"},
          {"<a/> x", "1:6", "text outside of the root element"},
          {"x<a/>", "1:1", "text outside of the root element"},
          {"<!-- only -->", "1:14", "there is no element"},
          {"<a x=1/>", "1:4", "must be quoted"},
          {"<a x/>", "1:5", "expected ="},
          {"<a x='1/>", "1:4", "must be quoted"},
          {"<a", "1:3", "expected >"},
          {"<a>1 < 2</a>", "1:6", "a '<' that begins no element"},
          {"<a>1 & 2</a>", "1:6", "a '&' that begins no reference"},
          {"<a>&nbsp;</a>", "1:4", "an unknown entity"},
          {"<a>&#0;</a>", "1:4", "a reference to no character"},
          {"<a>&#xD800;</a>", "1:4", "a reference to no character"},
          {"<a>&#99999999999;</a>", "1:4", "a reference to no character"},
          {"<a><!-- </a>", "1:4", "the comment that starts here is missing its -->"},
          {"<a><![CDATA[</a>", "1:4", "the CDATA section that starts here is missing its ]]>"},
          {"<?xml <a/>", "1:1", "the processing instruction that starts here is missing its ?>"},
          {"<!DOCTYPE a <a/", "1:1", "the document type that starts here is missing its '>'"},
      });
}

TEST(XmlReader, RejectsEntityDeclarations) {
  for (const char* entity : {"<!ENTITY a \"aaaa\">", "<!ENTITY x SYSTEM \"file:///etc/passwd\">",
                             "<!ENTITY % p SYSTEM \"http://example.org/p\">"}) {
    const std::string content = "<!DOCTYPE r [\n" + std::string(entity) + "]><r>&a;</r>";
    const auto failure = test::failure_of([&] { parsed("xml", content); });
    EXPECT_EQ(failure.place(), "2:1");
    EXPECT_TRUE(test::contains(failure.message, "entity declarations are not supported"));
  }
}

}  // namespace
}  // namespace espalier
