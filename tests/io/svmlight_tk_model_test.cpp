#include "espalier/io/svmlight_tk_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "espalier/gram/gram.hpp"
#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::contains;
using test::ExampleOf;
using test::sparse;
using test::TempDir;
using Changes = std::map<std::string, std::string>;

/// A model file of version 1.5 with these support vectors. `changes` are values by flag ("-C") or
/// by the words of the line ("threshold b"); an empty one leaves the line out.
std::string model_text(const Changes& changes, const std::vector<std::string>& support) {
  const std::pair<std::string, std::string> lines[] = {
      {"-t", "5"},
      {"-d", "3"},
      {"-g", "1"},
      {"-s", "1"},
      {"-r", "1"},
      {"-u", "empty"},
      {"-L", "0.4"},
      {"-T", "1"},
      {"-C", "T"},
      {"-F", "1"},
      {"-S", "1"},
      {"-M", "0.400000"},
      {"-N", "3"},
      {"-V", "S"},
      {"-W", "S"},
      {"-U", "0"},
      {"-D", ""},
      {"-Q", ""},
      {"highest feature index", "10"},
      {"number of training documents", "20"},
      {"number of support vectors plus 1", std::to_string(support.size() + 1)},
      {"threshold b, each following line is a SV (starting with alpha*y)", "0.25"},
  };
  std::string out = "SVM-light Version V5.01-TK-1.5\n";
  for (const auto& [name, standard] : lines) {
    const auto change = changes.find(name.substr(0, name.find(',')));
    const std::string& value = change == changes.end() ? standard : change->second;
    if (value.empty()) continue;
    const std::string what = name == "-t" ? "kernel type" : "kernel parameter " + name;
    out += value + " # " + (name[0] == '-' ? what : name) + " \n";
  }
  for (const std::string& line : support) out += line + " \n";
  return out;
}

SvmLightTkModel model_in(const std::string& content) {
  const TempDir folder;
  return read_svmlight_tk_model(folder.file("model", content));
}

double value_of(const SvmLightTkModel& model, const Example& x) {
  Dataset one;
  one.add(x);
  const Matrix<double> kernels = gram(Kernel(model.kernel), one, model.support);
  double sum = -model.threshold;
  for (std::size_t i = 0; i < kernels.columns(); ++i) sum += model.coefficients[i] * kernels(0, i);
  return sum;
}

TEST(SvmLightTkModel, ReadsAllFields) {
  const SvmLightTkModel model = model_in(model_text(
      {}, {"0.75  |BT| (A (b)) |ET|", "-1  |BT| (S (A (b))(C (d))) |ET| ", "2.5e-10 |BT| |ET|"}));
  EXPECT_EQ(model.version, "V5.01-TK-1.5");
  EXPECT_EQ(model.kernel, "norm(sst(0, lambda=0.4))");
  EXPECT_EQ(model.coefficients, (std::vector{0.75, -1.0, 2.5e-10}));
  EXPECT_EQ(model.threshold, 0.25);
  EXPECT_EQ(model.highest_feature, 10U);
  EXPECT_EQ(model.training_examples, 20U);
  ASSERT_EQ(model.support.size(), 3U);
  EXPECT_EQ(model.support.example(0), ExampleOf().tree("0", "(A(b))"));
  EXPECT_EQ(model.support.example(1), ExampleOf().tree("0", "(S(A(b))(C(d)))"));
  EXPECT_EQ(model.support.example(2), ExampleOf().tree("0", ""));
}

TEST(SvmLightTkModel, MatchesAValueComputedByHand) {
  const SvmLightTkModel model =
      model_in(model_text({}, {"1  |BT| (A (b)) |ET|", "-0.5  |BT| (S (A (b))(C (d))) |ET|"}));
  // In (S(A b)(C d)): A and C count 0.4 each, S counts 0.4 * 1.4 * 1.4.
  const double large = 0.784 + 0.4 + 0.4;
  const double both = 0.4 / std::sqrt(0.4 * large);
  EXPECT_NEAR(value_of(model, ExampleOf().tree("0", "(S(A(b))(C(d)))")), both - 0.5 - 0.25, 1e-15);
  EXPECT_NEAR(value_of(model, ExampleOf().tree("0", "(A(b))")), 1 - 0.5 * both - 0.25, 1e-15);
  EXPECT_NEAR(value_of(model, ExampleOf().tree("0", "(X(b))")), -0.25, 1e-15);
}

