#include "learn/sweep.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "learn/problems.hpp"

namespace espalier {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Numbers of few distinct values, so that there are many ties, for all arguments of the sweeps.
struct Arrays {
  Arrays(std::size_t size, std::uint64_t seed) {
    test::Numbers numbers(seed);
    const auto some = [&] { return static_cast<double>(numbers.below(9)) - 4; };
    for (std::size_t k = 0; k < size; ++k) {
      products.push_back(some());
      up.push_back(numbers.below(4) == 0 ? unbounded : some());
      down.push_back(numbers.below(4) == 0 ? -unbounded : some());
      selves.push_back(some());
      row_a.push_back(static_cast<float>(some()));
      row_b.push_back(static_cast<float>(some()));
    }
  }
  std::vector<double> products, up, down, selves;
  std::vector<float> row_a, row_b;
};

class Sweeps : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t size = GetParam();
};

TEST_P(Sweeps, AddRowsAndFindTheFirstSmallest) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Arrays arrays(size, seed);
    std::vector<double> expected = arrays.products;
    Smallest smallest;
    for (std::size_t k = 0; k < size; ++k) {
      expected[k] += 0.5 * static_cast<double>(arrays.row_a[k]);
      expected[k] -= 0.25 * static_cast<double>(arrays.row_b[k]);
      const double value = expected[k] + arrays.up[k];
      if (value < smallest.value) smallest = {value, k};
    }
    const Smallest found = add_rows(arrays.products.data(), {arrays.row_a.data(), 0.5},
                                    {arrays.row_b.data(), -0.25}, arrays.up.data(), size);
    EXPECT_EQ(arrays.products, expected);
    EXPECT_EQ(found.value, smallest.value);
    EXPECT_EQ(found.index, smallest.index);
    const Smallest again = smallest_sum(arrays.products.data(), arrays.up.data(), size);
    EXPECT_EQ(again.value, smallest.value);
    EXPECT_EQ(again.index, smallest.index);
  }
}

TEST_P(Sweeps, FindTheFirstOfTheBestPartners) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Arrays arrays(size, seed);
    Partner best;
    for (std::size_t k = 0; k < size; ++k) {
      const double value = arrays.products[k] + arrays.down[k], d = value + 1;
      best.largest = std::max(best.largest, value);
      const double curvature =
          pair_curvature(2, arrays.selves[k], static_cast<double>(arrays.row_a[k]));
      if (d > 0 && d * d / curvature > best.gain) {
        best.gain = d * d / curvature;
        best.index = k;
      }
    }
    const Partner found = best_partner(arrays.products.data(), arrays.down.data(),
                                       arrays.selves.data(), {-1, 2, arrays.row_a.data()}, size);
    EXPECT_EQ(found.largest, best.largest);
    EXPECT_EQ(found.gain, best.gain);
    EXPECT_EQ(found.index, best.index);
  }
}

// Below, at and above the widths of lanes and blocks.
INSTANTIATE_TEST_SUITE_P(AllSizes, Sweeps,
                         testing::Values(0, 1, 2, 7, 8, 9, 100, 511, 512, 513, 1024, 1500));

}  // namespace
}  // namespace espalier
