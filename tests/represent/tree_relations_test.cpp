#include <gtest/gtest.h>

#include <random>
#include <set>

#include "espalier/represent/lexical_tree.hpp"
#include "espalier/represent/pair_features.hpp"
#include "espalier/represent/prune.hpp"
#include "espalier/represent/relations.hpp"
#include "espalier/represent/shallow_tree.hpp"
#include "support/failure.hpp"
#include "support/sentences.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::PlainTree;
using test::sentence;
using test::to_tree;
using test::tree;

// Golden trees, written by hand.
const Tree question_tree = tree("(S(WHNP(WP(who)))(VP(VBD(wrote))(NP(NNP(Faust))))(.(?)))");
const Tree answer_tree =
    tree("(S(NP(NNP(Goethe)))(VP(VBD(finished))(NP(DT(the))(NNP(faust))))(.(?)))");

TEST(RelatedTrees, WordsAreLeavesAndWhatIsAboveThemIsMarked) {
  const auto [a, b] = mark_related(question_tree, answer_tree, same_lemma());
  EXPECT_EQ(a, tree("(REL-S(WHNP(WP(who)))(REL-VP(VBD(wrote))(REL-NP(REL-NNP(Faust))))(.(?)))"));
  EXPECT_EQ(b, tree("(REL-S(NP(NNP(Goethe)))(REL-VP(VBD(finished))(REL-NP(DT(the))"
                    "(REL-NNP(faust))))(.(?)))"));
}

TEST(RelatedTrees, AsManyLevelsAsAskedAndTheWordsToo) {
  EXPECT_EQ(mark_related(question_tree, answer_tree, same_lemma(), {.levels = 1}).first,
            tree("(S(WHNP(WP(who)))(VP(VBD(wrote))(NP(REL-NNP(Faust))))(.(?)))"));
  EXPECT_EQ(mark_related(question_tree, answer_tree, same_lemma(),
                         {.content_words = true, .mark_words = true, .levels = 2})
                .first,
            tree("(S(WHNP(WP(who)))(VP(VBD(wrote))(REL-NP(REL-NNP(REL-Faust))))(.(?)))"));
}

TEST(RelatedTrees, TypesOfLabelsStayInFront) {
  const Tree typed = tree("(SYNT##root(POS##NN(LEX##film::n)))");
  EXPECT_EQ(mark_related(typed, tree("(NN(film))"), same_lemma(), {.mark_words = true}).first,
            tree("(SYNT##REL-root(POS##REL-NN(LEX##REL-film::n)))"));
}

TEST(RelatedTrees, WordsInsideTreesAreWordsToo) {
  // In lct, words are inner nodes.
  const Tree lct = tree("(LEX##carry::v(LEX##coal::n(POS##NN))(POS##VB))");
  const auto words = words_of(lct);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[1].node, 1U);
  EXPECT_EQ(words[1].word.form, "coal");
  EXPECT_EQ(words[1].word.xpos, "n");
  EXPECT_EQ(words_of(tree("(NP(DT(the))(dog))"))[0].word.xpos, "DT");
  EXPECT_EQ(words_of(tree("(NP(DT(the))(dog))"))[1].word.xpos, "_");
}

TEST(RelatedTrees, EmptyTreesAndSingleNodes) {
  EXPECT_EQ(mark_related(tree(""), tree("(a)"), same_lemma()).first, tree(""));
  EXPECT_EQ(mark_related(tree("(a)"), tree("(a)"), same_lemma(), {.mark_words = true}).first,
            tree("(REL-a)"));
}

// How KeLP's TreePairRelTagger works, in its usual setting (two levels up, none down, nouns, verbs,
// adjectives and adverbs but be and have, exact match of words without their part of speech, marks
// on labels): anchors are lexical nodes with an equal one on the other side.
struct Tagged {
  PlainTree* node;
  std::vector<PlainTree*> above;  ///< parent first
};

void collect(PlainTree& node, std::vector<PlainTree*>& path, std::vector<Tagged>& out) {
  if (node.label.starts_with("LEX##")) out.push_back({&node, {path.rbegin(), path.rend()}});
  path.push_back(&node);
  for (PlainTree& child : node.children) collect(child, path, out);
  path.pop_back();
}