TEST(SvmLightTkModel, AddsVectorsToWeightedTrees) {
  const std::string support = "2 |BT| (A (b)) |ET| 1:2 3:1  |BV| 7:5  |EV|";
  const Example x = ExampleOf()
                        .tree("0", "(A(b))")
                        .vector("0", sparse({{"1", 0.5}, {"3", 4}}))
                        .vector("1", sparse({{"7", 2}}));
  const Changes linear = {{"-C", "+"}, {"-T", "3"}, {"-S", "0"}, {"-N", "1"}};
  // Trees 3 * 1; vectors 1 + 4 and 10.
  EXPECT_NEAR(value_of(model_in(model_text(linear, {support})), x), 2 * (3 + 5 + 10) - 0.25, 1e-12);
  const Changes polynomial = {{"-C", "*"}, {"-d", "2"}, {"-s", "2"}, {"-r", "3"}, {"-N", "0"}};
  EXPECT_NEAR(value_of(model_in(model_text(polynomial, {support})), x),
              2 * 0.4 * (13 * 13 + 23 * 23) - 0.25, 1e-9);
}

TEST(SvmLightTkModel, ComparesSeveralTreesInOrderOrAllWithAll) {
  const std::string support = "1 |BT| (A (b)) |BT| (C (d)) |ET|";
  const Example x = ExampleOf().tree("0", "(A(b))").tree("1", "(A(b))").tree("2", "(C(d))");
  EXPECT_NEAR(value_of(model_in(model_text({{"-W", "S"}}, {support})), x), 1 - 0.25, 1e-15);
  EXPECT_NEAR(value_of(model_in(model_text({{"-W", "A"}}, {support})), x), 3 - 0.25, 1e-15);
}

struct KernelOf {
  Changes changes;
  std::string support;
  std::string kernel;
};

TEST(SvmLightTkModel, ConvertsParametersToAnExpression) {
  const std::string tree = "1 |BT| (A (b)) |ET|";
  const std::string trees = "1 |BT| (A (b)) |BT| (A) |ET|";
  const std::string vector = "1 1:2 |EV|";
  const std::string both = "1 |BT| (A (b)) |ET| 1:2 |EV|";
  const std::string several = "1 |BT| (A (b)) |ET| 1:2 |BV| 2:1 |EV|";
  const KernelOf cases[] = {
      {{{"-F", "0"}}, tree, "norm(st(0, decay=0.4, weight=productions))"},
      {{{"-F", "1"}, {"-L", "1"}}, tree, "norm(sst(0, lambda=1))"},
      {{{"-F", "2"}}, tree, "norm(sst(0, lambda=0.4, leaves=true))"},
      {{{"-F", "3"}, {"-M", "0.25"}}, tree, "norm(pt(0, lambda=0.4, mu=0.25, max_length=5))"},
      {{{"-N", "0"}}, tree, "sst(0, lambda=0.4)"},
      {{{"-N", "1"}}, tree, "norm(sst(0, lambda=0.4))"},
      {{{"-N", "2"}}, tree, "sst(0, lambda=0.4)"},
      {{}, trees, "each(norm(sst(lambda=0.4)))"},
      {{{"-W", "A"}}, tree, "all(norm(sst(lambda=0.4)))"},
      {{{"-C", "+"}}, tree, "norm(sst(0, lambda=0.4))"},
      {{{"-C", "V"}}, tree, "0"},
      {{}, vector, "0"},
      {{{"-C", "V"}}, both, "norm(poly(0, degree=3, scale=1, offset=1))"},
      {{{"-C", "V"}, {"-V", "A"}, {"-S", "0"}, {"-N", "1"}}, both, "linear(0)"},
      {{{"-C", "V"}, {"-S", "2"}, {"-g", "0.5"}, {"-N", "0"}}, both, "rbf(0, gamma=0.5)"},
      {{{"-C", "+"}, {"-S", "0"}, {"-T", "0.3"}},
       both,
       "norm(linear(0)) + 0.3*norm(sst(0, lambda=0.4))"},
      {{{"-C", "*"}, {"-S", "0"}}, both, "norm(sst(0, lambda=0.4))*norm(linear(0))"},
      {{{"-C", "*"}, {"-S", "0"}, {"-N", "1"}},
       several,
       "norm(sst(0, lambda=0.4))*(linear(0) + linear(1))"},
      // SVM-light's own kernels look at the first vector only and do not normalise.
      {{{"-t", "0"}}, both, "linear(0)"},
      {{{"-t", "1"}, {"-r", "0"}}, several, "poly(0, degree=3, scale=1, offset=0)"},
      {{{"-t", "2"}, {"-g", "1e-3"}}, vector, "rbf(0, gamma=0.001)"},
      // Version 1.2.
      {{{"-D", "1"}, {"-M", ""}, {"-U", ""}}, tree, "norm(sst(0, lambda=0.4))"},
  };
  for (const auto& [changes, support, kernel] : cases) {
    EXPECT_EQ(model_in(model_text(changes, {support})).kernel, kernel);
    EXPECT_NO_THROW(Kernel{kernel}) << kernel;
  }
}

