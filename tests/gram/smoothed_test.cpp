// The smoothed kernels against a sum over all pairs of subsequences of children, listed one by one.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "engine/smoothed/similarity_block.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/word_vectors.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/shared_data.hpp"
#include "support/word_trees.hpp"

namespace espalier {
namespace {

using test::agree;
using test::identical;
using test::PlainTree;

/// How similar two labels are.
using Sigma = std::function<double(const std::string&, const std::string&)>;

/// D by its definition: every subsequence of children is a set of bits.
double delta(const PlainTree& x, const PlainTree& y, const PartialTreeOptions& o,
             const Sigma& sigma) {
  const double similarity = sigma(x.label, y.label);
  if (similarity == 0) return 0;
  const double factor = similarity * o.depth_decay, single = o.decay * o.decay;
  const std::size_t m = x.children.size(), n = y.children.size();
  if (m == 0 || n == 0) return factor * single * o.terminal;
  std::vector<std::vector<double>> below(m, std::vector<double>(n));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      below[i][j] = delta(x.children[i], y.children[j], o, sigma);
    }
  }
  double sum = 0;
  for (std::uint32_t a = 1; a < (1U << m); ++a) {
    for (std::uint32_t b = 1; b < (1U << n); ++b) {
      const int length = std::popcount(a);
      if (length != std::popcount(b) || (o.max_length > 0 && length > o.max_length)) continue;
      double term = 1;
      for (std::uint32_t p = a, q = b; p != 0; p &= p - 1, q &= q - 1) {
        term *= below[static_cast<std::size_t>(std::countr_zero(p))]
                     [static_cast<std::size_t>(std::countr_zero(q))];
      }
      const auto span = [](std::uint32_t bits) {
        return std::bit_width(bits) - std::countr_zero(bits);
      };
      const int skipped =
          o.gap == Gap::span ? span(a) + span(b) - 2 : span(a) + span(b) - 2 * length;
      sum += std::pow(o.decay, skipped) * term;
    }
  }
  return factor * (single + sum);
}

double all_pairs(const PlainTree& x, const PlainTree& y, const PartialTreeOptions& o,
                 const Sigma& sigma) {
  double sum = delta(x, y, o, sigma);
  for (const PlainTree& child : y.children) sum += all_pairs(x, child, o, sigma);
  return sum;
}

double kernel_of(const PlainTree& x, const PlainTree& y, const PartialTreeOptions& o,
                 const Sigma& sigma) {
  double sum = all_pairs(x, y, o, sigma);
  for (const PlainTree& child : x.children) sum += kernel_of(child, y, o, sigma);
  return sum;
}

/// The similarities that the kernel uses; label_similarity_test.cpp looks at these alone.
template <class Options>
Sigma sigma_of(const Options& options, const WordVectors& words, const Dataset& data) {
  const LabelTable& labels = data.forests()[0].value.labels();
  const auto similarity = std::make_shared<LabelSimilarity>(labels, options, words);
  return [&labels, similarity](const std::string& a, const std::string& b) -> double {
    if (a == b) return 1;
    const LabelId x = labels.find(a), y = labels.find(b);
    const bool vectors = similarity->has_vectors(x) && similarity->has_vectors(y);
    if (similarity->class_of(x) != similarity->class_of(y) || !vectors) return 0;
    double cosine = 0;
    for (std::size_t k = 0; k < similarity->dimension(); ++k) {
      cosine += static_cast<double>(similarity->vector(x)[k]) *
                static_cast<double>(similarity->vector(y)[k]);
    }
    float value = 0;
    similarity->similarities({&cosine, 1}, &value);
    return static_cast<double>(value);
  };
}

test::Values by_definition(const FittedKernel& kernel, const std::vector<test::MaybeTree>& trees,
                           const Dataset& data) {
  test::Values out(trees.size(), std::vector<double>(trees.size(), 0));
  const auto fill = [&]<class Options>(const Options& options) {
    if constexpr (std::is_base_of_v<SmoothedTreeOptions, Options>) {
      const Sigma sigma = sigma_of(options, *kernel.state.words.at(options.vectors), data);
      for (std::size_t i = 0; i < trees.size(); ++i) {
        for (std::size_t j = 0; j < trees.size(); ++j) {
          if (trees[i] && trees[j]) out[i][j] = kernel_of(*trees[i], *trees[j], options, sigma);
        }
      }
    }
  };
  std::visit(fill, std::get<TreeKernelNode>(kernel.root().what).options);
  return out;
}

class Smoothed : public testing::Test {
 protected:
  std::string with(const std::string& start) const { return start + "vectors=\"" + file + "\")"; }
  /// The kernel with the vectors of the words in the data.
  FittedKernel loaded(const std::string& start, const Dataset& data) const {
    return load_word_vectors(Kernel(with(start)), {&data});
  }

  test::TempDir folder;
  std::string file = test::vector_file(folder);
};

