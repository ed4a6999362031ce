#include "espalier/base/id_index.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "support/cases.hpp"

namespace espalier {
namespace {

/// Numbers by content, with a hash that the test chooses.
class Numbers {
 public:
  std::uint32_t add(int number, std::uint64_t hash) {
    return index_.find_or_add(
        hash, [&](std::uint32_t id) { return known_[id] == number; },
        [&] {
          known_.push_back(number);
          return static_cast<std::uint32_t>(known_.size() - 1);
        });
  }
  std::uint32_t find(int number, std::uint64_t hash) const {
    return index_.find(hash, [&](std::uint32_t id) { return known_[id] == number; });
  }
  IdIndex& index() { return index_; }

 private:
  std::vector<int> known_;
  IdIndex index_;
};

std::uint64_t spread(int number) { return static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15; }
std::uint64_t same(int) { return 0xABCDEF0123456789; }
/// Differ only where the table does not look.
std::uint64_t low_half(int number) { return static_cast<std::uint64_t>(number); }
/// All at home in the last slot: probing must go around the end.
std::uint64_t at_the_end(int number) { return ~std::uint64_t{0} - (spread(number) >> 33); }

struct Hash : test::Row {
  std::uint64_t (*function)(int) = nullptr;
  int count = 1'500;
};

class IdIndexWithHash : public testing::TestWithParam<Hash> {};

TEST_P(IdIndexWithHash, FindsWhatWasAddedThroughAllGrowth) {
  const auto hash = GetParam().function;
  const int count = GetParam().count;
  Numbers numbers;
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(numbers.find(i, hash(i)), none) << i;
    ASSERT_EQ(numbers.add(i, hash(i)), static_cast<std::uint32_t>(i));
    ASSERT_EQ(numbers.add(i / 2, hash(i / 2)), static_cast<std::uint32_t>(i / 2));
  }
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(numbers.find(i, hash(i)), static_cast<std::uint32_t>(i));
    ASSERT_EQ(numbers.add(i, hash(i)), static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(numbers.find(count, hash(count)), none);
}

INSTANTIATE_TEST_SUITE_P(Hashes, IdIndexWithHash,
                         testing::Values(Hash{{"Spread"}, spread, 100'000},
                                         Hash{{"AllEqual"}, same},
                                         Hash{{"EqualUpperHalves"}, low_half},
                                         Hash{{"AllAtTheEnd"}, at_the_end}),
                         test::RowName());

TEST(IdIndex, IsEmptyAtFirst) {
  EXPECT_EQ(IdIndex().find(0, [](std::uint32_t) { return true; }), none);
}

TEST(IdIndex, DoesNotAskAboutContentWhenHashesDiffer) {
  Numbers numbers;
  numbers.add(1, spread(1));
  EXPECT_EQ(numbers.index().find(spread(2), [](std::uint32_t) { return true; }), none);
}

TEST(IdIndex, ForgetsAnItemWhoseMakingFailed) {
  Numbers numbers;
  numbers.add(1, same(1));
  EXPECT_THROW(numbers.index().find_or_add(
                   same(2), [](std::uint32_t) { return false; },
                   []() -> std::uint32_t { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(numbers.find(1, same(1)), 0U);
  EXPECT_EQ(numbers.find(2, same(2)), none);
  EXPECT_EQ(numbers.add(2, same(2)), 1U);
}

}  // namespace
}  // namespace espalier
