// Which labels match, and how much.
#include "similarity/label_similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace espalier {
namespace {

WordVectors vectors(const std::vector<std::pair<std::string, std::vector<float>>>& all) {
  WordVectors out;
  for (const auto& [word, vector] : all) {
    out.words.intern(word);
    out.row.push_back(vector.empty() ? none : static_cast<std::uint32_t>(out.found()));
    if (!vector.empty()) out.dimension = vector.size();
    out.values.insert(out.values.end(), vector.begin(), vector.end());
  }
  out.mean.assign(out.dimension, 0.5F);
  return out;
}

LabelTable table(const std::vector<std::string>& labels) {
  LabelTable out;
  for (const std::string& label : labels) out.intern(label);
  return out;
}

double cosine(const LabelSimilarity& all, LabelId a, LabelId b) {
  double sum = 0;
  for (std::size_t k = 0; k < all.dimension(); ++k) {
    sum += static_cast<double>(all.vector(a)[k]) * static_cast<double>(all.vector(b)[k]);
  }
  return sum;
}

SmoothedTreeOptions smoothed() {
  SmoothedTreeOptions options;
  options.vectors = "file";
  return options;
}

WordVectors vectors() {
  return vectors({{"cat::n", {3, 4}},
                  {"dog::n", {4, 3}},
                  {"run::v", {1, 0}},
                  {"odd::n", {}},
                  {"nil::n", {0, 0}},
                  {",::,", {0, 1}},
                  {"*::*", {}}});
}

TEST(LabelSimilarity, PutsWordsOfOnePartOfSpeechTogether) {
  const LabelSimilarity all(table({"LEX##cat::n", "LEX##dog::n", "LEX##run::v", "POS##NN", "cat::n",
                                   "LEX##odd::n", "LEX##nil::n", "SYNT##x::n"}),
                            smoothed(), vectors());
  EXPECT_EQ(all.class_of(0), all.class_of(1));
  EXPECT_EQ(all.class_of(0), all.class_of(4));  // without a type it is a word too
  EXPECT_NE(all.class_of(0), all.class_of(2));
  EXPECT_NEAR(cosine(all, 0, 1), 24.0 / 25, 1e-7);
  for (const LabelId alone : {3U, 5U, 6U, 7U}) {  // no word, no vector, a vector of length 0
    EXPECT_FALSE(all.has_vectors(alone));
    for (LabelId other = 0; other < 8; ++other) {
      EXPECT_EQ(all.class_of(alone) == all.class_of(other), alone == other);
    }
  }
}

TEST(LabelSimilarity, CutsAndRaises) {
  using Values = std::vector<float>;
  const auto similarities = [](const SmoothedTreeOptions& options,
                               const std::vector<double>& cosines) {
    Values out(cosines.size());
    LabelSimilarity({}, options, vectors()).similarities(cosines, out.data());
    return out;
  };
  SmoothedTreeOptions options = smoothed();
  options.threshold = 0.3;
  EXPECT_EQ(similarities(options, {0.29, 0.5, -0.5, 1.0000001}), (Values{0, 0.5, 0, 1}));
  options.power = 3;
  options.threshold = 0;
  EXPECT_EQ(similarities(options, {0.5, -0.5, 1.5}), (Values{0.125, 0, 1}));
  options.power = 0.5;
  options.threshold = 0.3;
  EXPECT_EQ(similarities(options, {0.25, 0.0625}), (Values{0.5, 0}));
}

TEST(LabelSimilarity, Centres) {
  SmoothedTreeOptions options = smoothed();
  options.center = true;
  const LabelSimilarity all(table({"LEX##cat::n", "LEX##dog::n"}), options, vectors());
  const double expected = (2.5 * 3.5 + 3.5 * 2.5) / (2.5 * 2.5 + 3.5 * 3.5);
  EXPECT_NEAR(cosine(all, 0, 1), expected, 1e-7);
}

CompositionalTreeOptions compositional() {
  CompositionalTreeOptions options;
  static_cast<SmoothedTreeOptions&>(options) = smoothed();
  return options;
}

TEST(LabelSimilarity, ComposesHeadAndModifier) {
  const std::vector<double> head = {1, 0}, modifier = {0.6, 0.8};
  CompositionalTreeOptions options = compositional();
  const auto vector = [&](const char* label) {
    const LabelSimilarity all(table({label}), options, vectors());
    return std::vector<float>(all.vector(0).begin(), all.vector(0).end());
  };
  const auto expect = [&](double x, double y) {
    const auto found = vector("COMP##nsubj<run::v,cat::n>");
    EXPECT_NEAR(found[0], x / std::hypot(x, y), 1e-7);
    EXPECT_NEAR(found[1], y / std::hypot(x, y), 1e-7);
  };
  options.alpha = 2;
  expect(2 * 1 + 0.6, 0.8);
  options.compose = VectorComposition::dilation;
  expect(1 + 0.6 * 0.6, 0.6 * 0.8);
  options.compose = VectorComposition::product;
  expect(0.6, 0);
}

TEST(LabelSimilarity, ReplacesAMissingPartByTheOther) {
  CompositionalTreeOptions options = compositional();
  const LabelSimilarity all(table({"COMP##root<*::*,cat::n>", "COMP##root<*::*,dog::n>",
                                   "COMP##nsubj<run::v,odd::n>", "COMP##nsubj<odd::n,odd::n>"}),
                            options, vectors());
  EXPECT_EQ(all.class_of(0), all.class_of(1));
  EXPECT_NEAR(cosine(all, 0, 1), 24.0 / 25, 1e-7);
  EXPECT_NEAR(all.vector(2)[0], 1, 1e-7);
  EXPECT_FALSE(all.has_vectors(3));
}

TEST(LabelSimilarity, ComparesRelationsOnlyIfAsked) {
  const LabelTable labels = table({"COMP##nsubj<run::v,cat::n>", "COMP##dobj<run::v,dog::n>",
                                   "COMP##dobj<cat::n,dog::n>", "LEX##cat::n", "LEX##dog::n"});
  CompositionalTreeOptions options = compositional();
  const LabelSimilarity strict(labels, options, vectors());
  EXPECT_NE(strict.class_of(0), strict.class_of(1));
  EXPECT_EQ(strict.class_of(3), strict.class_of(4));
  options.same_relation = options.lexical = false;
  const LabelSimilarity loose(labels, options, vectors());
  EXPECT_EQ(loose.class_of(0), loose.class_of(1));
  EXPECT_NE(loose.class_of(1), loose.class_of(2));  // other parts of speech
  EXPECT_NE(loose.class_of(3), loose.class_of(4));
}

std::vector<std::string> words_in(std::string_view label) {
  std::vector<std::string> out;
  for_each_word(label, [&](std::string_view word) { out.emplace_back(word); });
  return out;
}

TEST(LabelSimilarity, FindsTheWordsOfALabel) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_in("LEX##film::n"), Words{"film::n"});
  EXPECT_EQ(words_in("LEX##film"), Words{"film"});
  EXPECT_EQ(words_in("film::n"), Words{"film::n"});
  EXPECT_EQ(words_in("film"), Words{});
  EXPECT_EQ(words_in("POS##a::b"), Words{});
  EXPECT_EQ(words_in("COMP##nsubj<like::v,film::n>"), (Words{"like::v", "film::n"}));
  EXPECT_EQ(words_in("COMP##punct<be::v,,::,>"), (Words{"be::v", ",::,"}));
  EXPECT_EQ(words_in("COMP##punct<,::,,be::v>"), (Words{",::,", "be::v"}));
  EXPECT_EQ(words_in("COMP##x<a,b>"), (Words{"a", "b"}));
  for (const char* broken :
       {"COMP##x", "COMP##x<a>", "COMP##x<a::b", "COMP##<", "COMP##>", "LEX##"}) {
    EXPECT_LE(words_in(broken).size(), 1U) << broken;
  }
}

}  // namespace
}  // namespace espalier
