// Treebanks and the trees of another program, which are not part of this project. Skipped where
// they are not there.
#include <gtest/gtest.h>

#include <cstdlib>

#include "espalier/io/sentence_reader.hpp"
#include "espalier/represent/arguments.hpp"
#include "represent/lower_case.hpp"
#include "support/archive.hpp"
#include "support/files.hpp"
#include "support/shared_data.hpp"

namespace espalier {
namespace {

/// What trees with punctuation keep of a sentence.
Sentence as_shown(const Sentence& sentence) {
  Sentence out;
  for (const Word& word : sentence.words) {
    std::string text;
    append_lower_case(text, word.lemma == "_" ? word.form : word.lemma);
    Word shown;
    shown.form = shown.lemma = text;
    shown.head = word.head;
    shown.xpos = word.xpos == "_" ? word.upos : word.xpos;
    shown.deprel = word.deprel;
    out.words.push_back(std::move(shown));
  }
  return out;
}

/// Whether no dependency crosses another one: the words below each word are without gaps.
bool is_projective(const Sentence& sentence) {
  const Dependents dependents(sentence);
  const auto order = dependents.top_down();
  std::vector<std::uint32_t> low(order.size());
  std::vector<std::uint32_t> high(order.size());
  std::vector<std::uint32_t> count(order.size());
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t word = order[i];
    low[word] = high[word] = word;
    count[word] = 1;
    for (const auto* at = dependents.begin(word); at != dependents.end(word); ++at) {
      low[word] = std::min(low[word], low[*at]);
      high[word] = std::max(high[word], high[*at]);
      count[word] += count[*at];
    }
    if (high[word] - low[word] + 1 != count[word]) return false;
  }
  return true;
}

struct Counts {
  std::size_t sentences = 0;
  std::size_t words = 0;
  std::size_t projective = 0;
};

void check(const Sentence& sentence, Counts& counts) {
  ++counts.sentences;
  counts.words += sentence.words.size();
  const bool projective = is_projective(sentence);
  if (projective) ++counts.projective;
  Sentence expected = as_shown(sentence);
  for (const SentenceForm form : {SentenceForm::grct, SentenceForm::lct, SentenceForm::cgrct,
                                  SentenceForm::clct, SentenceForm::loct}) {
    const SentenceTree out = represent(sentence, form, {.punctuation = true});
    if (form == SentenceForm::loct) {
      for (Word& word : expected.words) word.xpos = word.deprel = "_";
    }
    ASSERT_EQ(sentence_of(out.tree, form, out.words), expected) << *sentence.find("sent_id");
    const bool in_place = form == SentenceForm::grct || form == SentenceForm::cgrct;
    if (in_place && projective) {
      ASSERT_EQ(sentence_of(out.tree, form), expected) << *sentence.find("sent_id");
    }
  }
}

TEST(SlowRealSentences, OfEnglishEwtBecomeTreesAndAreReadBackInOrder) {
  const std::string path = test::shared_data("ud_english_ewt.tar.xz");
  ESPALIER_NEEDS_DATA(path);
  const test::TempDir folder;
  if (std::system(("tar -xf '" + path + "' -C '" + folder.path() + "'").c_str()) != 0) {
    GTEST_SKIP() << "tar cannot unpack " << path;
  }
  Counts counts;
  for (const char* part : {"train.rebuilt", "dev", "test"}) {
    SentenceReader reader(Source(folder.path("en_ewt-ud-" + std::string(part) + ".conllu")));
    for (Sentence sentence; reader.next(sentence);) {
      ASSERT_NO_FATAL_FAILURE(check(sentence, counts));
    }
  }
  EXPECT_EQ(counts.sentences, 16'622U);
  EXPECT_EQ(counts.words, 254'818U);
  EXPECT_EQ(counts.projective, 16'277U);
}

// KeLP's trees of questions: the dependencies of each are read from its grct; what we make of them
// must be all of its five trees.
TEST(RealSentences, OfKelpBecomeTheTreesThatKelpMakes) {
  for (const char* file : {"qc_kelp_test.klp.gz", "qc_kelp_train.klp.gz"}) {
    const std::string path = test::shared_data(file);
    ESPALIER_NEEDS_DATA(path);
    std::size_t examples = 0;
    std::size_t equal[5] = {};
    for (const Example& example : test::examples_in(path)) {
      ++examples;
      ASSERT_EQ(example.trees.size(), 5U);
      const Sentence sentence = sentence_of(example.trees[0].value, SentenceForm::grct);
      for (int i = 0; i < 5; ++i) {
        const auto form = static_cast<SentenceForm>(i);
        ASSERT_EQ(example.trees[static_cast<std::size_t>(i)].name, name_of(form));
        const Tree tree = represent(sentence, form, {.punctuation = true}).tree;
        if (tree == example.trees[static_cast<std::size_t>(i)].value) ++equal[i];
      }
    }
    for (const std::size_t count : equal) EXPECT_EQ(count, examples) << file;
  }
}

TEST(RealSentences, OfUniversalPropBankHaveCandidatesForAlmostAllArguments) {
  const std::string path = test::shared_data("up_english_ewt_dev.tar.gz");
  ESPALIER_NEEDS_DATA(path);
  const test::TempDir folder;
  SentenceReader reader(Source(folder.file(
      "up.conllu", test::file_in_archive(path, "UP_English-EWT/en_ewt-up-dev.conllu"))));
  std::size_t predicates = 0;
  std::size_t arguments = 0;
  std::size_t found = 0;
  for (Sentence sentence; reader.next(sentence);) {
    for (const Predicate& predicate : predicates_of(sentence)) {
      ++predicates;
      const auto candidates = argument_candidates(sentence, predicate.word);
      for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
        if (i == predicate.word || predicate.role(sentence.words[i]).empty()) continue;
        ++arguments;
        if (std::ranges::find(candidates, i) != candidates.end()) ++found;
      }
    }
  }
  EXPECT_EQ(predicates, 4'977U);
  EXPECT_EQ(arguments, 9'681U);
  EXPECT_EQ(found, 9'619U);
}

}  // namespace
}  // namespace espalier
