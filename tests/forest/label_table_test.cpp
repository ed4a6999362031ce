#include "espalier/forest/label_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

TEST(LabelTable, NumbersTextsInOrderOfFirstAppearance) {
  LabelTable table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.intern("NP"), 0U);
  EXPECT_EQ(table.intern("VP"), 1U);
  EXPECT_EQ(table.intern("NP"), 0U);
  EXPECT_EQ(table.intern(""), 2U);
  EXPECT_EQ(table.intern(""), 2U);
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table.text(0), "NP");
  EXPECT_EQ(table.text(1), "VP");
  EXPECT_EQ(table.text(2), "");
}

TEST(LabelTable, FindsOnlyWhatIsThere) {
  LabelTable table;
  EXPECT_EQ(table.find("NP"), none);
  EXPECT_EQ(table.find(""), none);
  table.intern("NP");
  EXPECT_EQ(table.find("NP"), 0U);
  EXPECT_EQ(table.find("N"), none);
  EXPECT_EQ(table.find("NPP"), none);
  EXPECT_EQ(table.find(""), none);
  EXPECT_EQ(table.size(), 1U);
}

TEST(LabelTable, DistinguishesTextsByNulBytesAndEncoding) {
  LabelTable table;
  const std::string texts[] = {"a", std::string("a\0", 2), std::string("\0a", 2), "é", "e\u0301"};
  for (LabelId i = 0; i < 5; ++i) EXPECT_EQ(table.intern(texts[i]), i);
  for (LabelId i = 0; i < 5; ++i) EXPECT_EQ(table.text(i), texts[i]);
}

TEST(LabelTable, HoldsManyTextsAndLongOnes) {
  LabelTable table;
  const LabelId count = 50'000;
  for (LabelId i = 0; i < count; ++i) ASSERT_EQ(table.intern("label " + std::to_string(i)), i);
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(table.intern(large), count);
  EXPECT_EQ(table.intern(large + "y"), count + 1);
  for (LabelId i = 0; i < count; i += 997) {
    EXPECT_EQ(table.text(i), "label " + std::to_string(i));
    EXPECT_EQ(table.find("label " + std::to_string(i)), i);
  }
  EXPECT_EQ(table.text(count), large);
}

TEST(LabelTable, InternsViewsOfItsOwnText) {
  LabelTable table;
  table.intern("a rather long label, longer than any small buffer");
  EXPECT_EQ(table.intern(table.text(0)), 0U);
  EXPECT_EQ(table.intern(table.text(0).substr(2, 6)), 1U);
  EXPECT_EQ(table.text(1), "rather");
}

TEST(LabelTable, IsCopiedWithItsContent) {
  LabelTable table;
  table.intern("a");
  LabelTable copy = table;
  EXPECT_EQ(copy.intern("b"), 1U);
  EXPECT_EQ(copy.find("a"), 0U);
  EXPECT_EQ(table.find("b"), none);
}

}  // namespace
}  // namespace espalier
