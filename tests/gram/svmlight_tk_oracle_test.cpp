// Models that SVM-light-TK trained on real data. They are optimal for its kernel only, so that
// the conditions of the optimum show whether ours is the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/svmlight_tk_model.hpp"
#include "support/archive.hpp"
#include "support/files.hpp"
#include "support/shared_data.hpp"

namespace espalier {
namespace {

const std::string archive = test::shared_data("svmlight_tk_oracle.tar.gz");
constexpr double upper_bound = 1;  // C, which the files do not state
// The program stops when the conditions hold to 0.001, with kernel values rounded to float.
constexpr double tolerance = 1.01e-3;

/// The program takes all words behind the first in a bracket for one leaf, "(a b c)" for a with
/// "b c" below, but writes that as "(a (b c))", which anyone, the program too, reads as a, b and c,
/// one below the other. Escapes the blanks in innermost brackets, to get back what was trained on.
std::string with_blanks_in_leaves(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find('(', at), text.size());
    const std::size_t end = std::min(text.find_first_of("()", begin + 1), text.size());
    out += text.substr(at, begin - at);
    for (const char c : text.substr(begin, end - begin)) {
      out += c == ' ' && text[end] == ')' ? "\\ " : std::string(1, c);
    }
    at = end;
  }
  return out;
}

SvmLightTkModel read_model(const std::string& name) {
  const test::TempDir folder;
  return read_svmlight_tk_model(
      folder.file("model", with_blanks_in_leaves(test::file_in_archive(archive, name))));
}

std::vector<double> values_of(const SvmLightTkModel& model, const Matrix<double>& kernels) {
  std::vector<double> out(kernels.rows(), -model.threshold);
  for (std::size_t i = 0; i < kernels.rows(); ++i) {
    for (std::size_t j = 0; j < kernels.columns(); ++j) {
      out[i] += model.coefficients[j] * kernels(i, j);
    }
  }
  return out;
}

/// Checks all support vectors; returns how many are free, that is below the upper bound.
std::size_t check_support(const SvmLightTkModel& model, const std::string& name) {
  const auto values = values_of(model, gram(Kernel(model.kernel), model.support));
  std::size_t free = 0;
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double margin = model.coefficients[i] > 0 ? values[i] : -values[i];
    if (std::abs(model.coefficients[i]) < upper_bound) {
      worst = std::max(worst, std::abs(margin - 1));
      ++free;
    } else {
      EXPECT_LE(margin, 1 + tolerance) << name << ", support vector " << i;
    }
  }
  EXPECT_LE(worst, tolerance) << name;
  return free;
}

TEST(SvmLightTkOracle, FreeSupportVectorsLieOnTheMargin) {
  ESPALIER_NEEDS_DATA(archive);
  const std::string english = "data/question-classifier_en/models/";
  const std::string italian = "data/question-classifier_it/models-ptk/";
  std::size_t free = 0;
  for (const char* const name : {"ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"}) {
    const SvmLightTkModel model = read_model(english + name + ".model");
    EXPECT_EQ(model.kernel, "norm(sst(0, lambda=0.4))");
    EXPECT_EQ(model.training_examples, 5452U);
    free += check_support(model, name);
  }
  EXPECT_EQ(free, 6536U);
  free = 0;
  std::vector<std::string> partial = {"data/question-focus_en/svm.model",
                                      "data/question-focus_it/svm.model"};
  for (const char* const name : {"ABBR", "CURRENCY", "DESC", "DURATION", "ENTITY", "LOCATION",
                                 "QUANTITY", "WHEN", "WHO", "WHY"}) {
    partial.push_back(italian + name + ".model");
  }
  for (const std::string& name : partial) {
    const SvmLightTkModel model = read_model(name);
    EXPECT_EQ(model.kernel, "norm(pt(0, lambda=0.4, mu=0.4, max_length=5))");
    free += check_support(model, name);
  }
  EXPECT_EQ(free, 2072U);
}

std::string brackets(const Tree& tree) {
  std::string out;
  append_brackets(out, tree, BracketStyle::compact);
  return out;
}

TEST(SvmLightTkOracle, OtherTrainingExamplesLieBehindTheMargin) {
  ESPALIER_NEEDS_DATA(archive);
  const std::string folder_in_archive = "data/question-classifier_en/";
  std::size_t checked = 0;
  for (const std::string name : {"ABBR", "NUM"}) {
    const SvmLightTkModel model = read_model(folder_in_archive + "models/" + name + ".model");
    const test::TempDir folder;
    const Dataset training = read(folder.file(
        "x.dat", test::file_in_archive(archive, folder_in_archive + "train/" + name + ".train")));
    ASSERT_EQ(training.size(), model.training_examples);
    std::set<std::string> in_model;
    for (std::size_t i = 0; i < model.support.size(); ++i) {
      in_model.insert(brackets(model.support.example(i).trees[0].value));
    }
    const auto values = values_of(model, gram(Kernel(model.kernel), training, model.support));
    for (std::size_t i = 0; i < training.size(); ++i) {
      const Example example = training.example(i);
      if (in_model.contains(brackets(example.trees[0].value))) continue;
      const double side = example.labels[0].name == "1" ? 1 : -1;
      EXPECT_GE(side * values[i], 1 - tolerance) << name << ", example " << i;
      ++checked;
    }
  }
  EXPECT_GT(checked, 8000U);
}

}  // namespace
}  // namespace espalier
