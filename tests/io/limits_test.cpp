// Inputs that are too large or too deep: each limit applies to each format and is named in the
// error.
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::contains;
using test::read_as;

/// A path and a star of `n` or some more nodes, in each format.
struct Shapes {
  const char* format;
  std::string (*path)(std::size_t n);
  std::string (*star)(std::size_t n);
};

const Shapes all_shapes[] = {
    {"penn", [](std::size_t n) { return test::repeated("(a", n) + test::repeated(")", n); },
     [](std::size_t n) { return "(r" + test::repeated(" x", n) + ")"; }},
    {"tsv", [](std::size_t n) { return "A\t" + test::repeated("(a", n) + test::repeated(")", n); },
     [](std::size_t n) { return "A\t(r" + test::repeated("(x)", n) + ")"; }},
    {"newick",
     [](std::size_t n) { return test::repeated("(", n) + "a" + test::repeated(")", n) + ";"; },
     [](std::size_t n) { return "(a" + test::repeated(",a", n) + ");"; }},
    {"nexus",
     [](std::size_t n) {
       return "#NEXUS begin trees; tree a=" + test::repeated("(", n) + "a" +
              test::repeated(")", n) + ";end;";
     },
     [](std::size_t n) {
       return "#NEXUS begin trees; tree a=(a" + test::repeated(",a", n) + ");end;";
     }},
    {"dot-bracket",
     [](std::size_t n) { return test::repeated("(", n) + "." + test::repeated(")", n); },
     [](std::size_t n) { return test::repeated(".", n); }},
    {"glycan", [](std::size_t n) { return test::repeated("A(a1-2)", n) + "B"; },
     [](std::size_t n) { return test::repeated("[A(a1-2)]", n) + "B"; }},
    {"terms", [](std::size_t n) { return test::repeated("a(", n) + "a" + test::repeated(")", n); },
     [](std::size_t n) { return "a(" + test::repeated(" b", n) + ")"; }},
    {"tree-sitter", [](std::size_t n) { return test::repeated("(a ", n) + test::repeated(")", n); },
     [](std::size_t n) { return "(a" + test::repeated(" (b)", n) + ")"; }},
    {"json", [](std::size_t n) { return test::repeated("[", n) + test::repeated("]", n); },
     [](std::size_t n) { return "[1" + test::repeated(",1", n) + "]"; }},
    {"xml", [](std::size_t n) { return test::repeated("<a>", n) + test::repeated("</a>", n); },
     [](std::size_t n) { return "<a>" + test::repeated("<b/>", n) + "</a>"; }},
};

