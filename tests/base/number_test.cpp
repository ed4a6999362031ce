#include "espalier/base/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <locale>
#include <random>
#include <string>
#include <vector>

namespace espalier {
namespace {

TEST(ParseNumber, TakesFiniteNumbersInTheUsualNotations) {
  const struct {
    const char* text;
    double number;
  } cases[] = {
      {"0", 0},
      {"1", 1},
      {"+1", 1},
      {"-1", -1},
      {"3.5", 3.5},
      {".5", 0.5},
      {"5.", 5},
      {"1e3", 1000},
      {"1E-3", 0.001},
      {"+2.5e+1", 25},
      {"-0.25", -0.25},
      {"007", 7},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"5e-324", 5e-324},
  };
  for (const auto& [text, number] : cases) {
    const auto parsed = parse_number(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, number) << text;
  }
}

TEST(ParseNumber, RefusesEverythingElse) {
  const char* const texts[] = {"",    " ",    "abc",      "1a",    "a1",     "1 ",   " 1",
                               "1,5", "--1",  "+-1",      "-+1",   "++1",    "nan",  "-nan",
                               "inf", "-inf", "Infinity", "1e999", "-1e999", "0x10", "1e",
                               "1e+", ".",    "+",        "-",     "1.2.3",  "１"};
  for (const char* text : texts) EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_FALSE(parse_number(std::string_view("1\0", 2)));
}

TEST(PrintNumber, IsShort) {
  EXPECT_EQ(print_number(1), "1");
  EXPECT_EQ(print_number(-2.5), "-2.5");
  EXPECT_EQ(print_number(0.1), "0.1");
  EXPECT_EQ(print_number(1.0 / 3), "0.3333333333333333");
}

TEST(PrintNumber, ReadsBackExactly) {
  std::mt19937_64 engine(1);
  using Limits = std::numeric_limits<double>;
  std::vector<double> numbers = {0.0,  -0.0, Limits::max(), Limits::min(), Limits::denorm_min(),
                                 1e15, 1e16, 1e21,          123456789.123, 1 + Limits::epsilon()};
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t bits = engine();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  for (const double number : numbers) {
    const auto back = parse_number(print_number(number));
    ASSERT_TRUE(back) << print_number(number);
    ASSERT_EQ(*back, number) << print_number(number);
    ASSERT_EQ(std::signbit(*back), std::signbit(number));
  }
}

TEST(Numbers, DoNotDependOnTheLocale) {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_FALSE(parse_number("1,5"));
  EXPECT_EQ(print_number(12345.5), "12345.5");
  std::locale::global(before);
}

}  // namespace
}  // namespace espalier
