#include <gtest/gtest.h>

#include "espalier/io/sentence_reader.hpp"
#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::contains;
using test::TempDir;

/// Rows of words from "id form head relation" with blanks between; other columns are "_".
std::string rows(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string field[4];
    std::size_t i = 0;
    for (const char c : text.substr(begin, end - begin)) {
      if (c == ' ') {
        ++i;
      } else {
        field[i] += c;
      }
    }
    out += field[0] + "\t" + field[1] + "\t_\t_\t_\t_\t" + field[2] + "\t" + field[3] + "\t_\t_\n";
    begin = end + 1;
  }
  return out;
}

std::vector<Sentence> sentences_in(std::string_view content,
                                   const SentenceReader::Warn& warn = {}) {
  const TempDir folder;
  SentenceReader reader(Source(folder.file("x", content)), warn);
  std::vector<Sentence> out;
  for (Sentence sentence; reader.next(sentence);) out.push_back(sentence);
  return out;
}

std::string value(const Sentence& sentence, std::string_view key) {
  const std::string* const found = sentence.find(key);
  return found == nullptr ? "(none)" : *found;
}

TEST(Conllu, KeepsAllColumnsOfAWord) {
  const auto all =
      sentences_in("1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t0:root\tA=B\tx\t\n");
  ASSERT_EQ(all.size(), 1U);
  const Word expected = {"Dogs", "dog",  "NOUN",   "NNS", "Number=Plur",
                         0,      "root", "0:root", "A=B", {"x", ""}};
  ASSERT_EQ(all[0].words.size(), 1U);
  EXPECT_EQ(all[0].words[0], expected);
}

TEST(Conllu, ReadsSentencesBetweenBlankLinesAndToTheEnd) {
  const std::string one = rows("1 a 0 root");
  for (const std::string& content :
       {one + "\n" + one + "\n", "\n\n" + one + "\n\n\n" + one, "# x\n\n" + one + "  \n# y\n" + one,
        "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n" + one}) {
    EXPECT_EQ(sentences_in(content).size(), 2U) << content;
  }
}

TEST(Conllu, SkipsMultiwordTokensAndEmptyNodesWithOneNote) {
  std::vector<std::string> notes;
  const auto all = sentences_in(
      rows("0.1 e _ _\n1-2 im _ _\n1 in 0 root\n2 dem 1 det\n2.1 e _ _\n2.2 e _ _\n3 x 1 dep") +
          "\n" + rows("1 a 0 root\n1.1 e _ _"),
      [&](const std::string& note) { notes.push_back(note); });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].words.size(), 3U);
  EXPECT_EQ(value(all[0], "text"), "im x");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(
      contains(notes[0], "empty nodes and enhanced dependencies (column DEPS) are ignored"));
}

TEST(Conllu, NotesEnhancedDependenciesOnlyWhereTheyDiffer) {
  int notes = 0;
  const auto count = [&](const std::string&) { ++notes; };
  sentences_in("1\ta\t_\t_\t_\t_\t0\troot\t0:root\t_\n", count);
  EXPECT_EQ(notes, 0);
  sentences_in("1\ta\t_\t_\t_\t_\t0\troot\t0:root|1:x\t_\n", count);
  EXPECT_EQ(notes, 1);
}

TEST(Conllu, MetadataOfDocumentsAndParagraphsApplyUntilTheNext) {
  const std::string word = rows("1 a 0 root") + "\n";
  const auto all = sentences_in(
      "# own = 1\n# newdoc id = d1\n# genre = news\n# sent_id = s1\n# speaker = x\n# newpar id = "
      "p1\n" +
      word + "#sent_id=s2\n# text = A = B\n" + word + "# newpar\n# sent_id = s3\n" + word +
      "# newdoc\n# sent_id = s4\n# genre = own\n" + word + "# a remark\n" + word);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(value(all[0], "genre"), "news");
  EXPECT_EQ(value(all[1], "genre"), "news");
  EXPECT_EQ(value(all[1], "newdoc id"), "d1");
  EXPECT_EQ(value(all[1], "newpar id"), "p1");
  EXPECT_EQ(value(all[1], "sent_id"), "s2");
  EXPECT_EQ(value(all[1], "text"), "A = B");
  EXPECT_EQ(value(all[1], "own"), "(none)");
  EXPECT_EQ(value(all[1], "speaker"), "(none)");
  EXPECT_EQ(value(all[2], "newpar id"), "(none)");
  EXPECT_EQ(value(all[3], "newdoc id"), "(none)");
  EXPECT_EQ(value(all[3], "genre"), "own");
  EXPECT_EQ(value(all[4], "genre"), "(none)");
  EXPECT_EQ(value(all[4], "sent_id"), "(none)");
}