std::string lexical_text(const PlainTree& node) {
  return node.label.substr(5, node.label.find("::") - 5);
}

bool is_of_interest(const PlainTree& node) {
  const std::string pos = node.label.substr(node.label.find("::") + 2);
  return std::string("nvjr").find(pos) != std::string::npos && lexical_text(node) != "be" &&
         lexical_text(node) != "have";
}

void tag(PlainTree& a, PlainTree& b) {
  std::vector<PlainTree*> path;
  std::vector<Tagged> in_a, in_b;
  collect(a, path, in_a);
  collect(b, path, in_b);
  std::set<PlainTree*> marked;
  for (const Tagged& x : in_a) {
    for (const Tagged& y : in_b) {
      if (!is_of_interest(*x.node) || !is_of_interest(*y.node)) continue;
      if (lexical_text(*x.node) != lexical_text(*y.node)) continue;
      for (const Tagged* each : {&x, &y}) {
        marked.insert(each->node);
        for (std::size_t up = 0; up < 2 && up < each->above.size(); ++up) {
          marked.insert(each->above[up]);
        }
      }
    }
  }
  for (PlainTree* node : marked) node->label.insert(node->label.find("##") + 2, "REL-");
}

PlainTree random_shallow(std::mt19937& random) {
  constexpr const char* words[] = {"be::v",  "have::v", "dog::n", "dog::v", "big::j",
                                   "the::d", "run::v",  "of::i",  "not::r"};
  const auto pick = [&](std::size_t n) { return random() % n; };
  PlainTree root{"SYNT##S", {}};
  for (std::size_t chunk = 0; chunk < 1 + pick(4); ++chunk) {
    PlainTree phrase{"SYNT##NP", {}};
    for (std::size_t k = 0; k < 1 + pick(3); ++k) {
      const std::string word = words[pick(std::size(words))];
      phrase.children.push_back({"POS##X", {{"LEX##" + word, {}}}});
    }
    root.children.push_back(phrase);
  }
  return root;
}

TEST(RelatedTrees, AsKelpTagsPairs) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    PlainTree a = random_shallow(random), b = random_shallow(random);
    const auto ours = mark_related(to_tree(a), to_tree(b), same_lemma(),
                                   {.content_words = true, .mark_words = true, .levels = 2});
    tag(a, b);
    EXPECT_EQ(ours.first, to_tree(a));
    EXPECT_EQ(ours.second, to_tree(b));
  }
}

TEST(RelatedSentences, LevelsAndWordsAsInTrees) {
  const Sentence a = sentence("Dogs 2 nsubj NOUN\nchase 0 root VERB\ncats 2 obj NOUN");
  const Sentence b = sentence("cats 2 nsubj NOUN\nsleep 0 root VERB");
  for (const std::uint32_t levels : {0U, 1U, 2U, 3U}) {
    for (const bool words : {false, true}) {
      for (const SentenceForm form : {SentenceForm::grct, SentenceForm::shallow}) {
        const RelatedMarks which{.mark_words = words, .levels = levels};
        const auto marks = mark_related(a, b, same_form(), which);
        const auto trees =
            mark_related(represent(a, form).tree, represent(b, form).tree, same_form(), which);
        EXPECT_EQ(represent(a, form, {}, marks.first).tree, trees.first)
            << levels << words << name_of(form);
        EXPECT_EQ(represent(b, form, {}, marks.second).tree, trees.second);
      }
    }
  }
}

