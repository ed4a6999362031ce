#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::parsed;
using test::parsed_one;
using test::read_as;

/// The labels in preorder, each with its number of children.
std::string shape(const Tree& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    out += std::string(tree.label(i)) + "/" + std::to_string(tree.children(i)) + " ";
  }
  return out;
}

std::string glycan(const char* text, Linkages linkages = Linkages::drop) {
  ReadOptions options;
  options.mapping.linkages = linkages;
  return shape(read_as("glycan", text, options)[0].trees[0].value);
}

TEST(GlycanReader, AttachesBranchesToTheFollowingSugar) {
  EXPECT_EQ(glycan("Gal"), "Gal/0 ");
  EXPECT_EQ(glycan("Gal(b1-4)GlcNAc"), "GlcNAc/1 Gal/0 ");
  EXPECT_EQ(glycan("A(a1-3)[B(a1-6)][C(b1-2)]D(b1-4)E"), "E/1 D/3 C/0 B/0 A/0 ");
  EXPECT_EQ(glycan("A(a1-2)[B(a1-2)[C(a1-3)]D(a1-6)]E"), "E/2 D/2 C/0 B/0 A/0 ");
  EXPECT_EQ(glycan("2,5-Anhydro-Man"), "2,5-Anhydro-Man/0 ");
}

TEST(GlycanReader, PlacesLinkagesAccordingToTheOption) {
  EXPECT_EQ(glycan("Gal(b1-4)Glc", Linkages::label), "Glc/1 Gal(b1-4)/0 ");
  EXPECT_EQ(glycan("Gal(b1-4)Glc", Linkages::node), "Glc/1 b1-4/1 Gal/0 ");
  EXPECT_EQ(glycan("Gal(?1-?)Glc(b1-", Linkages::label), "Glc(b1-/1 Gal(?1-?)/0 ");
}

TEST(GlycanReader, ReadsClassAndTexts) {
  const Example example = parsed_one("glycan", "Plantae\t17\tGal(b1-4)Glc\n");
  EXPECT_EQ(example.labels[0].name, "Plantae");
  EXPECT_EQ(example.texts[0].value, "17");
}

TEST(GlycanReader, FixesErrorsOfRealCollectionsWithAWarning) {
  const struct {
    const char* content;
    const char* shape;
    const char* warning;
  } cases[] = {
      {"A(a1-3)][B(a1-6)]C", "C/2 B/0 A/0 ", ":1:8: a ']' without its '['"},
      {"A(b1-3)[B(b1-3)C]", "C/2 B/0 A/0 ", ":1:17: the root is inside a branch"},
      {"A((a1-4)B(a1-2))C", "C/1 B/1 A/0 ", "are fixed"},
      {"A(b1-4B(b1-2)C", "C/1 B/1 A/0 ", "are fixed"},
  };
  for (const auto& [content, expected, warning] : cases) {
    std::string warned;
    ReadOptions options;
    options.mapping.linkages = Linkages::drop;
    options.warn = [&](const std::string& message) { warned += message; };
    EXPECT_EQ(shape(read_as("glycan", content, options)[0].trees[0].value), expected);
    EXPECT_TRUE(test::contains(warned, warning));
  }
}

TEST(GlycanReader, ReportsErrorsWithTheirLocation) {
  test::expect_errors("glycan", {
                                    {"Gal[Glc", "1:4", "a '[' without its ']'"},
                                    {"Gal(b1-4)[]Glc", "1:10", "an empty branch"},
                                    {"[Gal]Glc", "1:4", "a sugar ends in its linkage"},
                                    {"(b1-4)Glc", "1:1", "a linkage without a sugar"},
                                    {"b1-4)Glc", "1:5", "a linkage without its '('"},
                                    {"]", "1:1", "a glycan without a sugar"},
                                });
}

}  // namespace
}  // namespace espalier