TEST_F(Smoothed, AgreesWithItsDefinition) {
  const std::vector<std::string> starts = {
      "spt(",
      "spt(terminal=0.2, ",
      "spt(lambda=0.7, mu=0.3, gap=span, ",
      "spt(threshold=0.5, max_length=2, ",
      "spt(power=2, center=true, ",
      "cspt(",
      "cspt(lexical=false, same_relation=false, terminal=0.5, ",
      "cspt(compose=product, ",
      "cspt(compose=dilation, same_relation=false, lambda=1, mu=0.2, ",
      "cspt(alpha=0.3, beta=2, power=3, "};
  test::Random random(2014);
  for (std::size_t set = 0; set < 84; ++set) {
    const auto trees = test::random_word_trees(random, 25, 9);
    const Dataset data = test::dataset_of(trees);
    for (std::size_t e = set % 3; e < starts.size(); e += 3) {
      const FittedKernel kernel = loaded(starts[e], data);
      ASSERT_TRUE(agree(gram(kernel, data, test::working(1)), by_definition(kernel, trees, data)))
          << starts[e] << " in set " << set;
    }
  }
}

TEST_F(Smoothed, WithoutAnySimilarityIsPt) {
  test::Random random(3);
  const auto trees = test::random_word_trees(random, 40, 20);
  const Dataset data = test::dataset_of(trees);
  EXPECT_TRUE(agree(gram(loaded("spt(terminal=0.3, threshold=1, ", data), data),
                    gram(Kernel("pt(terminal=0.3)"), data)));
}

TEST_F(Smoothed, IsSymmetricAndPositiveWhileSimilarityIs) {
  // With a threshold some similarities are cut off, and what is left need not be a kernel; nor
  // need it be where a leaf counts differently. Cosines that are all kept are one.
  test::Random random(4);
  for (int set = 0; set < 10; ++set) {
    const Dataset data = test::dataset_of(test::random_word_trees(random, 30, 12));
    for (const char* start : {"spt(threshold=0, power=2, ", "cspt(threshold=0, power=2, "}) {
      EXPECT_TRUE(test::is_gram(gram(loaded(start, data), data))) << start;
    }
  }
}

TEST_F(Smoothed, DoesNotDependOnThreadsMemoryAndCompany) {
  test::Random random(5);
  const auto trees = test::random_word_trees(random, 90, 25);
  const Dataset data = test::dataset_of(trees);
  const Dataset first = test::dataset_of(std::span(trees).first(40));
  for (const std::string start : {"spt(terminal=0.2, ", "cspt(power=2, ", "lex("}) {
    const FittedKernel kernel = loaded(start, data);
    const Matrix<double> one = gram(kernel, data, test::working(1));
    EXPECT_TRUE(identical(one, gram(kernel, data, test::working(3)))) << start;
    for (const std::size_t memory : {1'000, 5'000, 20'000, 100'000}) {
      EXPECT_TRUE(identical(one, gram(kernel, data, test::working(2, memory)))) << start << memory;
    }
    EXPECT_TRUE(agree(one, gram(kernel, data, data))) << start;
    const Matrix<double> part = gram(kernel, first, data);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 90; ++j) EXPECT_TRUE(test::is_near(part(i, j), one(i, j), 1e-12));
    }
    EXPECT_TRUE(test::is_near(gram_row(kernel, data, 7)[60], one(7, 60), 1e-12));
    EXPECT_TRUE(test::is_near(diagonal(kernel, data)[60], one(60, 60), 1e-12));
  }
}

TEST_F(Smoothed, SweepsGiveWhatSingleKernelsGive) {
  test::Random random(6);
  const Dataset data = test::dataset_of(test::random_word_trees(random, 40, 15));
  const auto kernels = load_word_vectors(
      sweep(with("norm(spt(lambda={0.2,0.5,1}, threshold={0.1,0.6}, ") + ")"), {&data});
  const auto all = gram(kernels, data);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_TRUE(agree(all[k], gram(kernels[k], data), 1e-13)) << kernels[k].to_string();
  }
}

Matrix<double> random_coefficients(std::size_t outputs, std::size_t examples) {
  test::Random random(8);
  Matrix<double> out(outputs, examples);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < examples; ++i) {
      out(o, i) = static_cast<double>(random.below(9)) - 4;
    }
  }
  return out;
}