TEST(Shallow, SentencesAsChunks) {
  const Sentence all = sentence(
      "The 2 det DET\nbeach 6 nsubj NOUN\nin 4 case ADP\nDoha 2 nmod PROPN\nis 6 cop AUX\n"
      "nice 0 root ADJ\nand 8 cc CCONJ\nopens 6 conj VERB\nvery 10 advmod ADV\nearly 8 advmod ADV\n"
      ". 6 punct PUNCT");
  EXPECT_EQ(represent(all, SentenceForm::shallow).tree,
            tree("(SYNT##S(SYNT##NP(POS##DET(LEX##the::d))(POS##NOUN(LEX##beach::n)))"
                 "(SYNT##PP(POS##ADP(LEX##in::i)))(SYNT##NP(POS##PROPN(LEX##doha::n)))"
                 "(SYNT##VP(POS##AUX(LEX##is::v)))(SYNT##ADJP(POS##ADJ(LEX##nice::j)))"
                 "(POS##CCONJ(LEX##and::c))(SYNT##VP(POS##VERB(LEX##opens::v)))"
                 "(SYNT##ADVP(POS##ADV(LEX##very::r))(POS##ADV(LEX##early::r))))"));
}

TEST(Shallow, PhrasesBeginAtDeterminersAndVerbsTakeAdverbs) {
  Sentence words;
  const auto chunks = [&](std::initializer_list<const char*> tags) {
    words = {};
    for (const char* tag : tags) {
      Word& word = words.words.emplace_back();
      word.form = "w";
      word.xpos = tag;
      word.head = words.words.size() == 1 ? 0 : 1;
      word.deprel = "x";
    }
    const Tree out = represent(words, SentenceForm::shallow).tree;
    std::string names;
    for (std::size_t node = 0; node < out.size(); ++node) {
      const std::string_view label = out.label(node);
      if (label.starts_with("SYNT##")) names += std::string(label.substr(6)) + " ";
      if (label.starts_with("POS##")) names += std::string(label.substr(5)) + " ";
    }
    return names;
  };
  EXPECT_EQ(chunks({"NNP", "POS", "NN"}), "S NP NNP NP POS NN ");
  EXPECT_EQ(chunks({"PRP", "VBP", "RB", "VB", "TO", "VB", "DT", "NN", "DT", "NN"}),
            "S NP PRP VP VBP RB VB TO VB NP DT NN NP DT NN ");
  EXPECT_EQ(chunks({"TO", "NNP", "CC", "JJ", "VBZ", "RP", "RB"}),
            "S PP TO NP NNP CC ADJP JJ VP VBZ RP ADVP RB ");
  EXPECT_EQ(chunks({"PDT", "DT", "JJ", "NNS", "PRP", "MD"}), "S NP PDT DT JJ NNS NP PRP VP MD ");
  EXPECT_TRUE(test::fails_with("no heads and relations", [&] {
    sentence_of(represent(words, SentenceForm::shallow).tree, SentenceForm::shallow);
  }));
}

TEST(Shallow, ConstituencyTrees) {
  EXPECT_EQ(shallow_tree(tree("(S(NP(NP(DT(the))(NN(width)))(PP(IN(of))(NP(NN(field)))))"
                              "(VP(VBZ(is))(ADJP(RB(very))(JJ(big))))(.(.)))")),
            tree("(S(NP(DT(the))(NN(width)))(PP(IN(of)))(NP(NN(field)))(VP(VBZ(is)))"
                 "(ADJP(RB(very))(JJ(big)))(.(.)))"));
  // Words of a phrase that another one interrupts are two chunks.
  EXPECT_EQ(shallow_tree(tree("(S(NP(DT(a))(ADJP(JJ(big)))(NN(dog))))")),
            tree("(S(NP(DT(a)))(ADJP(JJ(big)))(NP(NN(dog))))"));
  EXPECT_EQ(shallow_tree(tree("(S(NP(dogs))(VP(bark)))")), tree("(S(NP(dogs))(VP(bark)))"));
  EXPECT_EQ(shallow_tree(tree("(S)")), tree("(S)"));
  EXPECT_EQ(shallow_tree(tree("")), tree(""));
}

TEST(Lexical, LeavesHaveThePartOfSpeechAboveThem) {
  EXPECT_EQ(lexical_tree(tree("(S(NP(DT(The))(NNS(Films)))(VP(VBD(ran)))(X(a)(b))(.(.)))")),
            tree("(S(NP(DT(the::d))(NNS(films::n)))(VP(VBD(ran::v)))(X(a::_)(b::_))(.(.::.)))"));
  EXPECT_EQ(lexical_tree(tree("(S(POS##NN(LEX##a::n)))")), tree("(S(POS##NN(LEX##a::n)))"));
  EXPECT_EQ(lexical_tree(tree("(NN(film::n))")), tree("(NN(film::n))"));
  EXPECT_EQ(lexical_tree(tree("(S)")), tree("(S)"));
}

