// Model files that earlier versions and this one wrote, one of each kind; format_5/make lists how.
#include <gtest/gtest.h>

#include <sstream>

#include "espalier/io/format.hpp"
#include "espalier/model/train.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

const std::string folder = ESPALIER_ROOT "/tests/model/format_5/";  // and what all of them predict
const std::string format_7 = ESPALIER_ROOT "/tests/model/format_7/";

/// The models in a folder that has their predictions.
std::vector<std::string> model_names(const std::string& from) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (entry.path().extension() == ".tsv") out.push_back(entry.path().stem());
  }
  std::ranges::sort(out);
  return out;
}

/// The predictions as `espalier predict` writes them, below the header: a label, the scores and the
/// probabilities, with six digits.
void expect_predictions(const Predictions& predictions, const std::string& expected) {
  std::istringstream lines(expected);
  std::string line, label;
  std::getline(lines, line);
  for (std::size_t i = 0; i < predictions.scores.rows(); ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream fields(line);
    std::getline(fields, label, '\t');
    const auto scores = predictions.scores.row(i);
    if (predictions.task == Task::regression) {
      EXPECT_NEAR(scores[0], std::stod(label), 1e-5) << i;
      continue;
    }
    EXPECT_EQ(predictions.label(i), label) << i;
    std::vector<double> values(scores.begin(), scores.end()), wanted;
    for (double value; fields >> value;) wanted.push_back(value);
    if (wanted.size() > values.size()) {
      const auto probabilities = predictions.probabilities.row(i);
      values.insert(values.end(), probabilities.begin(), probabilities.end());
    }
    ASSERT_EQ(values.size(), wanted.size());
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], wanted[k], 1e-5) << i;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(OldModelFile, PredictsAsBefore) {
  const Dataset data = read(folder + "classes.klp");
  const std::vector<std::string> names = model_names(folder);
  EXPECT_EQ(names.size(), 18U);
  for (const std::string& name : names) {
    const std::string expected = test::read_file(folder + name + ".tsv");
    for (const std::string version : {"5", "6"}) {
      SCOPED_TRACE(name + " of format " + version);
      const Model model = load_model(folder + "../format_" + version + "/" + name + ".model");
      EXPECT_EQ(model.provenance.version.empty(), version == "5");
      expect_predictions(predict(model, data), expected);
      expect_predictions(predict(model_from_bytes(model_bytes(model)), data), expected);
    }
  }
}

TEST(OldModelFile, OnFragmentsPredictsAsBefore) {
  const Dataset data = read(folder + "classes.klp");
  const std::vector<std::string> names = model_names(format_7);
  EXPECT_EQ(names.size(), 3U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Model model = load_model(format_7 + name + ".model");
    EXPECT_NE(model.fragments(), nullptr);
    const std::string expected = test::read_file(format_7 + name + ".tsv");
    expect_predictions(predict(model, data), expected);
    expect_predictions(predict(model_from_bytes(model_bytes(model)), data), expected);
  }
}

TEST(OldModelFile, ContinuesTraining) {
  const Dataset data = read(folder + "classes.klp");
  for (const char* const name : {"perceptron", "pa_budget"}) {
    Model model = load_model(folder + name + ".model");
    const std::uint64_t seen = model.training.examples;
    continue_training(model, data);
    EXPECT_EQ(model.training.examples, seen + data.size());
  }
  Model svm = load_model(folder + "svm.model");
  EXPECT_THROW(continue_training(svm, data), Error);
}

}  // namespace
}  // namespace espalier
