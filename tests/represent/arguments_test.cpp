#include "espalier/represent/arguments.hpp"

#include <gtest/gtest.h>

#include "espalier/io/format.hpp"
#include "espalier/io/sentence_reader.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"
#include "support/sentences.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

const std::string sample = std::string(ESPALIER_ROOT) + "/examples/formats/arguments.conllu";

/// "Ships that carry coal sail slowly."
Sentence sample_sentence() {
  SentenceReader reader((Source(sample)));
  Sentence sentence;
  reader.next(sentence);
  return sentence;
}

TEST(Arguments, PredicatesAndRolesComeFromTheColumns) {
  const Sentence sentence = sample_sentence();
  const auto predicates = predicates_of(sentence);
  ASSERT_EQ(predicates.size(), 2U);
  EXPECT_EQ(predicates[0].word, 2U);
  EXPECT_EQ(predicates[0].sense, "carry.01");
  EXPECT_EQ(predicates[1].word, 4U);
  EXPECT_EQ(predicates[0].role(sentence.words[3]), "ARG1");
  EXPECT_EQ(predicates[0].role(sentence.words[2]), "");  // V
  EXPECT_EQ(predicates[1].role(sentence.words[5]), "ARGM-MNR");
  EXPECT_EQ(predicates[1].role(sentence.words[3]), "");
}

TEST(Arguments, SentencesWithoutColumnsHaveNoPredicates) {
  Sentence sentence = test::sentence("a 0 root");
  EXPECT_TRUE(predicates_of(sentence).empty());
  sentence.words[0].columns = {"", ""};
  EXPECT_TRUE(predicates_of(sentence).empty());
  sentence.words[0].columns = {"go.01"};
  EXPECT_TRUE(test::fails_with("predicate 1 of the sentence, 'go.01', has no column of roles",
                               [&] { predicates_of(sentence); }));
}

TEST(Arguments, CandidatesAreAroundThePredicateAndTheWordsAboveIt) {
  const Sentence sentence = sample_sentence();
  EXPECT_EQ(argument_candidates(sentence, 2), (std::vector<std::uint32_t>{0, 1, 3, 4, 5, 6}));
  EXPECT_EQ(argument_candidates(sentence, 4), (std::vector<std::uint32_t>{0, 5, 6}));
  // Words below a candidate are not candidates.
  EXPECT_EQ(argument_candidates(test::sentence("a 0 r\nb 1 r\nc 2 r"), 0),
            (std::vector<std::uint32_t>{1}));
}

Tree marked(std::uint32_t predicate, std::uint32_t candidate,
            SentenceForm form = SentenceForm::grct) {
  const Sentence sentence = sample_sentence();
  return represent(sentence, form, {}, mark_argument(sentence, predicate, candidate)).tree;
}

TEST(Arguments, AreMarkedAndOthersArePruned) {
  EXPECT_EQ(marked(2, 3), test::tree("(SYNT##acl:relcl-LU(POS##VBP-LU(LEX##carry::v))"
                                     "(SYNT##obj-FE(POS##NN-FE(LEX##coal::n))))"));
}

TEST(Arguments, AreConnectedToThePredicate) {
  EXPECT_EQ(marked(2, 5), test::tree("(SYNT##root-LU(SYNT##nsubj-LU(POS##NNS(LEX##ship::n))"
                                     "(SYNT##acl:relcl-LU(POS##VBP-LU(LEX##carry::v))))"
                                     "(POS##VBP(LEX##sail::v))"
                                     "(SYNT##advmod-FE(POS##RB-FE(LEX##slowly::r))))"));
}

TEST(Arguments, CoverAllDescendantsOfTheCandidate) {
  EXPECT_EQ(marked(4, 0),
            test::tree("(SYNT##root-LU(SYNT##nsubj-FE(POS##NNS-FE(LEX##ship::n))(SYNT##acl:relcl-FE"
                       "(SYNT##nsubj-FE(POS##WDT-FE(LEX##that::w)))(POS##VBP-FE(LEX##carry::v))"
                       "(SYNT##obj-FE(POS##NN-FE(LEX##coal::n)))))(POS##VBP-LU(LEX##sail::v)))"));
}

TEST(Arguments, AboveThePredicateDoNotCoverIt) {
  EXPECT_EQ(marked(2, 0), test::tree("(SYNT##nsubj-FE-LU(POS##NNS-FE(LEX##ship::n))"
                                     "(SYNT##acl:relcl-LU(POS##VBP-LU(LEX##carry::v))))"));
}

TEST(Arguments, LexicalNodesAreMarkedOnlyInLoct) {
  EXPECT_EQ(marked(4, 5, SentenceForm::lct),
            test::tree("(LEX##sail::v(LEX##slowly::r(POS##RB-FE)(SYNT##advmod-FE))(POS##VBP-LU)"
                       "(SYNT##root-LU))"));
  EXPECT_EQ(marked(4, 5, SentenceForm::loct), test::tree("(LEX##sail::v-LU(LEX##slowly::r-FE))"));
  EXPECT_EQ(marked(4, 5, SentenceForm::clct),
            test::tree("(COMP##root-LU<*::*,sail::v>(COMP##advmod-FE<sail::v,slowly::r>(POS##RB-FE)"
                       "(SYNT##advmod-FE)(LEX##slowly::r))(POS##VBP-LU)(SYNT##root-LU)"
                       "(LEX##sail::v))"));
}

TEST(Arguments, BecomeExamplesOfTwoClassesOrOfRoles) {
  ReadOptions options;
  options.sentences.candidates = Candidates::arguments;
  const auto boundaries = test::examples_in(sample, options);
  options.sentences.candidates = Candidates::roles;
  const auto roles = test::examples_in(sample, options);
  // Without the full stop: 5 candidates of carry, 2 of sail.
  ASSERT_EQ(boundaries.size(), 7U);
  ASSERT_EQ(roles.size(), 7U);
  const char* const expected[] = {"ARG0", "R-ARG0", "ARG1", "none", "none", "ARG0", "ARGM-MNR"};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(roles[i].labels.at(0), test::of_class(expected[i]));
    const bool none = roles[i].labels[0].name == "none";
    EXPECT_EQ(boundaries[i].labels.at(0), test::of_class(none ? "none" : "argument"));
  }
  EXPECT_EQ(roles[2].texts, test::ExampleOf()
                                .text("sent_id", "ports-4")
                                .text("doc_id", "ports")
                                .text("predicate", "3 carry.01")
                                .text("candidate", "4 coal")
                                .texts);
  EXPECT_EQ(roles[2].trees.at(0).value, marked(2, 3));
}

TEST(Arguments, MissingFromAllSentencesAreAnError) {
  ReadOptions options;
  options.sentences.candidates = Candidates::arguments;
  EXPECT_TRUE(test::fails_with("no sentence has a predicate with candidates", [&] {
    test::examples_in(std::string(ESPALIER_ROOT) + "/examples/formats/sentences.conllu", options);
  }));
}

}  // namespace
}  // namespace espalier
