#include "espalier/embed/quantize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "espalier/base/random.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

TEST(Quantize, ErrorIsAtMostHalfAScale) {
  Matrix<float> rows(4, 100);
  Random random(1);
  for (std::size_t i = 0; i < 4; ++i) {
    const float size[] = {0, 1, 1e-30F, 1e30F};
    for (float& x : rows.row(i)) x = size[i] * static_cast<float>(random.uniform() - 0.5);
  }
  const QuantizedRows quantized = quantize(rows);
  for (std::size_t i = 0; i < 4; ++i) {
    int largest = 0;
    for (std::size_t j = 0; j < 100; ++j) {
      const float back = quantized.scales[i] * static_cast<float>(quantized.codes(i, j));
      EXPECT_LE(std::abs(back - rows(i, j)), 0.501F * quantized.scales[i]);
      largest = std::max(largest, std::abs(int{quantized.codes(i, j)}));
    }
    EXPECT_EQ(largest, i == 0 ? 0 : 127);
  }
}

TEST(Quantize, DotProductsAreExact) {
  Random random(2);
  std::vector<std::int8_t> a(10000), b(10000);
  std::int64_t expected = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::int8_t>(random.below(255));
    b[i] = static_cast<std::int8_t>(random.below(255));
    expected += std::int64_t{a[i]} * b[i];
  }
  EXPECT_EQ(espalier::dot(a, b), expected);
  std::fill(a.begin(), a.end(), std::int8_t{-127});
  EXPECT_EQ(espalier::dot(a, a), 127 * 127 * 10000);
  EXPECT_EQ(espalier::dot(std::span<const std::int8_t>(), {}), 0);
}

TEST(Quantize, RejectsInfiniteValues) {
  Matrix<float> rows(1, 2);
  rows(0, 0) = 1;
  rows(0, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(test::failure_of([&] { quantize(rows); }).message,
            "a row to be quantized has a number that is not finite");
}

}  // namespace
}  // namespace espalier
