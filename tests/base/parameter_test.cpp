#include "espalier/base/parameter.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;

enum class Colour { red, dark_blue };
constexpr std::array<const char*, 2> names_of(Colour) { return {"red", "dark-blue"}; }

struct Inner {
  std::uint64_t seed = 1;
  std::size_t epochs = 500;

  static void describe(auto& self, auto&& field) {
    field("seed", self.seed, "random seed", {.range = {0, 100}});
    field("epochs", self.epochs, "passes", {.range = {1, 1000}});
  }
};

struct Outer {
  double rate = 0.5;
  Colour colour = Colour::red;
  std::optional<Colour> accent = {};
  bool shuffle = true;
  std::string text = {};
  std::vector<std::size_t> hidden = {3, 0};
  std::vector<Colour> colours = {Colour::red};
  std::uint64_t size = 2048;
  ClassWeight weight = {};
  std::uint64_t seed = 1;
  std::size_t epochs = 5;
  Inner inner = {};

  static void describe(auto& self, auto&& field) {
    field("rate", self.rate, "", {.range = Range::below(1), .alias = "r"});
    field("colour", self.colour, "");
    field("accent", self.accent, "");
    field("shuffle", self.shuffle, "", {.users = "online", .needs = "text"});
    field("text", self.text, "");
    field("hidden", self.hidden, "", {.range = {0, 10}});
    field("colours", self.colours, "");
    field("size", self.size, "", {.range = {1, 0x1p53}, .bytes = true});
    field("weight", self.weight, "", {.range = Range::above(0)});
    field("seed", self.seed, "", {.range = {0, 100}});
    field("epochs", self.epochs, "", {.range = {1, 100}, .users = "online"});
    Inner::describe(self.inner, used_by("network", field));
  }
};

TEST(Range, ExcludesOpenEndsAndWhatIsNotFinite) {
  EXPECT_TRUE(Range::below(1).contains(0));
  EXPECT_FALSE(Range::below(1).contains(1));
  EXPECT_FALSE(Range::above(0).contains(0));
  EXPECT_FALSE(Range::above(0).contains(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(Range::at_least(0).contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(Range::below(1).to_string(), "[0, 1)");
  EXPECT_EQ(Range::above(0).to_string(), "(0, inf)");
}

TEST(Parameters, ReadBackWhatTheyPrint) {
  Outer options;
  Parameters parameters(options);
  const std::pair<const char*, const char*> values[] = {
      {"rate", "0.25"},       {"colour", "dark-blue"},
      {"shuffle", "false"},   {"text", "a, b"},
      {"hidden", "5,7"},      {"hidden", "none"},
      {"size", "3M"},         {"colours", "dark-blue,red"},
      {"weight", "balanced"}, {"weight", "A=2,B=0.5"}};
  for (const auto& [name, text] : values) {
    const ParameterRow& row = parameters.find(name);
    const Value value = parse_value(row, text, name);
    parameters.set(name, value);
    const auto index = static_cast<std::size_t>(&row - parameters.rows().data());
    EXPECT_EQ(print_value(row, parameters.value(index)), text) << name;
  }
  EXPECT_EQ(options.size, 3U << 20);
  EXPECT_EQ(options.colours, (std::vector<Colour>{Colour::dark_blue, Colour::red}));
  EXPECT_EQ(options.weight.weights, (NamedNumbers{{"A", 2}, {"B", 0.5}}));
}

TEST(Parameters, HaveOneWordingForBadValues) {
  Outer options;
  Parameters parameters(options);
  const struct {
    const char* name;
    const char* text;
    const char* message;
  } cases[] = {{"rate", "1", "rate = 1 is outside [0, 1)"},
               {"rate", "x", "rate takes a number, not 'x'"},
               {"epochs", "1.5", "epochs = 1.5 is not a whole number"},
               {"hidden", "1,11", "hidden = 11 is outside [0, 10]"},
               {"colour", "dark_blue",
                "takes one of red, dark-blue, not 'dark_blue'; did you mean 'dark-blue'?"},
               {"colours", "red,green", "takes one of red, dark-blue, not 'green'"},
               {"shuffle", "no", "shuffle takes false or true, not 'no'"},
               {"size", "4T", "size takes a number such as 2000, 512M or 4G, not '4T'"},
               {"weight", "A=0", "weight: the weight 0 of 'A' is outside (0, inf)"},
               {"weight", "heavy", "weight takes none, balanced or LABEL=WEIGHT,.., not 'heavy'"},
               {"rat", "1", "there is no parameter 'rat'; did you mean 'rate'?"}};
  for (const auto& [name, text, message] : cases) {
    EXPECT_TRUE(fails_with(
        message, [&] { parameters.set(name, parse_value(parameters.find(name), text, name)); }));
  }
  options.rate = 2;
  EXPECT_TRUE(fails_with("rate = 2 is outside [0, 1)", [&] { check_parameters(options); }));
}

TEST(Parameters, SetAllRowsOfAName) {
  Outer options;
  Parameters(options).set("seed", 7.0);
  EXPECT_EQ(options.seed, 7U);
  EXPECT_EQ(options.inner.seed, 7U);
  // Nothing is half set: 200 epochs are too many for one of the two.
  EXPECT_TRUE(fails_with("epochs = 200", [&] { Parameters(options).set("epochs", 200.0); }));
  EXPECT_EQ(options.inner.epochs, 500U);
  EXPECT_EQ(options.epochs, 5U);
}

TEST(Parameters, AliasesAndOptionalValues) {
  Outer options;
  Parameters parameters(options);
  parameters.set("r", 0.125);
  EXPECT_EQ(options.rate, 0.125);
  parameters.set("accent", std::string("red"));
  EXPECT_EQ(options.accent, Colour::red);
  parameters.set("accent", Value());
  EXPECT_FALSE(options.accent);
  EXPECT_TRUE(fails_with("colour must have a value", [&] { parameters.set("colour", Value()); }));
}

TEST(Parameters, RefuseWhatHasNoEffect) {
  Outer options;
  Parameters parameters(options);
  const auto check = [&](const char* name, const char* user) {
    const std::vector<std::string> given = {name};
    parameters.check_use(given, user, [](std::string_view word) { return std::string(word); });
  };
  check("epochs", "online");
  check("epochs", "network");
  check("rate", "other");
  EXPECT_TRUE(fails_with("epochs is for online, network, not for other",
                         [&] { check("epochs", "other"); }));
  EXPECT_TRUE(fails_with("shuffle needs text", [&] { check("shuffle", "online"); }));
  options.text = "x";
  check("shuffle", "online");
}

}  // namespace
}  // namespace espalier
