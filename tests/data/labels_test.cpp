#include "espalier/data/labels.hpp"

#include <gtest/gtest.h>

#include "support/examples.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::number;
using test::of_class;

Dataset labelled(const std::vector<Label>& labels) {
  Dataset out;
  for (const Label& label : labels) out.add(test::ExampleOf().label(label));
  return out;
}

Dataset named(const std::vector<const char*>& names) {
  Dataset out;
  for (const char* name : names) out.add(test::ExampleOf().label(name));
  return out;
}

TEST(Labels, OfAllExamplesDecideTheTask) {
  const struct {
    Dataset data;
    bool regression;
  } cases[] = {{named({"a", "b"}), false},
               {named({"1", "2", "-3"}), false},
               {named({"1", "2", "1e3"}), false},
               {named({"1", "2.5", "3"}), true},
               {named({"2.5", "n/a"}), false},
               {labelled({number(1), number(2)}), false},
               {labelled({number(1), number(0.5)}), true},
               {labelled({number(1, "score"), number(2, "score")}), true},
               {labelled({number(1, "score"), of_class("2")}), true},
               {labelled({number(1, "score"), of_class("a")}), false},
               {Dataset(), false}};
  for (const auto& [data, regression] : cases) {
    EXPECT_EQ(count_labels(data).regression(), regression) << &data - &cases[0].data;
  }
}

TEST(Labels, ThatMixNamesAndNumbersAreWarnedOf) {
  EXPECT_EQ(count_labels(named({"a", "1", "b", "0.5"})).warning(),
            "2 of the 4 labels are numbers and the others are names: each is taken as a class");
  EXPECT_EQ(count_labels(named({"a", "b"})).warning(), "");
  EXPECT_EQ(count_labels(named({"1", "0.5"})).warning(), "");
}

TEST(Labels, ThatAreNotFiniteAreRefusedAmongNumbers) {
  for (const char* text : {"nan", "NaN", "-nan", "inf", "+Inf", "-infinity", "1e999"}) {
    EXPECT_TRUE(test::fails_with("example 2 has a label that is not a finite number", [&] {
      count_labels(named({"0.5", text}));
    })) << text;
    EXPECT_EQ(count_labels(named({"verb", text})).names, 2U) << text;
  }
  EXPECT_EQ(count_labels(named({"1", "nano"})).names, 1U);
}

TEST(Labels, AreClassesByNameOrNumber) {
  const Dataset data = labelled({of_class("a"), number(1.5), number(3, "score"), of_class("07")});
  const auto class_at = [&](std::size_t i) { return class_of(data, data.labels(i)[0]); };
  EXPECT_EQ(class_at(0), "a");
  EXPECT_EQ(class_at(1), "1.5");
  EXPECT_EQ(class_at(2), "score");
  EXPECT_EQ(class_at(3), "07");
  EXPECT_EQ(number_of(data, data.labels(3)[0]), 7);
  EXPECT_FALSE(number_of(data, data.labels(0)[0]));
}

}  // namespace
}  // namespace espalier