TEST(PruneOptions, LabelThenDepthThenDistance) {
  const Tree all = tree("(S(PP(IN(of)))(NP(REL-NN(dog))(DT(the)))(VP(VB(is)(very))))");
  EXPECT_EQ(prune(all, {.labels = "PP,VP"}), tree("(S(NP(REL-NN(dog))(DT(the))))"));
  EXPECT_EQ(prune(all, {.labels = "PP", .depth = 1}), tree("(S(NP)(VP))"));
  EXPECT_EQ(prune(all, {.distance = 1}), tree("(S(NP(REL-NN(dog))))"));
  EXPECT_EQ(prune(tree("(a(b))"), {.distance = 0}), tree("(a(b))"));
  EXPECT_EQ(prune(all, {}), all);
  EXPECT_TRUE(test::fails_with("'S' leaves nothing", [&] { prune(all, {.labels = "NP,S"}); }));
}

double feature(const FeatureVector& vector, std::string_view name) {
  for (std::size_t k = 0; k < vector.features.size(); ++k) {
    if (vector.features[k] == name) return vector.values[k];
  }
  return -9;
}

TEST(PairFeatures, CountWhatIsInCommon) {
  const Sentence a = sentence("The 2 det DET\ndog 3 nsubj NOUN\nsees 0 root VERB\n! 3 punct PUNCT");
  const Sentence b =
      sentence("A 2 det DET\ndog 0 root NOUN\nsees 2 x VERB\nthe 5 det DET\nsea 3 obj NOUN");
  const FeatureVector out = pair_features(a.words, b.words);
  EXPECT_FALSE(out.dense);
  EXPECT_DOUBLE_EQ(feature(out, "words"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(feature(out, "words_a"), 1.0);
  EXPECT_DOUBLE_EQ(feature(out, "words_b"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(feature(out, "content_a"), 1.0);
  EXPECT_DOUBLE_EQ(feature(out, "content_b"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(feature(out, "bigrams"),
                   1.0 / 5);  // dog sees; the dog, a dog, sees the, the sea
  EXPECT_DOUBLE_EQ(feature(out, "length_ratio"), 3.0 / 5);
  EXPECT_EQ(feature(out, "mean_vector"), -9);
  const FeatureVector none = pair_features({}, b.words);
  for (const double value : none.values) EXPECT_EQ(value, 0);
}

TEST(PairFeatures, ByWordVectors) {
  WordVectors vectors;
  vectors.dimension = 2;
  const std::pair<const char*, std::vector<float>> rows[] = {
      {"dog::n", {1, 0}}, {"cat::n", {0.8F, 0.6F}}, {"run::v", {0, 1}}};
  for (const auto& [word, values] : rows) {
    vectors.words.intern(word);
    vectors.row.push_back(static_cast<std::uint32_t>(vectors.found()));
    vectors.values.insert(vectors.values.end(), values.begin(), values.end());
  }
  const Sentence a = sentence("dog 2 nsubj NOUN\nrun 0 root VERB");
  const Sentence b = sentence("cat 0 root NOUN\nunknown 1 x NOUN");
  const FeatureVector out = pair_features(a.words, b.words, &vectors);
  EXPECT_NEAR(feature(out, "mean_vector"), 1.4 / std::sqrt(2), 1e-6);
  EXPECT_NEAR(feature(out, "aligned_a"), (0.8 + 0.6) / 2, 1e-6);
  EXPECT_NEAR(feature(out, "aligned_b"), 0.8 / 2, 1e-6);
  EXPECT_NEAR(vector_similarity(a.words[0], b.words[0], vectors), 0.8, 1e-6);
  EXPECT_EQ(vector_similarity(a.words[0], b.words[1], vectors), 0);
}

}  // namespace
}  // namespace espalier