TEST(SvmLightTkModel, ReadsModelsOfSvmLight) {
  const SvmLightTkModel model = model_in(
      "SVM-light Version V6.02\n0 # kernel type\n3 # kernel parameter -d \n"
      "1 # kernel parameter -g \n1 # kernel parameter -s \n1 # kernel parameter -r \n"
      "empty# kernel parameter -u \n7 # highest feature index \n"
      "5 # number of training documents \n3 # number of support vectors plus 1 \n"
      "-0.5 # threshold b, each following line is a SV (starting with alpha*y)\n"
      "-0.25 1:1 3:2 5:2 #\n0.125 2:1 3:2 7:2 # 2\n");
  EXPECT_EQ(model.kernel, "linear(0)");
  EXPECT_EQ(value_of(model, ExampleOf().vector("0", sparse({{"3", 4}, {"5", 1}}))),
            -0.25 * 10 + 0.125 * 8 + 0.5);
}

TEST(SvmLightTkModel, AcceptsUnusualFiles) {
  const std::string plain = model_text({}, {"1  |BT| (A (b)) |ET|", "-0.5  |BT| (A (c)) |ET|"});
  std::string windows;
  for (const char c : plain) windows += c == '\n' ? "\r\n" : std::string(1, c);
  std::string commented = plain;
  commented.insert(commented.find("5 # kernel type"), "# by hand\n\n");
  std::string empty_u = plain;
  empty_u.replace(empty_u.find("empty"), 5, "");
  const std::string cases[] = {windows,
                               plain.substr(0, plain.size() - 2),
                               "\xEF\xBB\xBF" + plain,
                               test::gzipped(plain),
                               commented + "\n# the end\n",
                               empty_u};
  for (const std::string& content : cases) {
    const SvmLightTkModel model = model_in(content);
    EXPECT_EQ(model.kernel, "norm(sst(0, lambda=0.4))");
    EXPECT_EQ(model.coefficients, (std::vector{1.0, -0.5}));
    EXPECT_EQ(model.support.example(1), ExampleOf().tree("0", "(A(c))"));
  }
}

TEST(SvmLightTkModel, MayHaveNoSupportVectors) {
  const SvmLightTkModel model = model_in(model_text({}, {}));
  EXPECT_EQ(model.support.size(), 0U);
  EXPECT_EQ(model.kernel, "0");
}

struct BadModel : test::Row {
  std::string content;
  const char* place;
  const char* message;
};

/// A model with one support vector in which the value of one line is another.
BadModel with(const std::string& flag, const std::string& value, const char* place,
              const char* message, const std::string& support = "1 |BT| (A (b)) |ET|") {
  Changes changes = {{"-C", support.ends_with("|EV|") ? "+" : "T"}};
  changes[flag] = value;
  return {{flag.substr(1)}, model_text(changes, {support}), place, message};
}

class BadModels : public testing::TestWithParam<BadModel> {};

TEST_P(BadModels, AreReportedWithFileLineAndColumn) {
  const TempDir folder;
  const std::string path = folder.file("model", GetParam().content);
  const test::Failure failure = test::failure_of([&] { read_svmlight_tk_model(path); });
  EXPECT_TRUE(failure.message.starts_with(path + ":" + GetParam().place + ": ")) << failure.message;
  EXPECT_TRUE(contains(failure.message, GetParam().message));
  EXPECT_EQ(failure.message.find('\n'), std::string::npos);
}

/// Several rows are about one parameter.
struct NameAndNumber {
  std::string operator()(const testing::TestParamInfo<BadModel>& row) const {
    return row.param.name + "_" + std::to_string(row.index);
  }
};

const std::string both = "1 |BT| (A (b)) |ET| 1:2 |EV|";
const std::string two_vectors = "1 |BT| (A (b)) |ET| 1:2 |BV| 1:3 |EV|";

