// Similarities of many words: remembered ones beside plain sums of products.
#include "similarity/similarity_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/trees.hpp"

namespace espalier {
namespace {

/// Words of two parts of speech in turn, more than a tile of each, one without a vector, one label
/// that is no word.
class SimilarityTables : public testing::Test {
 protected:
  static constexpr std::size_t words = 150;
  static constexpr std::size_t dimension = 7;

  SimilarityTables() {
    test::Random random(3);
    auto vectors = std::make_shared<WordVectors>();
    vectors->dimension = dimension;
    for (std::size_t w = 0; w < words; ++w) {
      const std::string word = "w" + std::to_string(w) + (w % 3 == 0 ? "::v" : "::n");
      vectors->words.intern(word);
      labels_.intern("LEX##" + word);
      if (w == 50) {
        vectors->row.push_back(none);
        continue;
      }
      vectors->row.push_back(static_cast<std::uint32_t>(vectors->found()));
      for (std::size_t k = 0; k < dimension; ++k) {
        vectors->values.push_back(static_cast<float>(random.below(2001)) - 1000);
      }
    }
    labels_.intern("POS##NN");
    SmoothedTreeOptions options;
    options.vectors = "file";
    options.threshold = 0.1;
    similarity_ = std::make_unique<LabelSimilarity>(labels_, options, *vectors);
  }

  float expected(LabelId a, LabelId b) const {
    if (a == b) return 1;
    double sum = 0;
    for (std::size_t k = 0; k < dimension; ++k) {
      sum += static_cast<double>(similarity_->vector(a)[k]) *
             static_cast<double>(similarity_->vector(b)[k]);
    }
    return sum < 0.1 ? 0 : static_cast<float>(sum);
  }

  /// The words that have vectors, of a part of speech.
  std::vector<LabelId> members(bool verbs) const {
    std::vector<LabelId> out;
    for (LabelId label = 0; label < words; ++label) {
      if ((label % 3 == 0) == verbs && similarity_->has_vectors(label)) out.push_back(label);
    }
    return out;
  }

  void expect_all(const SimilarityTable& table, const std::vector<LabelId>& same) const {
    for (std::size_t r = 0; r < same.size(); ++r) {
      EXPECT_EQ(table.rank(same[r]), r);
      for (std::size_t c = 0; c < same.size(); ++c) {
        ASSERT_EQ(table.row(same[r])[c], expected(same[r], same[c])) << r << " " << c;
      }
    }
  }

  LabelTable labels_;
  std::unique_ptr<LabelSimilarity> similarity_;
};

TEST_F(SimilarityTables, HoldWhatVectorsSay) {
  SimilarityTable table(*similarity_);
  EXPECT_EQ(SimilarityTable::bytes(*similarity_), 4U * (50 * 50 + 99 * 99));
  for (const bool verbs : {false, true}) {
    const auto same = members(verbs);
    const std::span all(same);
    // In pieces that overlap, in both directions.
    table.require(all.subspan(10, 5), all.first(40));
    table.require(all, all.subspan(same.size() / 2));
    table.require(all.subspan(same.size() / 2), all);
    table.require(all, all);
    expect_all(table, same);
  }
}

TEST_F(SimilarityTables, MayBeAskedByThreads) {
  SimilarityTable table(*similarity_);
  const auto same = members(false);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { table.require(same, same); });
  for (std::thread& thread : threads) thread.join();
  expect_all(table, same);
}

TEST_F(SimilarityTables, HaveTheBitsOfLabelsComparedAlone) {
  const auto same = members(false);
  const std::span all(same);
  LabelComparer comparer(*similarity_);
  comparer.start(all.first(LabelComparer::width));
  std::vector<float> together(same.size() * LabelComparer::width);
  comparer.compare(all, LabelComparer::width, together.data());
  for (std::size_t r = 0; r < same.size(); ++r) {
    float alone[LabelComparer::width];
    comparer.compare(all.subspan(r, 1), LabelComparer::width, alone);
    for (std::size_t c = 0; c < LabelComparer::width; ++c) {
      ASSERT_EQ(together[r * LabelComparer::width + c], alone[c]);
    }
  }
}

}  // namespace
}  // namespace espalier
