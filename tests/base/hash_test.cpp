#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace espalier {
namespace {

TEST(HashOfBytes, DependsOnEveryByteAndOnTheLength) {
  std::set<std::uint64_t> seen;
  std::size_t texts = 0;
  for (std::size_t length = 0; length < 40; ++length) {
    std::string text(length, 'a');
    seen.insert(hash::bytes(text));
    ++texts;
    for (std::size_t at = 0; at < length; ++at) {
      text[at] = 'b';
      seen.insert(hash::bytes(text));
      text[at] = 'a';
      ++texts;
    }
  }
  EXPECT_EQ(seen.size(), texts);
}

TEST(HashOfBytes, SpreadsItsUpperBits) {
  // The table takes the home of an entry from these: 26 of them for a small table.
  std::set<std::uint64_t> homes;
  for (int i = 0; i < 10'000; ++i) homes.insert(hash::bytes("w" + std::to_string(i)) >> 48);
  EXPECT_GT(homes.size(), 8'500U);  // 9,280 are expected of a random function
}

TEST(HashOfBytes, DoesNotReadBeyondTheText) {
  const std::string text = "0123456789abcdefghij";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    // A vector of exactly that size: the address sanitizer guards its end.
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_EQ(hash::bytes({exact.data(), exact.size()}), hash::bytes(text.substr(0, length)));
  }
}

const std::vector<std::vector<std::uint64_t>> sequences = {{},     {0},    {0, 0}, {1},      {0, 1},
                                                           {1, 0}, {2, 1}, {1, 2}, {1, 2, 0}};
const std::uint32_t labels[] = {0, 1, 2, 0xFFFFFFFE};

TEST(HashOfSequence, DependsOnLabelOrderAndNumberOfValues) {
  std::set<std::uint64_t> seen;
  for (const std::uint32_t label : labels) {
    for (const auto& below : sequences) seen.insert(hash::sequence(label, below));
  }
  EXPECT_EQ(seen.size(), 4 * sequences.size());
}

TEST(HashOfMultiset, DependsOnLabelAndValuesButNotOnTheirOrder) {
  std::set<std::uint64_t> seen;
  for (const std::uint32_t label : labels) {
    for (const auto& below : sequences) seen.insert(hash::multiset(label, below));
  }
  EXPECT_EQ(seen.size(), 4 * (sequences.size() - 2));  // {0, 1} and {1, 2} are there in both orders
}

TEST(EqualBytes, SeesEveryByte) {
  for (std::size_t size = 0; size < 30; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(hash::equal(text.data(), std::string(text).data(), size));
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'b';
      EXPECT_FALSE(hash::equal(text.data(), other.data(), size)) << size << " " << at;
    }
  }
}

}  // namespace
}  // namespace espalier
