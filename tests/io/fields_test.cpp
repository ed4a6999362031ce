#include "io/fields.hpp"

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/examples.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::dense;
using test::sparse;

Text text(std::string_view bytes) { return {bytes, "f", 1}; }

TEST(SparseVector, SplitsEachWordAtItsLastColon) {
  EXPECT_EQ(parse_sparse(text(""), {}), sparse({}));
  EXPECT_EQ(parse_sparse(text(" \t "), {}), sparse({}));
  EXPECT_EQ(parse_sparse(text("a:1"), {}), sparse({{"a", 1}}));
  EXPECT_EQ(parse_sparse(text("  a:1\tb:-2.5  c:1e3 "), {}),
            sparse({{"a", 1}, {"b", -2.5}, {"c", 1000}}));
  EXPECT_EQ(parse_sparse(text("http://x:8080:1 ::2 :3 _?__.:1.0"), {}),
            sparse({{"http://x:8080", 1}, {":", 2}, {"", 3}, {"_?__.", 1}}));
  EXPECT_EQ(parse_sparse(text("a\\ b:1 c\\|d:2 e\\n:3 f\\\\:4"), {}),
            sparse({{"a b", 1}, {"c|d", 2}, {"e\\n", 3}, {"f\\", 4}}));
  EXPECT_EQ(parse_sparse(text("a:1 a:2"), {}), sparse({{"a", 1}, {"a", 2}}));
}

TEST(DenseVector, SplitsAtBlanksCommasAndSemicolons) {
  EXPECT_EQ(parse_dense(text(""), {}), dense({}));
  EXPECT_EQ(parse_dense(text("1 2.5 -3"), {}), dense({1, 2.5, -3}));
  EXPECT_EQ(parse_dense(text("1,2;3 4\t5"), {}), dense({1, 2, 3, 4, 5}));
  EXPECT_EQ(parse_dense(text(" 1, 2; 3 , "), {}), dense({1, 2, 3}));
}

struct BadVector : test::Row {
  bool is_dense = false;
  const char* content = "";
  const char* place = "";
  const char* message = "";
};

class VectorErrors : public testing::TestWithParam<BadVector> {};

TEST_P(VectorErrors, AreReportedWithLocationAndReason) {
  const test::Failure failure = test::failure_of(
      [] { (GetParam().is_dense ? parse_dense : parse_sparse)(text(GetParam().content), {}); });
  EXPECT_EQ(failure.place(), GetParam().place);
  EXPECT_TRUE(test::contains(failure.message, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, VectorErrors,
    testing::Values(BadVector{{"NoColon"}, false, "a:1 b c:2", "1:5", "expected feature:value"},
                    BadVector{{"NoValue"}, false, "a:1 b:", "1:7", "not a finite number"},
                    BadVector{{"WordAsValue"}, false, "a:1 b:c", "1:7", "not a finite number"},
                    BadVector{{"NotANumber"}, false, "a:nan", "1:3", "not a finite number"},
                    BadVector{{"Infinite"}, false, "a:-inf", "1:3", "not a finite number"},
                    BadVector{{"TooLarge"}, false, "x:2 a:1e999", "1:7", "not a finite number"},
                    BadVector{{"DenseWord"}, true, "1 2 x", "1:5", "not a finite number"},
                    BadVector{{"DenseNotANumber"}, true, "1,nan", "1:3", "not a finite number"},
                    BadVector{{"DensePair"}, true, "1 a:2", "1:3", "not a finite number"}),
    test::RowName());

TEST(Vectors, RoundTrip) {
  test::Random random(1);
  for (int i = 0; i < 2'000; ++i) {
    FeatureVector vector;
    vector.dense = random.one_in(3);
    for (std::size_t left = random.below(5); left > 0; --left) {
      if (!vector.dense) vector.features.push_back(test::nasty_text(random));
      vector.values.push_back(static_cast<double>(random.below(1'000)) / 7 - 50);
    }
    std::string out;
    append_vector(out, vector);
    ASSERT_EQ((vector.dense ? parse_dense : parse_sparse)(text(out), {}), vector) << out;
  }
}

TEST(Words, RejectTabsLineBreaksAndNulBytes) {
  for (const std::string& word : {std::string("a\tb"), std::string("\n"), std::string("\0", 1)}) {
    std::string out;
    EXPECT_TRUE(test::fails_with("tab, line end or NUL", [&] { append_word(out, word); }));
  }
}

}  // namespace
}  // namespace espalier