INSTANTIATE_TEST_SUITE_P(
    Kernels, BadModels,
    testing::Values(
        with("-t", "3", "2:1",
             "kernel parameter -t: the sigmoid kernel is not supported, near '3'"),
        with("-t", "4", "2:1", "kernel parameter -t: a custom kernel"),
        with("-t", "11", "2:1", "kernel parameter -t: of the kernels with trees only number 5"),
        with("-t", "x", "2:1", "kernel parameter -t: expected a number, near 'x'"),
        with("-L", "1.5", "8:1", "kernel parameter -L: expected a number in [0, 1]"),
        with("-T", "-1", "9:1", "kernel parameter -T: expected a number", both),
        with("-C", "X", "10:1", "kernel parameter -C: expected T, V, + or *"),
        with("-C", "TT", "10:1", "kernel parameter -C: expected a single character"),
        with("-F", "4", "11:1", "kernel parameter -F: of the tree kernels only 0 (ST)"),
        with("-F", "-1", "11:1", "kernel parameter -F: of the tree kernels"),
        with("-S", "3", "12:1", "kernel parameter -S: the sigmoid kernel is not supported", both),
        with("-S", "2", "14:1", "kernel parameter -N: with -S 2 the program divides by", both),
        with("-d", "2.5", "3:1", "kernel parameter -d: expected a whole number in [1, 64]", both),
        with("-N", "4", "14:1", "kernel parameter -N: expected a whole number in [0, 3]"),
        with("-V", "R", "15:1", "kernel parameter -V: of the ways to combine vectors", both),
        with("-V", "A", "15:1", "kernel parameter -V: several vectors", two_vectors),
        with("-W", "R", "16:1", "kernel parameter -W: of the ways to combine trees"),
        with("-U", "1", "17:1", "kernel parameter -U: the file tree_kernels.param"),
        with("-D", "0", "18:1", "kernel parameter -D: only 1, SST"),
        with("-Q", "7", "18:5",
             "unknown line in the header of a model, near 'kernel parameter -Q'"),
        with("-L", "", "20:1", "above this line, kernel parameter -L is missing"),
        BadModel{
            {"SomeLackAVector"},
            model_text({{"-C", "+"}}, {both, "1 |BT| (A) |ET|"}),
            "12:1",
            "kernel parameter -S: only linear kernels are supported for examples of which some"}),
    NameAndNumber());

const std::string one_tree = "1 |BT| (A (b)) |ET|";

INSTANTIATE_TEST_SUITE_P(
    Files, BadModels,
    testing::Values(
        BadModel{{"Empty"}, "", "1:1", "a model file of SVM-light-TK begins with"},
        BadModel{{"DataFile"}, one_tree + "\n", "1:1", "begins with 'SVM-light Version'"},
        BadModel{{"VersionOnly"}, "SVM-light Version V5\n", "2:1", "the file ends before the line"},
        BadModel{{"CutInTheHead"},
                 model_text({}, {one_tree}).substr(0, 70),
                 "3:5",
                 "unknown line in the header of a model, near 'kernel parameter -'"},
        BadModel{{"NoHash"},
                 "SVM-light Version V5\n  5 kernel type\n",
                 "2:3",
                 "lines 'value # description', near '5 kernel type'"},
        BadModel{{"UnknownLine"},
                 "SVM-light Version V5\n5 # kernel type\n7 # loss function\n",
                 "3:5",
                 "unknown line in the header of a model, near 'loss function'"},
        BadModel{{"Twice"},
                 "SVM-light Version V5\n5 # kernel type\n5 # kernel type\n",
                 "3:5",
                 "this line comes twice"},
        BadModel{{"NoCount"},
                 model_text({{"number of support vectors plus 1", ""}}, {one_tree}),
                 "20:1",
                 "above this line, 'number of support vectors plus 1' is missing"},
        BadModel{{"CountOfNothing"},
                 model_text({{"number of support vectors plus 1", "0"}}, {one_tree}),
                 "20:1",
                 "'number of support vectors plus 1': expected a whole number in [1, "},
        BadModel{{"Threshold"},
                 model_text({{"threshold b", "nan"}}, {one_tree}),
                 "21:1",
                 "'threshold b': expected a number"},
        BadModel{{"TooFew"},
                 model_text({{"number of support vectors plus 1", "4"}}, {one_tree, one_tree}),
                 "24:1",
                 "the file ends after 2 of 3 support vectors"},
        BadModel{{"TooMany"},
                 model_text({{"number of support vectors plus 1", "2"}}, {one_tree, one_tree}),
                 "23:1",
                 "the header announces 1 support vectors; this is one more"},
        BadModel{{"CutInATree"}, model_text({}, {"1 |BT| (A (b"}), "22:8", "closing bracket"},
        BadModel{{"CutBehindATree"},
                 model_text({}, {"1 |BT| (A (b))"}),
                 "22:3",
                 "are missing their |ET|"},
        BadModel{{"CutInANumber"}, model_text({}, {"0.12"}), "22:1", "without a tree or a vector"},
        BadModel{{"NoNumber"}, model_text({}, {"|BT| (A) |ET|"}), "22:1", "begins with a number"}),
    test::RowName());

}  // namespace
}  // namespace espalier
