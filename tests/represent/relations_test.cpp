#include "espalier/represent/relations.hpp"

#include <gtest/gtest.h>

#include "support/sentences.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::sentence;
using test::tree;

const Sentence question = sentence("Who 2 nsubj\nwrote 0 root\nFaust 2 obj\n? 2 punct");
const Sentence answer =
    sentence("Goethe 2 nsubj\nfinished 0 root\nthe 4 det\nFaust 2 obj\n? 2 punct");

TEST(Related, WordsAndWhatIsAboveThemAreMarkedOnBothSides) {
  const auto [a, b] = mark_related(question, answer, same_form());
  EXPECT_EQ(represent(question, SentenceForm::grct, {}, a).tree,
            tree("(SYNT##REL-root(SYNT##nsubj(POS##_(LEX##who::_)))(POS##_(LEX##wrote::_))"
                 "(SYNT##REL-obj(POS##REL-_(LEX##faust::_))))"));
  EXPECT_EQ(represent(answer, SentenceForm::lct, {}, b).tree,
            tree("(LEX##finished::_(LEX##goethe::_(POS##_)(SYNT##nsubj))(LEX##faust::_(LEX##the::_"
                 "(POS##_)(SYNT##det))(POS##REL-_)(SYNT##REL-obj))(POS##_)(SYNT##REL-root))"));
  EXPECT_EQ(represent(answer, SentenceForm::loct, {}, b).tree,
            tree("(LEX##REL-finished::_(LEX##goethe::_)(LEX##REL-faust::_(LEX##the::_)))"));
}

TEST(Related, ByLemmaFormOrSimilarity) {
  Sentence a = sentence("Wrote 0 root");
  Sentence b = sentence("writes 0 root");
  const auto related = [&](const WordMatch& match) {
    return mark_related(a, b, match).first.relation[0] != 0;
  };
  EXPECT_FALSE(related(same_form()));
  EXPECT_FALSE(related(same_lemma()));
  a.words[0].lemma = b.words[0].lemma = "write";
  EXPECT_TRUE(related(same_lemma()));
  EXPECT_FALSE(related(same_form()));
  const auto letters = [](const Word& x, const Word& y) {
    return x.form.find(y.form[2]) != std::string::npos ? 0.5 : 0.0;  // 'i' is not in Wrote
  };
  EXPECT_FALSE(related(similar(letters, 0.5)));
  b.words[0].form = "wrote";
  EXPECT_TRUE(related(similar(letters, 0.5)));
  EXPECT_FALSE(related(similar(letters, 0.6)));
}

TEST(Related, NothingInCommonMeansNoMarks) {
  const Sentence other = sentence("yes 0 root\n? 1 punct");
  const auto [a, b] = mark_related(question, other, same_form());
  EXPECT_EQ(represent(question, SentenceForm::grct, {}, a).tree,
            represent(question, SentenceForm::grct).tree);
  EXPECT_EQ(represent(other, SentenceForm::grct, {}, b).tree,
            represent(other, SentenceForm::grct).tree);
}

}  // namespace
}  // namespace espalier