Example example_with(const SentenceOptions& options, std::string_view content) {
  const TempDir folder;
  ReadOptions read;
  read.sentences = options;
  return test::examples_in(folder.file("x.conllu", content), read).at(0);
}

TEST(Conllu, ExamplesHaveTreesTextsAndAClass) {
  const std::string content = "# newdoc id = web-12\n# sent_id = web-12-1\n" + rows("1 Hi 0 root");
  const Example plain = example_with({}, content);
  EXPECT_EQ(plain, test::ExampleOf()
                       .text("sent_id", "web-12-1")
                       .text("doc_id", "web-12")
                       .text("text", "Hi")
                       .tree("grct", "(SYNT##root(POS##_(LEX##hi::_)))"));
  SentenceOptions options;
  options.represent = {SentenceForm::lct, SentenceForm::loct};
  options.label_from = "sent_id";
  const Example whole = example_with(options, content);
  EXPECT_EQ(whole.trees.size(), 2U);
  EXPECT_EQ(whole.trees[1].name, "loct");
  EXPECT_EQ(whole.labels.at(0), test::of_class("web-12-1"));
  options.label_until = "-";
  EXPECT_EQ(example_with(options, content).labels.at(0), test::of_class("web"));
  options.label_until = "/";
  EXPECT_EQ(example_with(options, content).labels.at(0), test::of_class("web-12-1"));
}

TEST(Conllu, AClassMissingFromAllSentencesIsAnError) {
  SentenceOptions options;
  options.label_from = "genr";
  EXPECT_TRUE(test::fails_with(
      "no sentence has 'genr' to be its class; the last one has: genre, text", [&] {
        const TempDir folder;
        ReadOptions read;
        read.sentences = options;
        test::examples_in(folder.file("x.conllu", "# genre = a\n" + rows("1 Hi 0 root")), read);
      }));
}

TEST(Conllu, CannotBeWritten) {
  const TempDir folder;
  EXPECT_TRUE(test::fails_with("conllu is read, not written",
                               [&] { open_writer(folder.path("x"), "conllu"); }));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Conllu, TheSuffixDecidesAfterAnUnknownComment) {
  const TempDir folder;
  const std::string content = "# made by hand\n" + rows("1 a 0 root");
  EXPECT_EQ(test::examples_in(folder.file("x.conllu", content)).size(), 1U);
  EXPECT_EQ(test::examples_in(folder.file("x.conllu.gz", test::gzipped(content))).size(), 1U);
  EXPECT_THROW(test::examples_in(folder.file("x", content)), InputError);
}

TEST(Conllu, ASentenceOfAHundredThousandWordsInAChainIsRead) {
  std::string content;
  constexpr int words = 100'000;
  for (int i = 1; i <= words; ++i) {
    content += std::to_string(i) + "\ta\t_\t_\t_\t_\t" + std::to_string(i - 1) + "\tr\t_\t_\n";
  }
  const Example example = example_with({}, content);
  EXPECT_EQ(example.trees.at(0).value.size(), 3U * words);
}

struct BadSentence : test::Row {
  std::string content;
  const char* place = "";
  const char* message = "";
};

class BadSentences : public testing::TestWithParam<BadSentence> {};