TEST_F(Smoothed, FunctionsAreCompiledAndSavedWithTheirVectors) {
  test::Random random(9);
  const Dataset data = test::dataset_of(test::random_word_trees(random, 40, 15));
  for (const std::string start : {"norm(spt(terminal=0.3, ", "norm(cspt(", "norm(lex("}) {
    const FittedKernel kernel = load_word_vectors(Kernel(with(start) + ")"), {&data});
    const Matrix<double> coefficients = random_coefficients(3, data.size());
    KernelFunctions functions(kernel);
    functions.add(data, coefficients);
    const Matrix<double> kernels = gram(kernel, data);
    test::Values expected(data.size(), std::vector<double>(3, 0));
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t o = 0; o < 3; ++o) {
        for (std::size_t j = 0; j < data.size(); ++j) {
          expected[i][o] += coefficients(o, j) * kernels(i, j);
        }
      }
    }
    EXPECT_TRUE(agree(functions(data), expected, 1e-9)) << start;
    const KernelFunctions again = KernelFunctions::load(functions.save());
    EXPECT_TRUE(identical(again(data), functions(data))) << start;
  }
}

TEST_F(Smoothed, ModelsNeedTheFileForNewWordsOnly) {
  const Dataset known = test::dataset_of({"(LEX##cat::n(LEX##run::v))", "(LEX##car::n)"});
  const Dataset more = test::dataset_of({"(LEX##dog::n(LEX##walk::v))"});
  KernelFunctions functions{loaded("spt(", known)};
  functions.add(known, random_coefficients(2, 2));
  EXPECT_TRUE(test::fails_with("has not been looked up", [&] { functions(more); }));
  const auto with_words = [&](const Dataset& data) { return with_words_of(data, functions)(data); };
  const Matrix<double> before = with_words(more);
  EXPECT_NE(before(0, 0), 0);

  test::write_file(file, "cat::n 1 2 3 4\nwalk::v 1 1 1 1\ndog::n 1 2 3 4\n");
  EXPECT_TRUE(test::fails_with("is not the same file", [&] { with_words(more); }));
  std::filesystem::remove(file);
  EXPECT_TRUE(test::fails_with("cannot read", [&] { with_words(more); }));
  EXPECT_EQ(with_words(known).rows(), 2U);  // needs nothing new
}

TEST_F(Smoothed, LexIsABagOfWordsOrOfVectors) {
  const Dataset data = test::dataset_of({"(LEX##cat::n(LEX##cat::n)(POS##x(LEX##run::v)))",
                                         "(LEX##dog::n(LEX##run::v)(LEX##cat::n))", "(POS##x)"});
  EXPECT_TRUE(agree(gram(Kernel("lex()"), data), {{5, 3, 0}, {3, 3, 0}, {0, 0, 0}}));
  // The dot product of the sums of the unit vectors.
  const Matrix<double> found = gram(loaded("lex(", data), data);
  std::vector<std::vector<double>> sums(2, std::vector<double>(4, 0));
  const std::vector<std::vector<std::string>> words = {{"cat::n", "cat::n", "run::v"},
                                                       {"dog::n", "run::v", "cat::n"}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (const std::string& word : words[i]) {
      const auto& vector = test::word_vectors().at(word);
      double square = 0;
      for (const double x : vector) square += x * x;
      for (std::size_t k = 0; k < 4; ++k) sums[i][k] += vector[k] / std::sqrt(square);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < 4; ++k) dot += sums[i][k] * sums[j][k];
      EXPECT_NEAR(found(i, j), dot, 1e-6);
    }
  }
}

TEST_F(Smoothed, EdgesAndMistakes) {
  const Dataset data = test::dataset_of({"(LEX##cat::n)", "(LEX##dog::n)", "()"});
  const Matrix<double> values = gram(loaded("spt(terminal=0.5, ", data), data);
  EXPECT_NEAR(values(0, 0), 0.4 * 0.16 * 0.5, 1e-15);
  EXPECT_GT(values(0, 1), 0);
  EXPECT_EQ(values(0, 2), 0);
  EXPECT_EQ(gram(loaded("spt(", data), data.select({})).rows(), 0U);
  EXPECT_TRUE(test::fails_with("needs word vectors", [&] { gram(Kernel("spt()"), data); }));
  const Kernel nowhere("spt(vectors=nowhere.txt)");
  EXPECT_TRUE(test::fails_with("have not been loaded", [&] { gram(nowhere, data); }));
  EXPECT_TRUE(
      test::fails_with("cannot read nowhere.txt", [&] { load_word_vectors(nowhere, {&data}); }));
}

TEST(SmoothedOnQuestions, IsSymmetricAndPositive) {
  const std::string questions = test::shared_data("qc_kelp_test.klp.gz");
  const std::string vectors = test::shared_data("glove.6B.100d.subset.txt.gz");
  ESPALIER_NEEDS_DATA(questions);
  ESPALIER_NEEDS_DATA(vectors);
  const Dataset data = read(questions);
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < data.size(); i += 4) some.push_back(i);
  for (const std::string start : {"norm(spt(lct, ", "norm(cspt(clct, "}) {
    const Kernel kernel(start + "vectors=\"" + vectors + "\"))");
    EXPECT_TRUE(test::is_gram(gram(load_word_vectors(kernel, {&data}), data.select(some))))
        << start;
  }
}

}  // namespace
}  // namespace espalier
