// Six sentences of our own in all five forms, written down by hand.
#include <gtest/gtest.h>

#include "espalier/io/sentence_reader.hpp"
#include "espalier/represent/represent.hpp"
#include "support/cases.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

struct Golden : test::Row {
  std::size_t sentence = 0;  ///< of examples/formats/sentences.conllu
  WordOptions options;
  std::string_view trees[5] = {};  ///< in the order of SentenceForm
};

class GoldenTrees : public testing::TestWithParam<Golden> {};

std::vector<Sentence> sample_sentences() {
  SentenceReader reader(Source(std::string(ESPALIER_ROOT) + "/examples/formats/sentences.conllu"));
  std::vector<Sentence> out;
  for (Sentence sentence; reader.next(sentence);) out.push_back(sentence);
  return out;
}

TEST_P(GoldenTrees, MatchTheRepresentationsOfSentences) {
  const Sentence sentence = sample_sentences().at(GetParam().sentence);
  for (int form = 0; form < 5; ++form) {
    const auto name = static_cast<SentenceForm>(form);
    const SentenceTree tree = represent(sentence, name, GetParam().options);
    EXPECT_EQ(tree.tree, test::tree(GetParam().trees[form])) << name_of(name);
    EXPECT_EQ(tree.words.size(), tree.tree.size());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, GoldenTrees,
    testing::Values(
        Golden{{"MultiwordToken"},
               0,
               {},
               {"(SYNT##root(SYNT##nsubj(SYNT##det(POS##DT(LEX##the::d)))(POS##NN(LEX##mill::n)))"
                "(SYNT##aux(POS##VBZ(LEX##do::v)))(SYNT##advmod(POS##RB(LEX##not::r)))"
                "(POS##VB(LEX##grind::v))(SYNT##obj(POS##NN(LEX##flour::n))))",
                "(LEX##grind::v(LEX##mill::n(LEX##the::d(POS##DT)(SYNT##det))(POS##NN)"
                "(SYNT##nsubj))(LEX##do::v(POS##VBZ)(SYNT##aux))(LEX##not::r(POS##RB)"
                "(SYNT##advmod))(LEX##flour::n(POS##NN)(SYNT##obj))(POS##VB)(SYNT##root))",
                "(LEX##grind::v(LEX##mill::n(LEX##the::d))(LEX##do::v)(LEX##not::r)"
                "(LEX##flour::n))",
                "(COMP##root<*::*,grind::v>(COMP##nsubj<grind::v,mill::n>"
                "(COMP##det<mill::n,the::d>(POS##DT(LEX##the::d)))(POS##NN(LEX##mill::n)))"
                "(COMP##aux<grind::v,do::v>(POS##VBZ(LEX##do::v)))"
                "(COMP##advmod<grind::v,not::r>(POS##RB(LEX##not::r)))(POS##VB(LEX##grind::v))"
                "(COMP##obj<grind::v,flour::n>(POS##NN(LEX##flour::n))))",
                "(COMP##root<*::*,grind::v>(COMP##nsubj<grind::v,mill::n>"
                "(COMP##det<mill::n,the::d>(POS##DT)(SYNT##det)(LEX##the::d))(POS##NN)"
                "(SYNT##nsubj)(LEX##mill::n))(COMP##aux<grind::v,do::v>(POS##VBZ)(SYNT##aux)"
                "(LEX##do::v))(COMP##advmod<grind::v,not::r>(POS##RB)(SYNT##advmod)"
                "(LEX##not::r))(COMP##obj<grind::v,flour::n>(POS##NN)(SYNT##obj)"
                "(LEX##flour::n))(POS##VB)(SYNT##root)(LEX##grind::v))"}},
        Golden{{"PunctuationKept"},
               1,
               {.forms = true, .lower_case = false, .punctuation = true},
               {"(SYNT##root(SYNT##ccomp(SYNT##punct(POS##``(LEX##\"::`)))(POS##VB(LEX##Wait::v))"
                "(SYNT##punct(POS##,(LEX##,::,)))(SYNT##punct(POS##''(LEX##\"::'))))"
                "(SYNT##nsubj(POS##PRP(LEX##she::p)))(POS##VBD(LEX##said::v))"
                "(SYNT##punct(POS##.(LEX##.::.))))",
                "(LEX##said::v(LEX##Wait::v(LEX##\"::`(POS##``)(SYNT##punct))(LEX##,::,(POS##,)"
                "(SYNT##punct))(LEX##\"::'(POS##'')(SYNT##punct))(POS##VB)(SYNT##ccomp))"
                "(LEX##she::p(POS##PRP)(SYNT##nsubj))(LEX##.::.(POS##.)(SYNT##punct))(POS##VBD)"
                "(SYNT##root))",
                "(LEX##said::v(LEX##Wait::v(LEX##\"::`)(LEX##,::,)(LEX##\"::'))(LEX##she::p)"
                "(LEX##.::.))",
                "(COMP##root<*::*,said::v>(COMP##ccomp<said::v,Wait::v>"
                "(COMP##punct<Wait::v,\"::`>(POS##``(LEX##\"::`)))(POS##VB(LEX##Wait::v))"
                "(COMP##punct<Wait::v,,::,>(POS##,(LEX##,::,)))"
                "(COMP##punct<Wait::v,\"::'>(POS##''(LEX##\"::'))))"
                "(COMP##nsubj<said::v,she::p>(POS##PRP(LEX##she::p)))(POS##VBD(LEX##said::v))"
                "(COMP##punct<said::v,.::.>(POS##.(LEX##.::.))))",
                "(COMP##root<*::*,said::v>(COMP##ccomp<said::v,Wait::v>"
                "(COMP##punct<Wait::v,\"::`>(POS##``)(SYNT##punct)(LEX##\"::`))"
                "(COMP##punct<Wait::v,,::,>(POS##,)(SYNT##punct)(LEX##,::,))"
                "(COMP##punct<Wait::v,\"::'>(POS##'')(SYNT##punct)(LEX##\"::'))(POS##VB)"
                "(SYNT##ccomp)(LEX##Wait::v))(COMP##nsubj<said::v,she::p>(POS##PRP)(SYNT##nsubj)"
                "(LEX##she::p))(COMP##punct<said::v,.::.>(POS##.)(SYNT##punct)(LEX##.::.))"
                "(POS##VBD)(SYNT##root)(LEX##said::v))"}},
        Golden{{"CrossingDependencies"},
               2,
               {},
               {"(SYNT##root(SYNT##nsubj(POS##NN(LEX##nobody::n))(SYNT##acl:relcl"
                "(SYNT##nsubj(POS##WP(LEX##who::w)))(POS##VBD(LEX##know::v))"
                "(SYNT##obj(POS##PRP(LEX##she::p)))))(POS##VBD(LEX##come::v)))",
                "(LEX##come::v(LEX##nobody::n(LEX##know::v(LEX##who::w(POS##WP)(SYNT##nsubj))"
                "(LEX##she::p(POS##PRP)(SYNT##obj))(POS##VBD)(SYNT##acl:relcl))(POS##NN)"
                "(SYNT##nsubj))(POS##VBD)(SYNT##root))",
                "(LEX##come::v(LEX##nobody::n(LEX##know::v(LEX##who::w)(LEX##she::p))))",
                "(COMP##root<*::*,come::v>(COMP##nsubj<come::v,nobody::n>"
                "(POS##NN(LEX##nobody::n))(COMP##acl:relcl<nobody::n,know::v>"
                "(COMP##nsubj<know::v,who::w>(POS##WP(LEX##who::w)))(POS##VBD(LEX##know::v))"
                "(COMP##obj<know::v,she::p>(POS##PRP(LEX##she::p)))))(POS##VBD(LEX##come::v)))",
                "(COMP##root<*::*,come::v>(COMP##nsubj<come::v,nobody::n>"
                "(COMP##acl:relcl<nobody::n,know::v>(COMP##nsubj<know::v,who::w>(POS##WP)"
                "(SYNT##nsubj)(LEX##who::w))(COMP##obj<know::v,she::p>(POS##PRP)(SYNT##obj)"
                "(LEX##she::p))(POS##VBD)(SYNT##acl:relcl)(LEX##know::v))(POS##NN)(SYNT##nsubj)"
                "(LEX##nobody::n))(POS##VBD)(SYNT##root)(LEX##come::v))"}},
        Golden{{"Copula"},
               3,
               {.coarse = true},
               {"(SYNT##root(SYNT##nsubj(POS##PROPN(LEX##lisbon::n)))(SYNT##cop(POS##AUX"
                "(LEX##be::v)))(SYNT##det(POS##DET(LEX##a::d)))(POS##NOUN(LEX##port::n)))",
                "(LEX##port::n(LEX##lisbon::n(POS##PROPN)(SYNT##nsubj))(LEX##be::v(POS##AUX)"
                "(SYNT##cop))(LEX##a::d(POS##DET)(SYNT##det))(POS##NOUN)(SYNT##root))",
                "(LEX##port::n(LEX##lisbon::n)(LEX##be::v)(LEX##a::d))",
                "(COMP##root<*::*,port::n>(COMP##nsubj<port::n,lisbon::n>(POS##PROPN"
                "(LEX##lisbon::n)))(COMP##cop<port::n,be::v>(POS##AUX(LEX##be::v)))"
                "(COMP##det<port::n,a::d>(POS##DET(LEX##a::d)))(POS##NOUN(LEX##port::n)))",
                "(COMP##root<*::*,port::n>(COMP##nsubj<port::n,lisbon::n>(POS##PROPN)"
                "(SYNT##nsubj)(LEX##lisbon::n))(COMP##cop<port::n,be::v>(POS##AUX)(SYNT##cop)"
                "(LEX##be::v))(COMP##det<port::n,a::d>(POS##DET)(SYNT##det)(LEX##a::d))"
                "(POS##NOUN)(SYNT##root)(LEX##port::n))"}},
        Golden{{"Coordination"},
               4,
               {},
               {"(SYNT##root(SYNT##nsubj(POS##NNS(LEX##ship::n)))(POS##VBP(LEX##carry::v))"
                "(SYNT##obj(POS##NN(LEX##coal::n))(SYNT##conj(POS##NN(LEX##salt::n)))"
                "(SYNT##conj(SYNT##cc(POS##CC(LEX##and::c)))(POS##NN(LEX##tea::n)))))",
                "(LEX##carry::v(LEX##ship::n(POS##NNS)(SYNT##nsubj))(LEX##coal::n(LEX##salt::n"
                "(POS##NN)(SYNT##conj))(LEX##tea::n(LEX##and::c(POS##CC)(SYNT##cc))(POS##NN)"
                "(SYNT##conj))(POS##NN)(SYNT##obj))(POS##VBP)(SYNT##root))",
                "(LEX##carry::v(LEX##ship::n)(LEX##coal::n(LEX##salt::n)(LEX##tea::n"
                "(LEX##and::c))))",
                "(COMP##root<*::*,carry::v>(COMP##nsubj<carry::v,ship::n>(POS##NNS"
                "(LEX##ship::n)))(POS##VBP(LEX##carry::v))(COMP##obj<carry::v,coal::n>"
                "(POS##NN(LEX##coal::n))(COMP##conj<coal::n,salt::n>(POS##NN(LEX##salt::n)))"
                "(COMP##conj<coal::n,tea::n>(COMP##cc<tea::n,and::c>(POS##CC(LEX##and::c)))"
                "(POS##NN(LEX##tea::n)))))",
                "(COMP##root<*::*,carry::v>(COMP##nsubj<carry::v,ship::n>(POS##NNS)"
                "(SYNT##nsubj)(LEX##ship::n))(COMP##obj<carry::v,coal::n>"
                "(COMP##conj<coal::n,salt::n>(POS##NN)(SYNT##conj)(LEX##salt::n))"
                "(COMP##conj<coal::n,tea::n>(COMP##cc<tea::n,and::c>(POS##CC)(SYNT##cc)"
                "(LEX##and::c))(POS##NN)(SYNT##conj)(LEX##tea::n))(POS##NN)(SYNT##obj)"
                "(LEX##coal::n))(POS##VBP)(SYNT##root)(LEX##carry::v))"}},
        Golden{{"NoXposAndAccents"},
               5,
               {},
               {"(SYNT##root(SYNT##nsubj(POS##PRON(LEX##il::p)))(POS##VERB(LEX##parler::v))"
                "(SYNT##obl:arg(SYNT##case(POS##ADP(LEX##de::i)))(SYNT##det(POS##DET"
                "(LEX##le::d)))(POS##PROPN(LEX##château::n))))",
                "(LEX##parler::v(LEX##il::p(POS##PRON)(SYNT##nsubj))(LEX##château::n(LEX##de::i"
                "(POS##ADP)(SYNT##case))(LEX##le::d(POS##DET)(SYNT##det))(POS##PROPN)"
                "(SYNT##obl:arg))(POS##VERB)(SYNT##root))",
                "(LEX##parler::v(LEX##il::p)(LEX##château::n(LEX##de::i)(LEX##le::d)))",
                "(COMP##root<*::*,parler::v>(COMP##nsubj<parler::v,il::p>(POS##PRON"
                "(LEX##il::p)))(POS##VERB(LEX##parler::v))(COMP##obl:arg<parler::v,château::n>"
                "(COMP##case<château::n,de::i>(POS##ADP(LEX##de::i)))"
                "(COMP##det<château::n,le::d>(POS##DET(LEX##le::d)))"
                "(POS##PROPN(LEX##château::n))))",
                "(COMP##root<*::*,parler::v>(COMP##nsubj<parler::v,il::p>(POS##PRON)"
                "(SYNT##nsubj)(LEX##il::p))(COMP##obl:arg<parler::v,château::n>"
                "(COMP##case<château::n,de::i>(POS##ADP)(SYNT##case)(LEX##de::i))"
                "(COMP##det<château::n,le::d>(POS##DET)(SYNT##det)(LEX##le::d))(POS##PROPN)"
                "(SYNT##obl:arg)(LEX##château::n))(POS##VERB)(SYNT##root)(LEX##parler::v))"}}),
    test::RowName());

}  // namespace
}  // namespace espalier
