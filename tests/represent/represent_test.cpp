#include "espalier/represent/represent.hpp"

#include <gtest/gtest.h>

#include "represent/lower_case.hpp"
#include "support/failure.hpp"
#include "support/sentences.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::sentence;
using test::tree;

TEST(Represent, DropsPunctuationWithoutDependents) {
  // "a" depends on the dash, so the dash is kept; the brackets depend on each other and are
  // dropped.
  Sentence dash = sentence("x 0 root\n- 1 punct\na 2 conj\n( 1 punct\n) 4 punct");
  EXPECT_EQ(represent(dash, SentenceForm::loct).tree, tree("(LEX##x::_(LEX##-::_(LEX##a::_)))"));
  EXPECT_EQ(represent(dash, SentenceForm::loct, {.punctuation = true}).tree.size(), 5U);
}

TEST(Represent, AlwaysKeepsTheRoot) {
  Sentence mark = sentence("! 0 punct");
  EXPECT_EQ(represent(mark, SentenceForm::loct).tree, tree("(LEX##!::_)"));
}

TEST(Represent, UsesTheFormIfThereIsNoLemma) {
  Sentence one = sentence("Dogs 0 root");
  EXPECT_EQ(represent(one, SentenceForm::loct).tree, tree("(LEX##dogs::_)"));
  one.words[0].lemma = "dog";
  EXPECT_EQ(represent(one, SentenceForm::loct).tree, tree("(LEX##dog::_)"));
  EXPECT_EQ(represent(one, SentenceForm::loct, {.forms = true, .lower_case = false}).tree,
            tree("(LEX##Dogs::_)"));
}

TEST(Represent, LettersOfUniversalPartsOfSpeechAreThoseOfThePennTreebank) {
  const std::pair<const char*, const char*> letters[] = {
      {"ADJ", "j"},   {"ADP", "i"},   {"ADV", "r"}, {"AUX", "v"},  {"CCONJ", "c"}, {"DET", "d"},
      {"INTJ", "u"},  {"NOUN", "n"},  {"NUM", "c"}, {"PART", "t"}, {"PRON", "p"},  {"PROPN", "n"},
      {"PUNCT", "."}, {"SCONJ", "i"}, {"SYM", "s"}, {"VERB", "v"}, {"X", "f"},     {"OTHER", "o"}};
  for (const auto& [upos, letter] : letters) {
    Sentence one = sentence("a 0 root");
    one.words[0].upos = upos;
    EXPECT_EQ(represent(one, SentenceForm::loct).tree.label(0), std::string("LEX##a::") + letter);
    one.words[0].xpos = "ÉX";
    EXPECT_EQ(represent(one, SentenceForm::loct).tree.label(0), "LEX##a::é");
    EXPECT_EQ(represent(one, SentenceForm::loct, {.coarse = true}).tree.label(0),
              std::string("LEX##a::") + letter);
  }
}

TEST(Represent, RejectsHeadsThatDoNotFormATree) {
  const auto of = [](const char* text) {
    return [=] { represent(sentence(text), SentenceForm::grct); };
  };
  EXPECT_TRUE(fails_with("a cycle", of("a 0 r\nb 3 r\nc 2 r")));
  EXPECT_TRUE(fails_with("second root", of("a 0 r\nb 0 r")));
  EXPECT_TRUE(fails_with("out of range", of("a 0 r\nb 3 r")));
  EXPECT_TRUE(fails_with("no words", of("")));
}

TEST(Represent, AlignsNodesWithWords) {
  const SentenceTree out = represent(sentence("b 2 x\na 0 root"), SentenceForm::grct);
  EXPECT_EQ(out.words, (std::vector<std::uint32_t>{1, 0, 0, 0, 1, 1}));
}

TEST(LowerCase, CoversLatinGreekAndCyrillic) {
  const auto lower = [](std::string_view text) {
    std::string out;
    append_lower_case(out, text);
    return out;
  };
  EXPECT_EQ(lower("AbC Ärger ŁÓDŹ ŸŽ ΆΣΩ ЁЖ ԱՖ ẠẦ"), "abc ärger łódź ÿž άσω ёж աֆ ạầ");
  EXPECT_EQ(lower("x×÷ß 木 ǅ"), "x×÷ß 木 ǅ");
  EXPECT_EQ(lower("A\xC3"), "a\xC3");          // truncated
  EXPECT_EQ(lower("\xE1\xBA"), "\xE1\xBA");    // truncated
  EXPECT_EQ(lower("\xFF\x80Z"), "\xFF\x80z");  // invalid UTF-8
}

/// The order of words restored from the tree alone.
std::vector<std::string> read_back(const Sentence& from, SentenceForm form) {
  std::vector<std::string> out;
  for (const Word& word : sentence_of(represent(from, form).tree, form).words) {
    out.push_back(word.form);
  }
  return out;
}

TEST(SentenceOf, RestoresTheOrderOfWordsThatTreesContain) {
  using Words = std::vector<std::string>;
  const Sentence plain = sentence("a 2 x\nb 0 root\nc 4 x\nd 2 x");
  EXPECT_EQ(read_back(plain, SentenceForm::grct), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(read_back(plain, SentenceForm::cgrct), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(read_back(plain, SentenceForm::lct), (Words{"b", "a", "d", "c"}));
  EXPECT_EQ(read_back(plain, SentenceForm::clct), (Words{"b", "a", "d", "c"}));
  const Sentence crossing = sentence("a 2 x\nb 0 root\nc 1 x");
  EXPECT_EQ(read_back(crossing, SentenceForm::grct), (Words{"a", "c", "b"}));
}

TEST(SentenceOf, WordsOfNodesRestoreTheOrder) {
  const Sentence crossing = sentence("a 2 x\nb 0 root\nc 1 x\n:: 1 y");
  for (int i = 0; i < 5; ++i) {
    const auto form = static_cast<SentenceForm>(i);
    const SentenceTree out = represent(crossing, form);
    Sentence expected = crossing;
    for (Word& word : expected.words) {
      word.lemma = word.form;
      if (form == SentenceForm::loct) word.deprel = "_";
    }
    EXPECT_EQ(sentence_of(out.tree, form, out.words), expected) << name_of(form);
  }
}

TEST(SentenceOf, RejectsOtherTrees) {
  const auto of = [](const char* brackets, SentenceForm form) {
    return [=] { sentence_of(tree(brackets), form); };
  };
  EXPECT_TRUE(fails_with("'S' is not a node of a grct", of("(S)", SentenceForm::grct)));
  EXPECT_TRUE(fails_with("not a node of a lct", of("(SYNT##x(LEX##a::n))", SentenceForm::lct)));
  EXPECT_TRUE(fails_with("word 1 has no LEX## node", of("(SYNT##x)", SentenceForm::grct)));
  EXPECT_TRUE(fails_with("'a:n' is not a word", of("(LEX##a:n)", SentenceForm::loct)));
}

}  // namespace
}  // namespace espalier