TEST(Limits, ApplyToEveryFormat) {
  for (const Shapes& shapes : all_shapes) {
    ReadOptions options;
    options.limits.depth = 1'000;
    EXPECT_TRUE(test::fails_with("a tree of more than 1000 levels; the option max-depth sets", [&] {
      read_as(shapes.format, shapes.path(1'100), options);
    })) << shapes.format;
    EXPECT_NO_THROW(read_as(shapes.format, shapes.path(900), options)) << shapes.format;
    options.limits = {.nodes = 1'000};
    EXPECT_TRUE(test::fails_with("a tree of more than 1000 nodes; the option max-nodes sets", [&] {
      read_as(shapes.format, shapes.star(1'100), options);
    })) << shapes.format;
    EXPECT_NO_THROW(read_as(shapes.format, shapes.star(900), options)) << shapes.format;
    options.limits = {.example = 1'000};
    EXPECT_TRUE(test::fails_with("an example of more than 1000 bytes; the option max-example sets",
                                 [&] { read_as(shapes.format, shapes.star(1'100), options); }))
        << shapes.format;
  }
}

// The stack is 8 MB: anything recursive would overflow it.
TEST(Limits, AllowAMillionLevels) {
  constexpr std::size_t n = 1'000'000;
  for (const Shapes& shapes : all_shapes) {
    EXPECT_GE(read_as(shapes.format, shapes.path(n), {})[0].trees[0].value.size(), n)
        << shapes.format;
  }
}

TEST(Limits, LabelsAndAttributes) {
  ReadOptions options;
  options.limits.label = 10;
  const std::string label(11, 'x');
  const std::pair<const char*, std::string> cases[] = {{"penn", "(" + label + ")"},
                                                       {"newick", "(" + label + ",b);"},
                                                       {"newick", "('" + label + "',b);"},
                                                       {"glycan", label},
                                                       {"terms", label},
                                                       {"tree-sitter", "(" + label + ")"},
                                                       {"json", "{\"" + label + "\":1}"},
                                                       {"xml", "<" + label + "/>"},
                                                       {"html", "<" + label + ">"}};
  for (const auto& [format, content] : cases) {
    EXPECT_TRUE(test::fails_with("a label of more than 10 bytes; the option max-label sets", [&] {
      read_as(format, content, options);
    })) << format;
  }
  options.limits = {.attributes = 2};
  for (const char* format : {"xml", "html"}) {
    EXPECT_TRUE(test::fails_with("an element of more than 2 attributes; the option max-attributes",
                                 [&] { read_as(format, "<a b='' c='' d=''></a>", options); }));
    EXPECT_NO_THROW(read_as(format, "<a b='' c=''></a>", options));
  }
}

/// What may occur many times in an example: `n` of each, in each format.
struct Repeated : test::Row {
  const char* format = "";
  std::string (*content)(std::size_t n) = nullptr;
  const char* unit = "";
  const char* columns = "";
};

class Parts : public testing::TestWithParam<Repeated> {};

TEST_P(Parts, AreLimited) {
  ReadOptions options;
  options.limits.parts = 50;
  options.columns = GetParam().columns;
  EXPECT_NO_THROW(read_as(GetParam().format, GetParam().content(40), options));
  EXPECT_TRUE(
      test::fails_with(std::string("an example of more than 50 ") + GetParam().unit +
                           "; the option max-parts sets this limit",
                       [&] { read_as(GetParam().format, GetParam().content(60), options); }));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Parts,
    testing::Values(
        Repeated{{"TsvColumns"},
                 "tsv",
                 [](std::size_t n) { return "A" + test::repeated("\tx", n) + "\t(a)"; },
                 "columns"},
        Repeated{{"KelpLabels"},
                 "klp",
                 [](std::size_t n) { return test::repeated("a ", n) + "|BT:t| (a) |ET|"; },
                 "labels"},
        Repeated{{"KelpTrees"},
                 "klp",
                 [](std::size_t n) { return test::repeated("|BT| (a) |ET|", n); },
                 "trees, vectors and texts"},
        Repeated{{"KelpTexts"},
                 "klp",
                 [](std::size_t n) { return test::repeated("|BS| a |ES|", n); },
                 "trees, vectors and texts"},
        Repeated{{"SvmlightTkTrees"},
                 "svmlight-tk",
                 [](std::size_t n) { return "1" + test::repeated("|BT| (a)", n) + "|ET|"; },
                 "trees"},
        Repeated{{"SvmlightTkVectors"},
                 "svmlight-tk",
                 [](std::size_t n) { return "1" + test::repeated("|BV| 1:1", n) + "|EV|"; },
                 "vectors"},
        Repeated{{"CsvColumns"},
                 "csv",
                 [](std::size_t n) { return "(a)" + test::repeated(",x", n); },
                 "columns",
                 "tree=1"},
        Repeated{{"ConlluComments"},
                 "conllu",
                 [](std::size_t n) {
                   return test::repeated("# a = b\n", n) + "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n";
                 },
                 "comments"},
        Repeated{{"ConlluColumns"},
                 "conllu",
                 [](std::size_t n) {
                   return "1\ta\t_\t_\t_\t_\t0\troot\t_\t_" + test::repeated("\t_", n - 10) + "\n";
                 },
                 "columns"}),
    test::RowName());

TEST(Limits, NamesOfAFile) {
  ReadOptions options;
  options.limits.parts = 3;
  const test::TempDir folder;
  const std::pair<const char*, const char*> cases[] = {
      {"|BT:{}| (a) |ET|", "trees"}, {"|BV:{}| a:1 |EV|", "vectors"}, {"|BS:{}| a |ES|", "texts"}};
  for (const auto& [line, unit] : cases) {
    std::string content;
    for (const char* const name : {"a", "b", "c", "d"}) {
      std::string text = line;
      content += text.replace(text.find("{}"), 2, name) + "\n";
    }
    const std::string path = folder.file("x.klp", content);
    EXPECT_TRUE(test::fails_with("x.klp:4:1: a file of more than 3 names of " + std::string(unit) +
                                     "; the option max-parts sets this limit",
                                 [&, file = path] { read(file, options); }));
  }
}

TEST(Limits, ValuesOfVectors) {
  ReadOptions options;
  options.limits.features = 3;
  for (const char* line :
       {"1 1:1 2:1 3:1 4:1", "1 |BV:v| a:1 b:1 c:1 d:1 |EV|", "1 |BDV:v| 1 1 1 1 |EDV|"}) {
    const char* const format =
        std::string_view(line).find('|') == std::string_view::npos ? "svmlight-tk" : "klp";
    EXPECT_TRUE(test::fails_with("a vector of more than 3 values; the option max-features sets",
                                 [&] { read_as(format, line, options); }));
  }
}

TEST(Limits, ExamplesOfSeveralLines) {
  ReadOptions options;
  options.limits.example = 1'000;
  options.columns = "tree=1";
  EXPECT_TRUE(test::fails_with("an example of more than 1000 bytes", [&] {
    read_as("csv", "(a),\"" + test::repeated("x\n", 600) + "\"\n", options);
  }));
  EXPECT_TRUE(test::fails_with("an example of more than 1000 bytes", [&] {
    read_as("dot-bracket", test::repeated("ACGU\n", 300) + "....\n", options);
  }));
  options.limits = {.nodes = 3};
  std::string sentence;
  for (int i = 1; i <= 4; ++i) {
    sentence += std::to_string(i) + "\ta\t_\t_\t_\t_\t" + std::to_string(i - 1) + "\tx\t_\t_\n";
  }
  EXPECT_TRUE(test::fails_with("a sentence of more than 3 words; the option max-nodes sets",
                               [&] { read_as("conllu", sentence, options); }));
}

TEST(Limits, StopAGzipBomb) {
  const test::TempDir folder;
  const std::string bomb = test::gzipped("A\t(a)\n" + std::string(20'000'000, ' '));
  EXPECT_LT(bomb.size(), 30'000U);
  const std::string path = folder.file("bomb.gz", bomb);
  ReadOptions options;
  options.limits.file = 10'000'000;
  EXPECT_TRUE(test::fails_with(
      "bomb.gz: a file of more than 10000000 bytes; the option max-file sets this limit",
      [&] { test::examples_in(path, options); }));
  options.limits = {.example = 10'000'000};
  EXPECT_TRUE(test::fails_with("bomb.gz:2:1: an example of more than 10000000 bytes",
                               [&] { test::examples_in(path, options); }));
  EXPECT_EQ(test::examples_in(path).size(), 1U);
}

TEST(InvalidUtf8, IsKeptReplacedOrRefused) {
  const struct {
    const char* label;
    const char* replaced;
  } cases[] = {
      {"caf\xE9", "caf\xEF\xBF\xBD"},
      {"\xC3\xA9\xE6\x9C\xA8\xF0\x9F\x98\x80", "\xC3\xA9\xE6\x9C\xA8\xF0\x9F\x98\x80"},
      {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // overlong
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // a surrogate
      {"\xF5x", "\xEF\xBF\xBDx"},                                // above U+10FFFF
      {"\xE6\x9C", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // truncated
  };
  for (const auto& [label, replaced] : cases) {
    const std::string content = "A\t(" + std::string(label) + ")\n";
    ReadOptions options;
    EXPECT_EQ(read_as("tsv", content, options)[0].trees[0].value.label(0), label);
    options.invalid_utf8 = InvalidUtf8::replace;
    EXPECT_EQ(read_as("tsv", content, options)[0].trees[0].value.label(0), replaced);
    options.invalid_utf8 = InvalidUtf8::refuse;
    if (std::string_view(label) == replaced) {
      EXPECT_NO_THROW(read_as("tsv", content, options));
    } else {
      EXPECT_TRUE(test::fails_with(": a byte that is not UTF-8",
                                   [&] { read_as("tsv", content, options); }));
    }
  }
}

TEST(InvalidUtf8, DoesNotIncludeCharactersSplitBetweenBlocks) {
  for (std::size_t before = (std::size_t{1} << 18) - 8; before < (std::size_t{1} << 18); ++before) {
    const std::string content =
        "A\t(" + std::string(before - 3, 'x') + "\xE6\x9C\xA8)\nB\t(\xE9)\n";
    ReadOptions options;
    options.invalid_utf8 = InvalidUtf8::replace;
    const auto examples = read_as("tsv", content, options);
    EXPECT_TRUE(examples[0].trees[0].value.label(0).ends_with("x\xE6\x9C\xA8"));
    EXPECT_EQ(examples[1].trees[0].value.label(0), "\xEF\xBF\xBD");
    options.invalid_utf8 = InvalidUtf8::refuse;
    EXPECT_TRUE(contains(test::failure_of([&] { read_as("tsv", content, options); }).message,
                         ":2:4: a byte that is not UTF-8"));
  }
}

TEST(ReadOptions, AreSetByName) {
  ReadOptions options;
  Parameters parameters(options);
  const auto set = [&](const char* name, const char* text) {
    parameters.set(name, parse_value(parameters.find(name), text, name));
  };
  set("max_label", "2K");
  set("max_nodes", "17");
  set("text", "keep");
  set("labels", "tag.class");
  set("linkages", "node");
  set("utf8", "refuse");
  set("represent", "lct,grct,lct");
  EXPECT_EQ(options.limits.label, 2048U);
  EXPECT_EQ(options.limits.nodes, 17U);
  EXPECT_TRUE(options.mapping.text);
  EXPECT_TRUE(options.mapping.classes);
  EXPECT_EQ(options.mapping.linkages, Linkages::node);
  EXPECT_EQ(options.invalid_utf8, InvalidUtf8::refuse);
  EXPECT_EQ(options.sentences.represent,
            (std::vector<SentenceForm>{SentenceForm::lct, SentenceForm::grct}));
  const struct {
    const char* name;
    const char* value;
    const char* message;
  } cases[] = {{"text", "kept", "text takes drop or keep, not 'kept'; did you mean 'keep'?"},
               {"max_nodes", "0", "max_nodes = 0 is outside [1, "},
               {"max_nodes", "-1", "max_nodes = -1 is outside [1, "},
               {"max_nodes", "1.5", "max_nodes = 1.5 is not a whole number"},
               {"max_nodes", "5T", "max_nodes takes a number such as 2000, 512M or 4G, not '5T'"},
               {"max_nodes", "5KM", "not '5KM'"},
               {"max_nodes", "99999999999G", "is outside"},
               {"max_node", "1", "there is no parameter 'max_node'; did you mean 'max_nodes'?"},
               {"represent", "grct,grtc",
                "represent takes one of grct, lct, loct, cgrct, clct, shallow, not 'grtc'; "
                "did you mean 'grct'?"}};
  for (const auto& [name, value, message] : cases) {
    EXPECT_TRUE(test::fails_with(message, [&] { set(name, value); }));
  }
}

TEST(ReadOptions, ThoseForSentencesImplyTheFormat) {
  ReadOptions options;
  const std::vector<std::string> given = {"max_nodes", "represent"};
  imply_format(options, std::span(given).first(1));
  EXPECT_EQ(options.format, "");
  imply_format(options, given);
  EXPECT_EQ(options.format, "conllu");
  options.format = "tsv";
  EXPECT_TRUE(test::fails_with("represent is for conllu, not for tsv",
                               [&] { imply_format(options, given); }));
}

}  // namespace
}  // namespace espalier
