#include "espalier/io/format.hpp"

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::contains;
using test::ExampleOf;
using test::fails_with;
using test::gzipped;
using test::TempDir;

/// The format of a file that can be read without naming one: its readers name trees differently.
std::string detected(std::string_view content) {
  const std::size_t begin = content.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t first = content.find_first_not_of(" \t\r\n", begin);
  const std::size_t line = std::max(content.rfind('\n', first) + 1, begin);
  for (const Format& format : formats()) {
    if (format.matches(content.substr(line, content.find('\n', first) - line))) {
      return std::string(format.name);
    }
  }
  return "";
}

struct Sample : test::Row {
  const char* format = "";
  const char* content = "";
  std::size_t examples = 1;
};

class Detection : public testing::TestWithParam<Sample> {};

TEST_P(Detection, RecognisesTheFormatByContentIncludingGzip) {
  const Sample& sample = GetParam();
  EXPECT_EQ(detected(sample.content), sample.format);
  const TempDir folder;
  const auto named = test::parsed(sample.format, sample.content);
  EXPECT_EQ(named.size(), sample.examples);
  EXPECT_EQ(test::examples_in(folder.file("plain", sample.content)), named);
  EXPECT_EQ(test::examples_in(folder.file("packed", gzipped(sample.content))), named);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Detection,
    testing::Values(
        Sample{{"PennOnOneLine"}, "penn", "(S (NP dog))\n(A)", 2},
        Sample{{"PennOverLines"}, "penn", "( (S\n\t(NP dog)\n\t(VP barks)))\n"},
        Sample{{"PennIndented"}, "penn", "\n\n  (S (NP dog))"},
        Sample{{"PennWithTabInside"}, "penn", "(S\t(NP dog))"},
        Sample{{"PennWithMark"}, "penn", "\xEF\xBB\xBF(S (NP dog))"},
        Sample{{"PennWithBars"}, "penn", "(S (NP |B))"},
        Sample{{"Tsv"}, "tsv", "A\t(S (NP dog))\nB\t(S)\n", 2},
        Sample{{"TsvWithNumericClass"}, "tsv", "1\t1098\t(unit(comment))\n"},
        Sample{{"TsvWithoutClass"}, "tsv", "\t(S)\n"},
        Sample{{"TsvWithEmptyColumns"}, "tsv", "A\t\t\t(S)\n"},
        Sample{{"TsvFromWindows"}, "tsv", "\r\nA\t(S)\r\n"},
        Sample{{"ConlluWord"}, "conllu", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"},
        Sample{{"ConlluToken"},
               "conllu",
               "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
               "2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n"},
        Sample{{"ConlluComment"}, "conllu", "# sent_id = |BT:\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n"},
        Sample{{"ConlluDocument"}, "conllu", "#newdoc\r\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\r\n"},
        Sample{{"TsvWithManyColumns"}, "tsv", "1\t2\t3\t4\t5\t6\tx\t8\t9\t(A)\n"},
        Sample{{"Kelp"}, "klp", "DESC |BT:grct| (A) |ET|\n\nENTY |BT:grct| (B) |ET|", 2},
        Sample{{"KelpWithoutNames"}, "klp", "DESC |BT| (A) |ET|"},
        Sample{{"KelpWithoutLabel"}, "klp", "|BT| (A) |ET|"},
        Sample{{"KelpWithNumericLabel"}, "klp", "1 |BT:t| (A) |ET|"},
        Sample{{"KelpText"}, "klp", "A |BS| some text |ES|"},
        Sample{{"KelpDenseVector"}, "klp", "1 |BDV| 1 2 3 |EDV|"},
        Sample{{"KelpPair"}, "klp", "1 |<| a |,| b |>|"},
        Sample{{"SvmlightTk"}, "svmlight-tk", "-1 |BT| (A) |ET|\n1 |BT| (B) |ET|\n", 2},
        Sample{{"SvmlightTkWithoutBlank"}, "svmlight-tk", "-1|BT| (A)|ET|"},
        Sample{{"SvmlightTkVector"}, "svmlight-tk", "+1 3:0.5 7:1"},
        Sample{{"SvmlightTkGroup"}, "svmlight-tk", "1 qid:3 1:2"},
        Sample{{"Html"}, "html", "<!doctype HTML>\n<p>x"},
        Sample{{"HtmlWithoutDoctype"}, "html", "  <html lang=en><p>x"},
        Sample{{"Xml"}, "xml", "<?xml version='1.0'?><a/>"},
        Sample{{"XmlWithoutDeclaration"}, "xml", "<note><to/></note>"},
        Sample{{"Newick"}, "newick", "(a,b);\n(c,d);", 2},
        Sample{{"NewickRooted"}, "newick", "[&R] ((a:1,b:2),c);"},
        Sample{{"Nexus"}, "nexus", "#nexus\nbegin trees;tree a=(a,b);end;"},
        Sample{{"JsonObject"}, "json", "{\"a\": 1}\n{}\n", 2},
        Sample{{"JsonArray"}, "json", "[\n1]"},
        Sample{{"TreeSitter"}, "tree-sitter", "(a [0, 0] - [1, 0]\n  (b [0, 0] - [0, 1]))\n"},
        Sample{{"Glycan"}, "glycan", "Man(a1-3)[Man(a1-6)]Man(b1-4)GlcNAc\n"},
        Sample{{"GlycanWithClass"}, "glycan", "Plantae\tMan(a1-3)GlcNAc\n"},
        Sample{{"DotBracket"}, "dot-bracket", "((..)).\n"},
        Sample{{"DotBracketRecord"}, "dot-bracket", ">x\nGAC\n(.)\n"},
        Sample{{"DotBracketSequence"}, "dot-bracket", "GGACC\n((.))\n"},
        Sample{{"SvmlightTkAfterComment"}, "svmlight-tk", "# comment\n0.5 1:2 |BV| 3:4 |EV|"}),
    test::RowName());

TEST(Detection, TrustsTheSuffixOfDocuments) {
  const TempDir folder;
  EXPECT_EQ(test::examples_in(folder.file("x.html", "(S (NP dog))")).front(),
            ExampleOf().tree("tree", "(html(head)(body))"));
  EXPECT_EQ(test::examples_in(folder.file("x.nwk.gz", gzipped("(a\n,b);"))).front(),
            ExampleOf().tree("tree", "((a)(b))"));
}

TEST(Suffix, DecidesWhateverTheContentLooksLike) {
  const struct {
    const char* name;
    const char* content;
    Example expected;
  } cases[] = {{"x.tsv", "#python\t(a b)\n", ExampleOf().label("#python").tree("tree", "(a(b))")},
               {"x.tsv", "(other)\t(a b)\n", ExampleOf().label("(other)").tree("tree", "(a(b))")},
               {"x.tsv", "|BT:x|\t(a b)\n", ExampleOf().label("|BT:x|").tree("tree", "(a(b))")},
               {"x.tsv", "1\t(a [0, 0] - [1, 0])\n",
                ExampleOf().label("1").tree("tree", "(a([0,)(0])(-)([1,)(0]))")},
               {"x.klp", "#text |BT:t| (a) |ET|\n", ExampleOf().label("#text").tree("t", "(a)")},
               {"x.klp", "1 |BT| (a) |ET|\n", ExampleOf().label("1").tree("0", "(a)")},
               {"x.svm", "1 |BT| (\\|BS) |ET|\n", ExampleOf().label("1").tree("0", "(|BS)")},
               {"x.penn", "(a,b)\n", ExampleOf().tree("tree", "(a,b)")}};
  const TempDir folder;
  for (const auto& [name, content, expected] : cases) {
    const std::string path = folder.file(name, content);
    EXPECT_EQ(test::examples_in(path).front(), expected) << content;
  }
}

TEST(Suffix, AndContentThatCannotBeReadAsItAreBothNamed) {
  const struct {
    const char* name;
    const char* content;
    const char* message;
  } cases[] = {{"x.tsv", "A |BT:t| (A) |ET|\n", "means tsv, the content looks like klp"},
               {"x.tsv", "(a\n(b))\n", "means tsv, the content looks like penn"},
               {"x.penn", "A\t(S)\n", "means penn, the content looks like tsv"},
               {"x.svm", "(S x)\n", "means svmlight-tk, the content looks like penn"},
               {"x.klp", "(S (NP dog))\n", "means klp, the content looks like penn"},
               {"x.klp", "A\t(S)\n", "means klp, the content looks like tsv"},
               {"x.nwk.gz", "(S (NP dog))\n", "means newick, the content looks like penn"},
               {"x.nex", "(a,b);\n", "means nexus, the content looks like newick"},
               {"x.json", "<a/>\n", "means json, the content looks like xml"},
               {"x.conllu", "A\t(S)\n", "means conllu, the content looks like tsv"}};
  const TempDir folder;
  for (const auto& [name, content, message] : cases) {
    const std::string path = folder.file(name, content);
    const test::Failure failure = test::failure_of([&] { test::examples_in(path); });
    EXPECT_TRUE(
        contains(failure.message, "the suffix " + std::string(message) + ": name the format"));
    EXPECT_TRUE(contains(failure.message, path + ":1:"));
  }
}

TEST(Readers, RefuseFilesWithoutExamples) {
  const struct {
    const char* name;
    const char* content;
    const char* format;
  } cases[] = {{"x.svm", "# a comment\n", "svmlight-tk"},
               {"x", "#python\n", "svmlight-tk"},
               {"x.conllu", "# text = a\n", "conllu"},
               {"x.nex", "#NEXUS\nbegin data;end;", "nexus"},
               {"x.dbn", "# a comment\n", "dot-bracket"}};
  const TempDir folder;
  for (const auto& [name, content, format] : cases) {
    const std::string path = folder.file(name, content);
    EXPECT_TRUE(fails_with(path + ":1:1: no examples, read as " + format,
                           [&, file = path] { test::examples_in(file); }));
  }
}

TEST(Detection, ReportsUnknownFormats) {
  const TempDir folder;
  for (const char* content : {"\n \nhello world\n", "\n\n1 2 3\n", "\r\n\r\nA\tB\n", "\n\n*\n"}) {
    const std::string path = folder.file("x", content);
    const test::Failure failure = test::failure_of([&] { open_reader(path); });
    EXPECT_TRUE(contains(failure.message, "the format is not recognised"));
    EXPECT_TRUE(contains(failure.message, "klp, nexus, svmlight-tk, tsv, html, xml"));
    EXPECT_TRUE(contains(failure.message, path + ":3:1: "));
    EXPECT_EQ(failure.place(), "3:1");
  }
}

TEST(Formats, AreFoundByName) {
  for (const Format& format : formats()) {
    EXPECT_EQ(&format_named(format.name), &format);
    EXPECT_FALSE(format.description.empty());
    EXPECT_NE(format.suffixes.empty(), format.name != "directory");
  }
  EXPECT_EQ(formats().size(), 16U);
}

TEST(Formats, SuggestTheNearestNameIfUnknown) {
  EXPECT_TRUE(fails_with("did you mean 'penn'?", [] { format_named("pen"); }));
  EXPECT_TRUE(fails_with("there are conllu, klp, nexus, svmlight-tk, tsv, html, xml",
                         [] { format_named("word"); }));
  EXPECT_TRUE(fails_with("no format 'xx'", [] {
    ReadOptions options;
    options.format = "xx";
    const TempDir folder;
    open_reader(folder.file("x", "(A)"), options);
  }));
}

TEST(OpenWriter, RejectsReadOnlyFormats) {
  const TempDir folder;
  const char* const writable = "klp, svmlight-tk, tsv, penn";
  for (const char* format : {"xml", "newick", "directory"}) {
    EXPECT_TRUE(fails_with(std::string(format) + " is read, not written; write one of " + writable,
                           [&] { open_writer(folder.path("x"), format); }));
  }
  EXPECT_TRUE(fails_with(
      "does not determine the output format; specify one of: klp, svmlight-tk, tsv, penn",
      [&] { open_writer(folder.path("x.xml")); }));
}

TEST(OpenWriter, DerivesTheFormatFromTheSuffixBeforeGz) {
  const TempDir folder;
  const Example example = ExampleOf().label("1").tree("0", "(A(b))");
  const struct {
    const char* name;
    const char* start;
  } cases[] = {{"x.penn", "(A b)"},         {"x.mrg", "(A b)"},
               {"x.tsv", "1\t(A(b))"},      {"x.sexpr.gz", "1\t(A(b))"},
               {"x.klp", "1 |BT:0| "},      {"x.klp.gz", "1 |BT:0| "},
               {"x.svm", "1 |BT| (A (b))"}, {"x.dat.gz", "1 |BT| (A (b))"}};
  for (const auto& [name, start] : cases) {
    test::write_examples({example}, folder.path(name));
    EXPECT_TRUE(Source(folder.path(name)).peek(100).starts_with(start)) << name;
  }
}

TEST(OpenWriter, RejectsTheSuffixOfAnotherFormat) {
  const TempDir folder;
  for (const char* name : {"x.tsv", "x.tsv.gz", "x.json"}) {
    EXPECT_TRUE(fails_with("is of another format than klp: change one of them",
                           [&] { open_writer(folder.path(name), "klp"); }));
  }
  for (const char* name : {"x", "x.txt", "x.klp", "x.klp.gz"}) {
    open_writer(folder.path(name), "klp")->finish();
  }
}

TEST(OpenWriter, RejectsUnknownFormats) {
  const TempDir folder;
  for (const char* name : {"x", "x.txt", "x.gz", "klp"}) {
    EXPECT_TRUE(fails_with("does not determine the output format",
                           [&] { open_writer(folder.path(name)); }));
  }
  EXPECT_TRUE(fails_with("no format 'x'", [&] { open_writer(folder.path("x.klp"), "x"); }));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Writers, LeaveNoFileIfAnExampleCannotBeWritten) {
  const TempDir folder;
  for (const Format& format : formats()) {
    if (format.writer == nullptr) continue;
    Dataset data;
    data.add(ExampleOf().label("1").tree("t", "(A)"));
    data.add(ExampleOf().label("2").tree("t", "(A\nB)"));
    EXPECT_TRUE(fails_with("example 2: ", [&] { write(data, folder.path("x"), format.name); }));
    EXPECT_TRUE(folder.names().empty()) << format.name;
  }
}

TEST(Readers, ReportWhereAnExampleStarts) {
  const struct {
    const char* content;
    const char* places;
  } cases[] = {{"\n (A b)(C\n d)\n(E)", "2:2 2:7 4:1 "},
               {"A\t(S)\n\nB\t(S)\n", "1:1 3:1 "},
               {"\nA |BT:t| (S) |ET|\nB |BT:t| (S) |ET|", "2:1 3:1 "},
               {"# x\n1 1:1\n\n2 1:1\n", "2:1 4:1 "}};
  const TempDir folder;
  for (const auto& [content, places] : cases) {
    const std::string path = folder.file("x", content);
    const auto reader = open_reader(path);
    std::string found;
    for (Example example; reader->next(example);) {
      EXPECT_EQ(reader->location().file, path);
      found += std::to_string(reader->location().line) + ":" +
               std::to_string(reader->location().column) + " ";
    }
    EXPECT_EQ(found, places);
  }
}

TEST(Read, ReturnsADataset) {
  const TempDir folder;
  const Dataset data = read(folder.file("x",
                                        "A |BT:t| (S(N)) |ET| |BV:v| x:1 |EV|\n"
                                        "B A |BT:t| (N) |ET| |BS:s| words |ES|\n"));
  EXPECT_EQ(data.size(), 2U);
  EXPECT_EQ(data.labels(1).size(), 2U);
  EXPECT_EQ(data.trees("t").trees, (std::vector<TreeId>{0, 1}));
  EXPECT_EQ(data.forests()[0].value.vertex_count(), 2U);
  EXPECT_EQ(data.vectors().size(), 1U);
  EXPECT_EQ(data.texts().size(), 1U);
  EXPECT_EQ(data.example(0), test::parsed("klp", "A |BT:t| (S(N)) |ET| |BV:v| x:1 |EV|")[0]);
}

TEST(Read, LocatesAnInconsistentExample) {
  const TempDir folder;
  const std::string path = folder.file("x", "A |BDV:v| 1 2 |EDV|\n\nB |BDV:v| 1 2 3 |EDV|\n");
  const test::Failure failure = test::failure_of([&] { read(path); });
  EXPECT_EQ(failure.place(), "3:1");
  EXPECT_TRUE(contains(failure.message, path + ":3:1: vector 'v' has 3 values here and 2 before"));
  const std::string twice = folder.file("y", "A |BT:t| (A) |ET| |BT:t| (B) |ET|\n");
  EXPECT_TRUE(fails_with("y:1:1: two trees of one example are named 't'", [&] { read(twice); }));
}

TEST(Suffix, OfTablesNamesThePythonPackage) {
  EXPECT_TRUE(fails_with("python3 -m espalier IN OUT", [] { open_reader("x.parquet"); }));
  EXPECT_TRUE(fails_with("python3 -m espalier IN OUT", [] { output_format("x.arrow", ""); }));
}

TEST(Write, WritesADatasetToAFile) {
  const TempDir folder;
  const std::string text =
      "A |BS:s| words |ES| |BV:v| x:1 |EV| |BT:t| (S(N)) |ET| \n"
      "yes |<| |BT:t| (N) |ET| |,| |BT:t| (M) |ET| |>| \n";
  write(read(folder.file("x.klp", text)), folder.path("y.klp"));
  EXPECT_EQ(test::read_file(folder.path("y.klp")), text);
}

}  // namespace
}  // namespace espalier