TEST_P(BadSentences, AreReportedWithFileLineAndColumn) {
  const TempDir folder;
  ReadOptions options;
  options.format = "conllu";
  const std::string path = folder.file("input", GetParam().content);
  const test::Failure failure = test::failure_of([&] { read(path, options); });
  EXPECT_EQ(failure.place(), GetParam().place);
  EXPECT_TRUE(failure.message.starts_with(path + ":" + GetParam().place + ": "));
  EXPECT_TRUE(contains(failure.message, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadSentences,
    testing::Values(
        BadSentence{{"Cycle"},
                    rows("1 a 0 root\n2 b 3 x\n3 c 4 x\n4 d 2 x"),
                    "2:13",
                    "a cycle: the heads of word 2 lead back to it"},
        BadSentence{{"CycleReachedFromOutside"},
                    rows("1 a 0 root\n2 b 3 x\n3 c 4 x\n4 d 3 x"),
                    "3:13",
                    "a cycle: the heads of word 3 lead back to it"},
        BadSentence{{"OwnHead"},
                    "# x\n" + rows("1 a 0 root\n2 b 2 x"),
                    "3:13",
                    "a cycle: the heads of word 2"},
        BadSentence{{"NoRoot"}, rows("1 a 2 x\n2 b 1 x"), "1:13", "a cycle"},
        BadSentence{{"TwoRoots"},
                    rows("1 a 0 root\n2 b 1 x\n3 c 0 root"),
                    "3:13",
                    "a second root: word 1 has the head 0 too"},
        BadSentence{{"HeadOutOfRange"},
                    rows("1 a 0 root\n2 b 3 x"),
                    "2:13",
                    "the head 3 is out of range: the sentence has 2 words"},
        BadSentence{{"FaultInTheSecondSentence"},
                    rows("1 a 0 root") + "\n" + rows("1 a 7 root"),
                    "3:13",
                    "the head 7 is out of range"},
        BadSentence{{"MissingColumn"},
                    "1\ta\t_\t_\t_\t_\t0\troot\t_\n",
                    "1:1",
                    "expected 10 columns between tabs, found 9"},
        BadSentence{{"BlanksInsteadOfTabs"},
                    rows("1 a 0 root") + "2 b _ _ _ _ 1 x _ _\n",
                    "2:1",
                    "expected 10 columns between tabs, found 1, near '2 b"},
        BadSentence{{"EmptyColumn"},
                    "1\ta\t\t_\t_\t_\t0\troot\t_\t_\n",
                    "1:1",
                    "the column LEMMA is empty"},
        BadSentence{{"UnevenColumns"},
                    "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\tx\n" + rows("2 b 1 x"),
                    "2:1",
                    "10 columns, where the first word has 11"},
        BadSentence{{"IdIsNoNumber"}, rows("x a 0 root"), "1:1", "expected the id 1, near 'x'"},
        BadSentence{
            {"IdsOutOfOrder"}, rows("1 a 0 root\n3 b 1 x"), "2:1", "expected the id 2, near '3'"},
        BadSentence{{"NoBlankLineBetween"},
                    rows("1 a 0 root\n1 b 0 root"),
                    "2:1",
                    "expected the id 2, near '1'"},
        BadSentence{{"CommentInside"},
                    rows("1 a 0 root") + "# x\n" + rows("2 b 1 x"),
                    "2:1",
                    "a comment inside a sentence"},
        BadSentence{{"HeadIsNoNumber"},
                    rows("1 a _ root"),
                    "1:13",
                    "expected the id of the head, or 0 for the root, near '_'"},
        BadSentence{{"NegativeHead"}, rows("1 a -1 root"), "1:13", "expected the id of the head"},
        BadSentence{
            {"HugeHead"}, rows("1 a 99999999999 root"), "1:13", "expected the id of the head"},
        BadSentence{{"TokenTooLate"},
                    rows("1 a 0 root\n1-2 ab _ _\n2 b 1 x"),
                    "2:1",
                    "expected the id 2, or a token that begins with it"},
        BadSentence{{"TokenBackwards"},
                    rows("1-1 ab _ _\n1 a 0 root"),
                    "1:1",
                    "expected the id 1, or a token"},
        BadSentence{{"TokensOverlap"},
                    rows("1-3 ab _ _\n1 a 0 root\n2-3 c _ _"),
                    "3:1",
                    "two multiword tokens overlap"},
        BadSentence{{"TokenTooLong"},
                    rows("1-3 ab _ _\n1 a 0 root\n2 b 1 x"),
                    "3:13",
                    "reaches to word 3, which is not there"},
        BadSentence{{"EmptyNodeElsewhere"},
                    rows("1 a 0 root\n7.1 e _ _"),
                    "2:1",
                    "expected the id 2, or 1.1 of an empty node"}),
    test::RowName());

}  // namespace
}  // namespace espalier
